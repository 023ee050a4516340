package io.tidemark.wire.batch;

import io.tidemark.wire.batch.RecordWalker.BadRecordsException;
import java.nio.ByteBuffer;

/**
 * Looks over the framing of snappy data before it is decoded: the decoder allocates what a block's length and its announced
 * size say. Raw snappy begins with its decompressed size. Java clients write a header of 16 bytes, then blocks, each a
 * 4-byte length and raw snappy; librdkafka and franz-go write raw snappy alone, which Kafka takes as well.
 */
final class SnappyBounds {
    private static final long XERIAL = 0x82534e4150505900L;
    private static final int HEADER = 16;
    /** Three bytes of snappy make 64 at the most. */
    private static final long MAX_EXPANSION = 22;

    private SnappyBounds() {}

    static void check(ByteBuffer data) throws BadRecordsException {
        if (data.remaining() < HEADER || data.getLong(data.position()) != XERIAL) {
            block(data, data.remaining());
            return;
        }
        data.position(data.position() + HEADER);
        while (data.hasRemaining()) {
            if (data.remaining() < Integer.BYTES) {
                throw new BadRecordsException("The snappy stream is cut.");
            }
            int length = data.getInt();
            if (length < 1 || length > data.remaining()) {
                throw new BadRecordsException("A snappy block has a length of " + length + ".");
            }
            block(data, length);
        }
    }

    private static void block(ByteBuffer data, int length) throws BadRecordsException {
        int end = data.position() + length;
        long size = 0;
        for (int shift = 0; shift < 35 && data.position() < end; shift += 7) {
            byte next = data.get();
            size |= (long) (next & 0x7f) << shift;
            if (next >= 0) {
                break;
            }
        }
        if (size > MAX_EXPANSION * length) {
            throw new BadRecordsException("A snappy block of " + length + " bytes cannot become " + size + ".");
        }
        data.position(end);
    }
}
