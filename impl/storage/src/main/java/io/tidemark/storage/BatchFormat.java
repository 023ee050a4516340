package io.tidemark.storage;

import io.tidemark.core.log.BatchHeader;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * Record batch format v2 (KIP-98), as far as the 61 bytes of its header and the checksum go. The checksum covers
 * everything from the attributes on: base offset, length, leader epoch and magic are outside of it, so a leader assigns
 * offset and epoch in place. Positions are absolute; a buffer's position and limit stay as they are.
 */
public final class BatchFormat {
    /** Size of the header, and of the smallest batch. */
    public static final int HEADER_SIZE = 61;

    private static final int LENGTH = 8;
    static final int EPOCH = 12;
    private static final int MAGIC = 16;
    private static final int CRC = 17;
    private static final int ATTRIBUTES = 21;
    private static final int LAST_OFFSET_DELTA = 23;
    private static final int MAX_TIMESTAMP = 35;
    private static final int PRODUCER_ID = 43;
    private static final int PRODUCER_EPOCH = 51;
    private static final int BASE_SEQUENCE = 53;
    private static final int COUNT = 57;

    /** Bytes before and with the length field, which it does not count. */
    static final int LENGTH_OVERHEAD = 12;

    private static final int TRANSACTIONAL = 0x10;
    private static final int CONTROL = 0x20;

    private BatchFormat() {}

    /**
     * Parses the header at {@code position} and checks all that can be checked without the records: magic, length, deltas
     * and counts. The rest of the batch need not be in the buffer.
     *
     * @param available bytes from {@code position} to the end of what may belong to the batch, in the buffer or beyond
     * @throws CorruptBatchException if it is no header or the batch is longer than {@code available}
     */
    public static BatchHeader header(ByteBuffer buffer, int position, long available) {
        if (available < HEADER_SIZE) {
            throw new CorruptBatchException("torn batch: " + available + " bytes left, a header has " + HEADER_SIZE);
        }
        byte magic = buffer.get(position + MAGIC);
        long size = (long) buffer.getInt(position + LENGTH) + LENGTH_OVERHEAD;
        if (size < HEADER_SIZE || size > Integer.MAX_VALUE) {
            throw new CorruptBatchException("batch length " + (size - LENGTH_OVERHEAD) + "; at least "
                    + (HEADER_SIZE - LENGTH_OVERHEAD) + " and below 2 GiB");
        }
        if (magic != 2) {
            throw new CorruptBatchException("magic " + magic + "; only 2 is supported");
        }
        if (size > available) {
            throw new CorruptBatchException("torn batch: " + size + " bytes announced, " + available + " left");
        }
        long baseOffset = buffer.getLong(position);
        int lastOffsetDelta = buffer.getInt(position + LAST_OFFSET_DELTA);
        if (baseOffset < 0 || lastOffsetDelta < 0 || baseOffset > Long.MAX_VALUE - 1 - lastOffsetDelta) {
            throw new CorruptBatchException("base offset " + baseOffset + ", last offset delta " + lastOffsetDelta);
        }
        int count = buffer.getInt(position + COUNT);
        if (count < 0 || count > lastOffsetDelta + 1L) {
            throw new CorruptBatchException(count + " records announced, last offset delta " + lastOffsetDelta);
        }
        int attributes = buffer.getShort(position + ATTRIBUTES);
        return new BatchHeader(
                baseOffset,
                lastOffsetDelta,
                buffer.getInt(position + EPOCH),
                (int) size,
                buffer.getLong(position + MAX_TIMESTAMP),
                buffer.getLong(position + PRODUCER_ID),
                buffer.getShort(position + PRODUCER_EPOCH),
                buffer.getInt(position + BASE_SEQUENCE),
                (attributes & TRANSACTIONAL) != 0,
                (attributes & CONTROL) != 0);
    }

    /**
     * All batches between the buffer's position and limit, each checked with its CRC32C.
     *
     * @throws CorruptBatchException if anything but whole, valid batches is there
     */
    public static List<BatchHeader> batches(ByteBuffer buffer) {
        List<BatchHeader> headers = new ArrayList<>(1);
        for (int at = buffer.position(); at < buffer.limit(); ) {
            BatchHeader header = header(buffer, at, buffer.limit() - at);
            checkCrc(buffer, at, header.sizeInBytes());
            headers.add(header);
            at += header.sizeInBytes();
        }
        return headers;
    }

    /** Checks the CRC32C of a batch that is whole in the buffer. */
    public static void checkCrc(ByteBuffer buffer, int position, int sizeInBytes) {
        int stored = buffer.getInt(position + CRC);
        int computed = crc(buffer, position, sizeInBytes);
        if (stored != computed) {
            throw crcMismatch(stored, computed);
        }
    }

    static CorruptBatchException crcMismatch(int stored, int computed) {
        return new CorruptBatchException("CRC32C is " + Integer.toUnsignedString(computed, 16) + ", the header says "
                + Integer.toUnsignedString(stored, 16));
    }

    static int storedCrc(ByteBuffer buffer, int position) {
        return buffer.getInt(position + CRC);
    }

    /** Where the bytes that the checksum covers begin, relative to the batch. */
    static final int CRC_FROM = ATTRIBUTES;

    static int crc(ByteBuffer buffer, int position, int sizeInBytes) {
        CRC32C crc = new CRC32C();
        crc.update(buffer.duplicate().limit(position + sizeInBytes).position(position + CRC_FROM));
        return (int) crc.getValue();
    }

    /** Writes what a leader assigns: base offset and partition leader epoch. The checksum stays valid. */
    public static void assign(ByteBuffer buffer, int position, long baseOffset, int leaderEpoch) {
        buffer.putLong(position, baseOffset);
        buffer.putInt(position + EPOCH, leaderEpoch);
    }
}
