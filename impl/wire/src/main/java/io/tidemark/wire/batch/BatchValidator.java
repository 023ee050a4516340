package io.tidemark.wire.batch;

import io.tidemark.core.ErrorCode;
import io.tidemark.core.log.BatchHeader;
import io.tidemark.core.log.BatchLayout;
import io.tidemark.core.log.RecordBytes;
import io.tidemark.wire.batch.RecordWalker.BadRecordsException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Checks what a client produces to one partition, wholly, before the core sees it. Errors are Kafka's; where Kafka takes
 * what it later cannot serve (offset deltas out of order, negative lengths) the batch is refused.
 */
public final class BatchValidator {
    private static final short FIRST_VERSION_WITH_ZSTD = 7;
    private static final int ZSTD = 4;
    /** Below it a length field cannot be that of a batch of any magic. */
    private static final int SMALLEST_LENGTH = 14;

    private BatchValidator() {}

    /**
     * A checked batch, or why it was refused.
     *
     * @param header null exactly with an error
     * @param records the batch alone: a slice of what was given
     */
    public record Result(
            ErrorCode error,
            @Nullable String message,
            @Nullable BatchHeader header,
            RecordBytes records) {}

    /** Carries an error out of the checks. */
    private static final class Refusal extends Exception {
        private static final long serialVersionUID = 1L;

        private final ErrorCode error;

        Refusal(ErrorCode error, String message) {
            super(message, null, false, false);
            this.error = error;
        }
    }

    /**
     * One batch as a leader may append it. Its greatest timestamp and time stamp type are set as the topic demands, in
     * place.
     *
     * @param records null where the request had none; bytes behind the batch that are no whole batch are cut off, as
     *     Kafka does
     * @param version of the produce request
     * @param nowMs wall clock, ms since 1970
     */
    public static Result validate(@Nullable ByteBuffer records, ProduceRules rules, short version, long nowMs) {
        try {
            ByteBuffer batch = onlyBatch(records);
            Batch header = new Batch(batch);
            checkHeader(header, rules, version);
            long maxTimestamp = walk(batch, rules, nowMs);
            header.stamp(rules.logAppendTime(), rules.logAppendTime() ? nowMs : maxTimestamp);
            return new Result(ErrorCode.NONE, null, header.header(), new RecordBytes(batch));
        } catch (Refusal e) {
            return new Result(e.error, e.getMessage(), null, RecordBytes.EMPTY);
        } catch (BadRecordsException e) {
            return new Result(ErrorCode.INVALID_RECORD, e.getMessage(), null, RecordBytes.EMPTY);
        }
    }

    private static ByteBuffer onlyBatch(@Nullable ByteBuffer records) throws Refusal {
        int size = records == null ? 0 : wholeBatch(records);
        if (records == null || size == 0) {
            throw new Refusal(
                    ErrorCode.INVALID_RECORD, "A produce request must have one record batch for each partition.");
        }
        ByteBuffer batch = records.slice(records.position(), size);
        if (new Batch(batch).magic() != Batch.MAGIC) {
            throw new Refusal(
                    ErrorCode.INVALID_RECORD,
                    "A produce request may only contain record batches with magic version 2.");
        }
        ByteBuffer rest = records.slice(records.position() + size, records.remaining() - size);
        if (wholeBatch(rest) > 0) {
            throw new Refusal(
                    ErrorCode.INVALID_RECORD,
                    "A produce request may only contain one record batch for each partition.");
        }
        return batch;
    }

    /** Size of the batch at the buffer's start; 0 where none is whole. */
    private static int wholeBatch(ByteBuffer buffer) throws Refusal {
        if (buffer.remaining() < BatchLayout.LENGTH_OVERHEAD) {
            return 0;
        }
        Batch batch = new Batch(buffer);
        int length = batch.length();
        if (length < SMALLEST_LENGTH) {
            throw new Refusal(ErrorCode.CORRUPT_MESSAGE, "A record batch has a length of " + length + ".");
        }
        if (buffer.remaining() <= BatchLayout.MAGIC) {
            return 0;
        }
        if (batch.magic() < 0 || batch.magic() > Batch.MAGIC) {
            throw new Refusal(ErrorCode.CORRUPT_MESSAGE, "A record batch has magic " + batch.magic() + ".");
        }
        return length > buffer.remaining() - BatchLayout.LENGTH_OVERHEAD ? 0 : length + BatchLayout.LENGTH_OVERHEAD;
    }

    private static void checkHeader(Batch batch, ProduceRules rules, short version) throws Refusal {
        int size = batch.buffer().remaining();
        if (size < BatchLayout.HEADER_SIZE) {
            throw new Refusal(ErrorCode.CORRUPT_MESSAGE, "A record batch of " + size + " bytes has no whole header.");
        }
        if (size > rules.maxMessageBytes()) {
            throw new Refusal(
                    ErrorCode.MESSAGE_TOO_LARGE,
                    "The record batch size is " + size + " bytes which exceeds the maximum configured size of "
                            + rules.maxMessageBytes() + ".");
        }
        if (!batch.crcMatches()) {
            throw new Refusal(ErrorCode.CORRUPT_MESSAGE, "The record batch is corrupt: its CRC does not match.");
        }
        if (batch.codec() > ZSTD || (batch.codec() == ZSTD && version < FIRST_VERSION_WITH_ZSTD)) {
            throw new Refusal(
                    ErrorCode.UNSUPPORTED_COMPRESSION_TYPE,
                    "Compression type " + batch.codec() + " is not known to version " + version
                            + " of a produce request.");
        }
        String problem = headerProblem(batch);
        if (problem != null) {
            throw new Refusal(ErrorCode.INVALID_RECORD, problem);
        }
    }

    private static @Nullable String headerProblem(Batch batch) {
        if (batch.baseOffset() != 0) {
            return "The base offset of a produced batch must be 0, but it is " + batch.baseOffset() + ".";
        }
        if (batch.control()) {
            return "Clients are not allowed to write control records.";
        }
        if (batch.transactional()) {
            return "Transactions are not served.";
        }
        if (batch.count() < 1 || batch.lastOffsetDelta() != batch.count() - 1) {
            return "A batch of " + batch.count() + " records has a last offset delta of " + batch.lastOffsetDelta()
                    + ".";
        }
        if (batch.producerId() < BatchHeader.NO_PRODUCER_ID) {
            return "The producer id must be -1 or more, but it is " + batch.producerId() + ".";
        }
        if (batch.producerId() >= 0 && (batch.baseSequence() < 0 || batch.producerEpoch() < 0)) {
            return "A batch of producer " + batch.producerId() + " has epoch " + batch.producerEpoch()
                    + " and sequence " + batch.baseSequence() + "; both must be 0 or more.";
        }
        return null;
    }

    /** The greatest timestamp of the records, -1 if all are below. */
    private static long walk(ByteBuffer batch, ProduceRules rules, long nowMs) throws Refusal, BadRecordsException {
        long max = -1;
        try (RecordWalker records = new RecordWalker(batch)) {
            while (records.next()) {
                long timestamp = records.timestamp();
                max = Math.max(max, timestamp);
                if (rules.compacted() && !records.hasKey()) {
                    throw new Refusal(
                            ErrorCode.INVALID_RECORD,
                            "Compacted topic cannot accept message without key: record " + records.index() + ".");
                }
                if (!rules.logAppendTime() && timestamp != -1 && outside(timestamp, rules, nowMs)) {
                    throw new Refusal(
                            ErrorCode.INVALID_TIMESTAMP,
                            "Timestamp " + timestamp + " of record " + records.index() + " is out of range: at most "
                                    + rules.timestampBeforeMaxMs() + " ms before and " + rules.timestampAfterMaxMs()
                                    + " ms after " + nowMs + ".");
                }
            }
        }
        return max;
    }

    private static boolean outside(long timestamp, ProduceRules rules, long nowMs) {
        if (timestamp > nowMs) {
            long after = timestamp - nowMs;
            return after < 0 || after > rules.timestampAfterMaxMs();
        }
        long before = nowMs - timestamp;
        return before < 0 || before > rules.timestampBeforeMaxMs();
    }
}
