package io.tidemark.storage;

/**
 * How one log is kept.
 *
 * @param segmentBytes {@code segment.bytes}: a segment that an append would make larger is rolled before it
 * @param indexIntervalBytes {@code index.interval.bytes}: at least so many bytes between two index entries
 * @param gaps whether offsets may have gaps ({@code cleanup.policy=compact}); without, a gap found by recovery is damage
 */
public record LogConfig(int segmentBytes, int indexIntervalBytes, boolean gaps) {
    /** Kafka's defaults: 1 GiB and 4096 bytes, no compaction. */
    public static final LogConfig DEFAULT = new LogConfig(1 << 30, 4096, false);

    public LogConfig {
        if (segmentBytes < BatchFormat.HEADER_SIZE) {
            throw new IllegalArgumentException("segment.bytes " + segmentBytes + "; at least 61");
        }
        if (indexIntervalBytes < 0) {
            throw new IllegalArgumentException("index.interval.bytes " + indexIntervalBytes + "; at least 0");
        }
    }
}
