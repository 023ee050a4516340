package io.tidemark.simulation;

import io.tidemark.core.log.BatchHeader;
import io.tidemark.core.log.BatchLayout;
import io.tidemark.core.log.RecordBytes;
import io.tidemark.storage.BatchFormat;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.zip.CRC32C;

/** The smallest real record batches: one record, no key, a value of eight bytes. */
final class SimBatch {
    private static final int RECORD = 1 + 1 + 1 + 1 + 1 + 1 + 8 + 1;
    private static final int SIZE = BatchLayout.HEADER_SIZE + RECORD;

    private SimBatch() {}

    /** A batch as a producer sends it; producer id -1 for one that is not idempotent. */
    static RecordBytes of(long value, long timestamp, long producerId, short producerEpoch, int sequence) {
        ByteBuffer buffer = ByteBuffer.allocate(SIZE);
        buffer.putLong(0).putInt(SIZE - 12).putInt(-1).put((byte) 2).putInt(0);
        buffer.putShort((short) 0).putInt(0).putLong(timestamp).putLong(timestamp);
        buffer.putLong(producerId).putShort(producerEpoch).putInt(sequence).putInt(1);
        // Varints, zig-zag: length, attributes, timestamp delta, offset delta, key length -1, value length 8, no
        // headers.
        buffer.put((byte) ((RECORD - 1) << 1))
                .put((byte) 0)
                .put((byte) 0)
                .put((byte) 0)
                .put((byte) 1);
        buffer.put((byte) 16).putLong(value).put((byte) 0);
        CRC32C crc = new CRC32C();
        crc.update(buffer.array(), 21, SIZE - 21);
        buffer.putInt(17, (int) crc.getValue());
        return new RecordBytes(buffer.flip());
    }

    static BatchHeader header(RecordBytes batch) {
        return BatchFormat.header(batch.buffer(), 0, batch.sizeInBytes());
    }

    /** Flips a bit in the records, not the header, of one of the batches that stand in {@code bytes}; in none if none do. */
    static void corrupt(long position, byte[] bytes, RandomGenerator random) {
        if (bytes.length > BatchLayout.HEADER_SIZE) {
            int at = random.nextInt(bytes.length);
            if ((position + at) % SIZE >= BatchLayout.HEADER_SIZE) {
                bytes[at] ^= (byte) (1 << random.nextInt(8));
            }
        }
    }

    /** A record as it stands in a log. */
    record Stored(long offset, int leaderEpoch, long value) {}

    /** The records of whole batches between position and limit. */
    static List<Stored> read(ByteBuffer bytes) {
        List<Stored> records = new ArrayList<>();
        int position = bytes.position();
        for (BatchHeader header : BatchFormat.batches(bytes)) {
            long value = bytes.getLong(position + BatchLayout.HEADER_SIZE + RECORD - 9);
            records.add(new Stored(header.baseOffset(), header.leaderEpoch(), value));
            position += header.sizeInBytes();
        }
        return records;
    }
}
