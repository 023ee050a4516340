/**
 * The control loop: the quorum's replica and, where this node leads, the active controller. May depend on {@code core},
 * {@code storage}, {@code runtime} and the ports.
 */
@NullMarked
package io.tidemark.runtime.control;

import org.jspecify.annotations.NullMarked;
