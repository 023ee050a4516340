package io.tidemark.wire.batch;

import io.tidemark.core.log.BatchHeader;
import io.tidemark.core.log.BatchLayout;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/** The 61-byte header of a record batch of magic 2, over the buffer that holds it. */
record Batch(ByteBuffer buffer) {
    static final byte MAGIC = 2;

    private static final int CODEC_MASK = 0x07;
    private static final int APPEND_TIME = 0x08;

    private int at(int offset) {
        return buffer.position() + offset;
    }

    long baseOffset() {
        return buffer.getLong(at(0));
    }

    int length() {
        return buffer.getInt(at(BatchLayout.LENGTH));
    }

    byte magic() {
        return buffer.get(at(BatchLayout.MAGIC));
    }

    short attributes() {
        return buffer.getShort(at(BatchLayout.ATTRIBUTES));
    }

    int codec() {
        return attributes() & CODEC_MASK;
    }

    boolean appendTime() {
        return (attributes() & APPEND_TIME) != 0;
    }

    boolean transactional() {
        return (attributes() & BatchLayout.TRANSACTIONAL) != 0;
    }

    boolean control() {
        return (attributes() & BatchLayout.CONTROL) != 0;
    }

    int lastOffsetDelta() {
        return buffer.getInt(at(BatchLayout.LAST_OFFSET_DELTA));
    }

    long baseTimestamp() {
        return buffer.getLong(at(BatchLayout.BASE_TIMESTAMP));
    }

    long maxTimestamp() {
        return buffer.getLong(at(BatchLayout.MAX_TIMESTAMP));
    }

    long producerId() {
        return buffer.getLong(at(BatchLayout.PRODUCER_ID));
    }

    short producerEpoch() {
        return buffer.getShort(at(BatchLayout.PRODUCER_EPOCH));
    }

    int baseSequence() {
        return buffer.getInt(at(BatchLayout.BASE_SEQUENCE));
    }

    int count() {
        return buffer.getInt(at(BatchLayout.COUNT));
    }

    boolean crcMatches() {
        return buffer.getInt(at(BatchLayout.CRC)) == crc();
    }

    private int crc() {
        CRC32C crc = new CRC32C();
        crc.update(buffer.duplicate().position(at(BatchLayout.ATTRIBUTES)));
        return (int) crc.getValue();
    }

    /** Sets what the log keeps: codec and time stamp type, no other attribute, and the greatest timestamp. */
    void stamp(boolean appendTime, long maxTimestamp) {
        short attributes = (short) (codec() | (appendTime ? APPEND_TIME : 0));
        if (attributes != attributes() || maxTimestamp != maxTimestamp()) {
            buffer.putShort(at(BatchLayout.ATTRIBUTES), attributes);
            buffer.putLong(at(BatchLayout.MAX_TIMESTAMP), maxTimestamp);
            buffer.putInt(at(BatchLayout.CRC), crc());
        }
    }

    BatchHeader header() {
        return BatchLayout.header(buffer, buffer.position(), buffer.remaining());
    }
}
