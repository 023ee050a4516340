package io.tidemark.core.log;

/**
 * The part of a record batch (magic 2) that the protocol decides on.
 *
 * @param baseOffset offset of the first record; in a batch that a producer sent it is not assigned yet (0 by convention)
 * @param lastOffsetDelta last offset minus base offset, at least 0
 * @param leaderEpoch epoch of the leader that appended it; -1 in a batch that a producer sent
 * @param sizeInBytes the whole batch, header included
 * @param maxTimestamp greatest timestamp of its records, ms since 1970, or -1
 * @param producerId id of an idempotent producer, or -1
 * @param producerEpoch its epoch, or -1
 * @param baseSequence sequence of the first record, or -1
 * @param transactional whether it belongs to a transaction
 * @param control whether it holds control records
 */
public record BatchHeader(
        long baseOffset,
        int lastOffsetDelta,
        int leaderEpoch,
        int sizeInBytes,
        long maxTimestamp,
        long producerId,
        short producerEpoch,
        int baseSequence,
        boolean transactional,
        boolean control) {

    public static final long NO_PRODUCER_ID = -1L;
    public static final short NO_PRODUCER_EPOCH = -1;
    public static final int NO_SEQUENCE = -1;

    public BatchHeader {
        if (lastOffsetDelta < 0) {
            throw new IllegalArgumentException("lastOffsetDelta " + lastOffsetDelta + " is negative");
        }
    }

    public long lastOffset() {
        return baseOffset + lastOffsetDelta;
    }

    /** The offset after the last one. */
    public long nextOffset() {
        return baseOffset + lastOffsetDelta + 1;
    }

    public int count() {
        return lastOffsetDelta + 1;
    }

    public boolean hasProducer() {
        return producerId != NO_PRODUCER_ID;
    }

    /** Sequence of the last record; sequences wrap to 0 after {@link Integer#MAX_VALUE}; -1 without sequences. */
    public int lastSequence() {
        return baseSequence < 0 ? baseSequence : sequenceAfter(baseSequence, lastOffsetDelta);
    }

    /** The sequence {@code increment} records after {@code sequence}, wrapped as Kafka does. */
    public static int sequenceAfter(int sequence, int increment) {
        return sequence > Integer.MAX_VALUE - increment
                ? increment - (Integer.MAX_VALUE - sequence) - 1
                : sequence + increment;
    }

    /** The same batch as a leader appends it. */
    public BatchHeader assigned(long offset, int epoch) {
        return new BatchHeader(
                offset,
                lastOffsetDelta,
                epoch,
                sizeInBytes,
                maxTimestamp,
                producerId,
                producerEpoch,
                baseSequence,
                transactional,
                control);
    }
}
