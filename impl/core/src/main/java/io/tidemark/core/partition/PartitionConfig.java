package io.tidemark.core.partition;

import io.tidemark.core.Guards;

/**
 * What a replica is told at its start.
 *
 * @param brokerId own id
 * @param guards all on, but in tests
 */
public record PartitionConfig(int brokerId, Guards guards) {}
