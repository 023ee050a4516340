package io.tidemark.core.log;

import java.nio.ByteBuffer;

/** Where the fields of a record batch lie, in bytes from its start: magic 2, KIP-98. */
public final class BatchLayout {
    /** Size of the header, and of the smallest batch. */
    public static final int HEADER_SIZE = 61;

    /** What the length field does not count: the base offset and itself. */
    public static final int LENGTH_OVERHEAD = 12;

    public static final int LENGTH = 8;
    public static final int EPOCH = 12;
    public static final int MAGIC = 16;
    public static final int CRC = 17;
    /** The checksum covers the batch from here on, so that a leader assigns offset and epoch in place. */
    public static final int ATTRIBUTES = 21;

    public static final int LAST_OFFSET_DELTA = 23;
    public static final int BASE_TIMESTAMP = 27;
    public static final int MAX_TIMESTAMP = 35;
    public static final int PRODUCER_ID = 43;
    public static final int PRODUCER_EPOCH = 51;
    public static final int BASE_SEQUENCE = 53;
    public static final int COUNT = 57;

    /** Bits of the attributes. */
    public static final int TRANSACTIONAL = 0x10;

    public static final int CONTROL = 0x20;

    private BatchLayout() {}

    /**
     * The header at the absolute {@code position}.
     *
     * @param sizeInBytes of the batch, as the caller has checked it
     * @throws IllegalArgumentException where the last offset delta is negative
     */
    public static BatchHeader header(ByteBuffer buffer, int position, int sizeInBytes) {
        int attributes = buffer.getShort(position + ATTRIBUTES);
        return new BatchHeader(
                buffer.getLong(position),
                buffer.getInt(position + LAST_OFFSET_DELTA),
                buffer.getInt(position + EPOCH),
                sizeInBytes,
                buffer.getLong(position + MAX_TIMESTAMP),
                buffer.getLong(position + PRODUCER_ID),
                buffer.getShort(position + PRODUCER_EPOCH),
                buffer.getInt(position + BASE_SEQUENCE),
                (attributes & TRANSACTIONAL) != 0,
                (attributes & CONTROL) != 0);
    }
}
