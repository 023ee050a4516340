package io.tidemark.wire.batch;

import io.tidemark.core.log.BatchHeader;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/** The 61-byte header of a record batch of magic 2, over the buffer that holds it. */
record Batch(ByteBuffer buffer) {
    static final int HEADER_SIZE = 61;
    static final byte MAGIC = 2;
    /** Bytes that the length field does not count: base offset and the field itself. */
    static final int LENGTH_OVERHEAD = 12;

    static final int MAGIC_OFFSET = 16;
    private static final int LENGTH_OFFSET = 8;
    private static final int EPOCH_OFFSET = 12;
    private static final int CRC_OFFSET = 17;
    private static final int ATTRIBUTES_OFFSET = 21;
    private static final int LAST_OFFSET_DELTA_OFFSET = 23;
    private static final int BASE_TIMESTAMP_OFFSET = 27;
    private static final int MAX_TIMESTAMP_OFFSET = 35;
    private static final int PRODUCER_ID_OFFSET = 43;
    private static final int PRODUCER_EPOCH_OFFSET = 51;
    private static final int BASE_SEQUENCE_OFFSET = 53;
    private static final int COUNT_OFFSET = 57;

    private static final int CODEC_MASK = 0x07;
    private static final int APPEND_TIME = 0x08;
    private static final int TRANSACTIONAL = 0x10;
    private static final int CONTROL = 0x20;

    private int at(int offset) {
        return buffer.position() + offset;
    }

    long baseOffset() {
        return buffer.getLong(at(0));
    }

    int length() {
        return buffer.getInt(at(LENGTH_OFFSET));
    }

    byte magic() {
        return buffer.get(at(MAGIC_OFFSET));
    }

    short attributes() {
        return buffer.getShort(at(ATTRIBUTES_OFFSET));
    }

    int codec() {
        return attributes() & CODEC_MASK;
    }

    boolean appendTime() {
        return (attributes() & APPEND_TIME) != 0;
    }

    boolean transactional() {
        return (attributes() & TRANSACTIONAL) != 0;
    }

    boolean control() {
        return (attributes() & CONTROL) != 0;
    }

    int lastOffsetDelta() {
        return buffer.getInt(at(LAST_OFFSET_DELTA_OFFSET));
    }

    long baseTimestamp() {
        return buffer.getLong(at(BASE_TIMESTAMP_OFFSET));
    }

    long maxTimestamp() {
        return buffer.getLong(at(MAX_TIMESTAMP_OFFSET));
    }

    long producerId() {
        return buffer.getLong(at(PRODUCER_ID_OFFSET));
    }

    short producerEpoch() {
        return buffer.getShort(at(PRODUCER_EPOCH_OFFSET));
    }

    int baseSequence() {
        return buffer.getInt(at(BASE_SEQUENCE_OFFSET));
    }

    int count() {
        return buffer.getInt(at(COUNT_OFFSET));
    }

    boolean crcMatches() {
        return buffer.getInt(at(CRC_OFFSET)) == crc();
    }

    private int crc() {
        CRC32C crc = new CRC32C();
        crc.update(buffer.duplicate().position(at(ATTRIBUTES_OFFSET)));
        return (int) crc.getValue();
    }

    /** Sets what the log keeps: codec and time stamp type, no other attribute, and the greatest timestamp. */
    void stamp(boolean appendTime, long maxTimestamp) {
        short attributes = (short) (codec() | (appendTime ? APPEND_TIME : 0));
        if (attributes != attributes() || maxTimestamp != maxTimestamp()) {
            buffer.putShort(at(ATTRIBUTES_OFFSET), attributes);
            buffer.putLong(at(MAX_TIMESTAMP_OFFSET), maxTimestamp);
            buffer.putInt(at(CRC_OFFSET), crc());
        }
    }

    BatchHeader header() {
        return new BatchHeader(
                baseOffset(),
                lastOffsetDelta(),
                buffer.getInt(at(EPOCH_OFFSET)),
                buffer.remaining(),
                maxTimestamp(),
                producerId(),
                producerEpoch(),
                baseSequence(),
                transactional(),
                control());
    }
}
