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
 */
final class BoundedReadable implements Readable {
    /** A request of 2 MiB without its records names some 30,000 partitions to fetch. */
    static final int MAX_REQUEST_STRUCTURE = 2 << 20;
    /** Answers come from our own brokers, and name what we asked for. */
    static final int MAX_ANSWER_STRUCTURE = 16 << 20;

    private final ByteBuffer buffer;
    private final ByteBufferAccessor in;
    private int budget;

    BoundedReadable(ByteBuffer buffer, int budget) {
        this.buffer = buffer;
        this.in = new ByteBufferAccessor(buffer);
        this.budget = budget;
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
        return in.readInt();
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
        return in.readUnsignedVarint();
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

    @Override
    public int remaining() {
        return Math.min(buffer.remaining(), budget);
    }

    @Override
    public Readable slice() {
        return new BoundedReadable(buffer.slice(), budget);
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
