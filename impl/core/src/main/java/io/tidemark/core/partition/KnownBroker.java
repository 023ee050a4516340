package io.tidemark.core.partition;

/**
 * A broker's registration as this replica has applied it; the spec's {@code reg[b]}.
 *
 * @param active neither fenced nor shutting down
 */
public record KnownBroker(long epoch, boolean active) {}
