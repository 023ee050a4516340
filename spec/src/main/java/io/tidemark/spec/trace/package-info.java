/** Counterexamples: TLA+ values, steps, their story, their file (ITF). Knows nothing of how TLC is run, but for {@code Arguments}, which asks TLC again. */
@NullMarked
package io.tidemark.spec.trace;

import org.jspecify.annotations.NullMarked;
