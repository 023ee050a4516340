/**
 * Every step of a node's cores as a line of a trace: which action was taken, and what changed of the variables. Watches from
 * outside ({@link io.tidemark.runtime.StepListener}): nothing of the node depends on it. Knows core alone.
 */
@NullMarked
package io.tidemark.runtime.trace;

import org.jspecify.annotations.NullMarked;
