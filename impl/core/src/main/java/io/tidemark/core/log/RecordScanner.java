package io.tidemark.core.log;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Looks inside a batch, which storage does not (records may be compressed). Supplied by whoever knows the record format. Both
 * methods throw an {@link IllegalArgumentException} that says why where the batch cannot be read.
 */
public interface RecordScanner {
    /** The first record with a timestamp of at least {@code timestamp} and an offset of at least {@code fromOffset}. */
    @Nullable
    TimestampOffset firstAtOrAfter(BatchHeader header, ByteBuffer batch, long timestamp, long fromOffset);

    /** The first record with the batch's greatest timestamp, or null if the batch is empty. */
    @Nullable
    TimestampOffset maxTimestamp(BatchHeader header, ByteBuffer batch);
}
