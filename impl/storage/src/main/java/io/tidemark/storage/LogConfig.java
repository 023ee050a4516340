package io.tidemark.storage;

import io.tidemark.core.log.BatchLayout;

/**
 * How one log is kept.
 *
 * @param segmentBytes {@code segment.bytes}: a segment that an append would make larger is rolled before it
 * @param indexIntervalBytes {@code index.interval.bytes}: at least so many bytes between two index entries
 * @param segmentIndexBytes {@code segment.index.bytes}: size of an active segment's index files, zeros behind the entries, as
 *     Kafka has them; a segment whose index is full is rolled
 * @param gaps whether offsets may have gaps ({@code cleanup.policy=compact}); without, a gap found by recovery is damage
 */
public record LogConfig(int segmentBytes, int indexIntervalBytes, int segmentIndexBytes, boolean gaps) {
    /** Kafka's defaults: 1 GiB, 4096 bytes and 10 MiB, no compaction. */
    public static final LogConfig DEFAULT = new LogConfig(1 << 30, 4096, 10 << 20, false);

    public LogConfig {
        if (segmentBytes < BatchLayout.HEADER_SIZE) {
            throw new IllegalArgumentException("segment.bytes " + segmentBytes + "; at least 61");
        }
        if (indexIntervalBytes < 0) {
            throw new IllegalArgumentException("index.interval.bytes " + indexIntervalBytes + "; at least 0");
        }
        if (segmentIndexBytes < 12) {
            throw new IllegalArgumentException("segment.index.bytes " + segmentIndexBytes + "; at least 12");
        }
    }
}
