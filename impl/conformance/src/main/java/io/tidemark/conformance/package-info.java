/** Holds code and specification together. Knows core and spec; nothing knows it. */
@NullMarked
package io.tidemark.conformance;

import org.jspecify.annotations.NullMarked;
