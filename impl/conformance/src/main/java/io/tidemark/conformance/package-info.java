/**
 * Holds code and specification together: inputs in states of models, saved behaviours taken by cores, whole state spaces. Knows
 * core and spec; the command line alone knows it.
 */
@NullMarked
package io.tidemark.conformance;

import org.jspecify.annotations.NullMarked;
