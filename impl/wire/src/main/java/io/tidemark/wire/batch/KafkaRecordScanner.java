package io.tidemark.wire.batch;

import io.tidemark.core.log.BatchHeader;
import io.tidemark.core.log.RecordScanner;
import io.tidemark.core.log.TimestampOffset;
import io.tidemark.wire.batch.RecordWalker.BadRecordsException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Finds records by timestamp inside one batch of the log; throws {@link IllegalArgumentException} where it cannot be read. */
public final class KafkaRecordScanner implements RecordScanner {
    @Override
    public @Nullable TimestampOffset firstAtOrAfter(
            BatchHeader header, ByteBuffer batch, long timestamp, long fromOffset) {
        boolean appendTime = new Batch(batch).appendTime();
        try (RecordWalker records = new RecordWalker(batch)) {
            while (records.next()) {
                long at = appendTime ? header.maxTimestamp() : records.timestamp();
                long offset = header.baseOffset() + records.index();
                if (at >= timestamp && offset >= fromOffset) {
                    return new TimestampOffset(at, offset, header.leaderEpoch());
                }
            }
            return null;
        } catch (BadRecordsException e) {
            throw new IllegalArgumentException("batch at offset " + header.baseOffset() + ": " + e.getMessage(), e);
        }
    }

    @Override
    public @Nullable TimestampOffset maxTimestamp(BatchHeader header, ByteBuffer batch) {
        return firstAtOrAfter(header, batch, header.maxTimestamp(), header.baseOffset());
    }
}
