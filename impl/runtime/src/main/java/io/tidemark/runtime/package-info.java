/**
 * All of a node that is not a socket, a thread or a clock: carries out the core's effects, holds what is not yet durable,
 * parks fetches, schedules fetchers and heartbeats, publishes metadata. Driven by the ports of {@code runtime.port}; may
 * depend on {@code core} and {@code storage}.
 */
@NullMarked
package io.tidemark.runtime;

import org.jspecify.annotations.NullMarked;
