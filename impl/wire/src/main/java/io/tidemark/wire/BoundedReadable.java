package io.tidemark.wire;

import java.nio.ByteBuffer;
import java.util.List;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.Readable;
import org.apache.kafka.common.protocol.types.RawTaggedField;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.jspecify.annotations.Nullable;

/**
 * Reads a frame without trusting a length in it. Generated {@code read} methods compare an announced count with {@link
 * #remaining} before they allocate, so that answer is the cap: never more than is left of the frame, nor of the budget for
 * structure. Structure is everything but record bytes and nested requests, which are slices and cost nothing; the objects
 * made of it take up to some 20 times its size, which is why it is bounded much lower than a frame.
 *
 * <p>Kafka's hash collections probe linearly. Where a request or its answer has such collections, the sum of the squares of
 * all counts is bounded too, and an array of more than a few elements is announced by {@link LargeArrayException} at first,
 * so that its keys can be looked at.
 */
final class BoundedReadable implements Readable {
    /** A request of 2 MiB without its records names some 30,000 partitions to fetch. */
    static final int MAX_REQUEST_STRUCTURE = 2 << 20;
    /** Answers come from our own brokers, and name what we asked for. */
    static final int MAX_ANSWER_STRUCTURE = 16 << 20;

    /** 10,000 elements in one array, or 1,000 in each of 100. */
    static final long MAX_SQUARES = 100_000_000;

    /** Thrown once, before a large array is read: to be followed by a {@link KeyScan} and another try. */
    static final class LargeArrayException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        LargeArrayException() {
            super(null, null, false, false);
        }
    }

    private final ByteBuffer buffer;
    private final ByteBufferAccessor in;
    private final int largeArray;
    private int budget;
    private long squares;
    /** What was read last, if it was the count of an array. */
    private long lastCount;

    private BoundedReadable(ByteBuffer buffer, int budget, long squares, int largeArray) {
        this.buffer = buffer;
        this.in = new ByteBufferAccessor(buffer);
        this.budget = budget;
        this.squares = squares;
        this.largeArray = largeArray;
    }

    /** For messages whose arrays are lists, or come from our own nodes. */
    static BoundedReadable of(ByteBuffer buffer, int budget) {
        return new BoundedReadable(buffer, budget, Long.MAX_VALUE, Integer.MAX_VALUE);
    }

    /** For requests with hash collections; without a scan of its keys a large array ends in an exception. */
    static BoundedReadable hashing(ByteBuffer buffer, boolean scanned) {
        return new BoundedReadable(
                buffer, MAX_REQUEST_STRUCTURE, MAX_SQUARES, scanned ? Integer.MAX_VALUE : KeyScan.HARMLESS);
    }

    private void spend(int bytes) {
        if (bytes < 0 || bytes > buffer.remaining()) {
            throw new IllegalArgumentException(
                    "a length of " + bytes + " where " + buffer.remaining() + " bytes are left");
        }
        budget -= bytes;
        if (budget < 0) {
            throw new IllegalArgumentException("more structure than a frame may have");
        }
    }

    @Override
    public byte readByte() {
        spend(1);
        return in.readByte();
    }

    @Override
    public short readShort() {
        spend(2);
        return in.readShort();
    }

    @Override
    public int readInt() {
        spend(4);
        int value = in.readInt();
        lastCount = value;
        return value;
    }

    @Override
    public long readLong() {
        spend(8);
        return in.readLong();
    }

    @Override
    public double readDouble() {
        spend(8);
        return in.readDouble();
    }

    @Override
    public byte[] readArray(int length) {
        spend(length);
        return in.readArray(length);
    }

    @Override
    public int readUnsignedVarint() {
        spend(1);
        int value = in.readUnsignedVarint();
        lastCount = value - 1L;
        return value;
    }

    @Override
    public int readVarint() {
        spend(1);
        return in.readVarint();
    }

    @Override
    public long readVarlong() {
        spend(1);
        return in.readVarlong();
    }

    @Override
    public ByteBuffer readByteBuffer(int length) {
        slack(length);
        return in.readByteBuffer(length);
    }

    @Override
    public @Nullable MemoryRecords readRecords(int length) {
        if (length < 0) {
            return null;
        }
        return MemoryRecords.readableRecords(readByteBuffer(length));
    }

    private void slack(int length) {
        if (length < 0 || length > buffer.remaining()) {
            throw new IllegalArgumentException(
                    "a length of " + length + " where " + buffer.remaining() + " bytes are left");
        }
    }

    /** Asked by generated code right after a count, and by nothing else. */
    @Override
    public int remaining() {
        int most = Math.min(buffer.remaining(), budget);
        long count = Math.min(lastCount, most);
        squares -= count * count;
        if (squares < 0) {
            throw new IllegalArgumentException("more elements in its arrays than this request may have");
        }
        if (count > largeArray) {
            throw new LargeArrayException();
        }
        lastCount = 0;
        return most;
    }

    @Override
    public Readable slice() {
        return new BoundedReadable(buffer.slice(), budget, squares, largeArray);
    }

    /** Fields that this version does not know are passed over, not kept: nobody reads them. */
    @Override
    public @Nullable List<RawTaggedField> readUnknownTaggedField(
            @Nullable List<RawTaggedField> unknowns, int tag, int size) {
        slack(size);
        buffer.position(buffer.position() + size);
        return unknowns;
    }
}
