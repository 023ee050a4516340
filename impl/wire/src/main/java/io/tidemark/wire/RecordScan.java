package io.tidemark.wire;

import io.tidemark.wire.RecordWalker.BadRecordsException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Finds records by timestamp inside one batch of the log. */
public final class RecordScan {
    private RecordScan() {}

    /** A record found; timestamp in ms since 1970. */
    public record Found(long timestamp, long offset) {}

    /**
     * The first record with a timestamp of at least {@code timestamp} and an offset of at least {@code fromOffset}, or null.
     *
     * @param batch one whole batch, between position and limit
     * @param baseOffset of the batch
     * @throws IllegalArgumentException where its records cannot be read
     */
    public static @Nullable Found firstAtOrAfter(ByteBuffer batch, long baseOffset, long timestamp, long fromOffset) {
        Batch header = new Batch(batch);
        try (RecordWalker records = new RecordWalker(batch)) {
            while (records.next()) {
                long at = header.appendTime() ? header.maxTimestamp() : records.timestamp();
                if (at >= timestamp && baseOffset + records.index() >= fromOffset) {
                    return new Found(at, baseOffset + records.index());
                }
            }
            return null;
        } catch (BadRecordsException e) {
            throw new IllegalArgumentException("batch at offset " + baseOffset + ": " + e.getMessage(), e);
        }
    }

    /** The first record with the batch's greatest timestamp, or null if the batch has no records. */
    public static @Nullable Found maxTimestamp(ByteBuffer batch, long baseOffset) {
        return firstAtOrAfter(batch, baseOffset, new Batch(batch).maxTimestamp(), baseOffset);
    }
}
