/**
 * Holds code and specification together: saved behaviours taken by cores, whole state spaces searched over them. Which code
 * stands for which modules is in {@code quorum} and {@code partition}. The command line alone knows it.
 */
@NullMarked
package io.tidemark.conformance;

import org.jspecify.annotations.NullMarked;
