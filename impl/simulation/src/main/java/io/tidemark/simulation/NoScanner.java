package io.tidemark.simulation;

import io.tidemark.core.log.BatchHeader;
import io.tidemark.storage.RecordScanner;
import io.tidemark.storage.TimestampOffset;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Simulated clients ask for no offsets by time. */
enum NoScanner implements RecordScanner {
    INSTANCE;

    @Override
    public @Nullable TimestampOffset firstAtOrAfter(
            BatchHeader header, ByteBuffer batch, long timestamp, long fromOffset) {
        return null;
    }

    @Override
    public @Nullable TimestampOffset maxTimestamp(BatchHeader header, ByteBuffer batch) {
        return null;
    }
}
