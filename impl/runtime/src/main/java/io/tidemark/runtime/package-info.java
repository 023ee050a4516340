/**
 * All of a node that is not a socket, a thread or a clock. Here: what the loops share and are given, and what a node is to
 * the outside. May depend on {@code core}, {@code storage} and {@code runtime.port}.
 */
@NullMarked
package io.tidemark.runtime;

import org.jspecify.annotations.NullMarked;
