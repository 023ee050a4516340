package io.tidemark.core.partition;

import io.tidemark.core.Guards;

/**
 * What a replica is told at its start.
 *
 * @param brokerId own id
 * @param flushEveryMessage {@code log.flush.interval.messages=1}: an append counts, for the own part of the high
 *     watermark, for acknowledgements and for fetches, only once it is fsynced
 * @param guards all on, but in tests
 */
public record PartitionConfig(int brokerId, boolean flushEveryMessage, Guards guards) {}
