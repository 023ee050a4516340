/** One run of TLC in a JVM of its own: its command, its messages, its result. Knows nothing of the manifest. */
@NullMarked
package io.tidemark.spec.tlc;

import org.jspecify.annotations.NullMarked;
