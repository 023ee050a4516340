package io.tidemark.workload.log;

import java.nio.ByteBuffer;

/**
 * A record batch as it lies on disk.
 *
 * @param bytes the whole batch, its header included, position 0 to limit
 */
public record LogBatch(long baseOffset, long lastOffset, int leaderEpoch, ByteBuffer bytes) {}
