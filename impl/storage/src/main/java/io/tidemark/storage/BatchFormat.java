package io.tidemark.storage;

import io.tidemark.core.log.BatchHeader;
import io.tidemark.core.log.BatchLayout;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * Checks record batches of magic 2 as far as their header and checksum go, and assigns what a leader assigns. Positions are
 * absolute; a buffer's position and limit stay as they are.
 */
public final class BatchFormat {
    private BatchFormat() {}

    /**
     * Parses the header at {@code position} and checks all that can be checked without the records: magic, length, deltas
     * and counts. The rest of the batch need not be in the buffer.
     *
     * @param available bytes from {@code position} to the end of what may belong to the batch, in the buffer or beyond
     * @throws CorruptBatchException if it is no header or the batch is longer than {@code available}
     */
    public static BatchHeader header(ByteBuffer buffer, int position, long available) {
        if (available < BatchLayout.HEADER_SIZE) {
            throw CorruptBatchException.torn(available + " bytes left, a header has " + BatchLayout.HEADER_SIZE);
        }
        byte magic = buffer.get(position + BatchLayout.MAGIC);
        long size = (long) buffer.getInt(position + BatchLayout.LENGTH) + BatchLayout.LENGTH_OVERHEAD;
        if (size < BatchLayout.HEADER_SIZE || size > Integer.MAX_VALUE) {
            throw new CorruptBatchException("batch length " + (size - BatchLayout.LENGTH_OVERHEAD) + "; at least "
                    + (BatchLayout.HEADER_SIZE - BatchLayout.LENGTH_OVERHEAD) + " and below 2 GiB");
        }
        if (magic != 2) {
            throw new CorruptBatchException("magic " + magic + "; only 2 is supported");
        }
        if (size > available) {
            throw CorruptBatchException.torn(size + " bytes announced, " + available + " left");
        }
        long baseOffset = buffer.getLong(position);
        int lastOffsetDelta = buffer.getInt(position + BatchLayout.LAST_OFFSET_DELTA);
        if (baseOffset < 0 || lastOffsetDelta < 0 || baseOffset > Long.MAX_VALUE - 1 - lastOffsetDelta) {
            throw new CorruptBatchException("base offset " + baseOffset + ", last offset delta " + lastOffsetDelta);
        }
        int count = buffer.getInt(position + BatchLayout.COUNT);
        if (count < 0 || count > lastOffsetDelta + 1L) {
            throw new CorruptBatchException(count + " records announced, last offset delta " + lastOffsetDelta);
        }
        return BatchLayout.header(buffer, position, (int) size);
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
        int stored = buffer.getInt(position + BatchLayout.CRC);
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
        return buffer.getInt(position + BatchLayout.CRC);
    }

    static int crc(ByteBuffer buffer, int position, int sizeInBytes) {
        CRC32C crc = new CRC32C();
        crc.update(buffer.duplicate().limit(position + sizeInBytes).position(position + BatchLayout.ATTRIBUTES));
        return (int) crc.getValue();
    }

    /** Writes what a leader assigns: base offset and partition leader epoch. The checksum stays valid. */
    public static void assign(ByteBuffer buffer, int position, long baseOffset, int leaderEpoch) {
        buffer.putLong(position, baseOffset);
        buffer.putInt(position + BatchLayout.EPOCH, leaderEpoch);
    }
}
