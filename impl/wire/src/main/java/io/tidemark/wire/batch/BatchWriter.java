package io.tidemark.wire.batch;

import io.tidemark.core.log.RecordBytes;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.zip.CRC32C;
import org.apache.kafka.common.utils.ByteUtils;
import org.jspecify.annotations.Nullable;

/** Writes one uncompressed batch of magic 2 without a producer, as Kafka's quorum does for the metadata log. */
public final class BatchWriter {
    private static final short CONTROL = 0x20;

    private BatchWriter() {}

    /** Key and value, both from position to limit. */
    public record Entry(@Nullable ByteBuffer key, ByteBuffer value) {}

    /** Base offset and leader epoch are 0; all records have the same timestamp. */
    public static RecordBytes write(List<Entry> entries, long timestampMs, boolean control) {
        if (entries.isEmpty()) {
            throw new IllegalArgumentException("a batch must have a record");
        }
        int size = Batch.HEADER_SIZE;
        for (int i = 0; i < entries.size(); i++) {
            int body = bodySize(entries.get(i), i);
            size = Math.addExact(size, ByteUtils.sizeOfVarint(body) + body);
        }
        ByteBuffer buffer = ByteBuffer.allocate(size);
        buffer.putLong(0).putInt(size - Batch.LENGTH_OVERHEAD).putInt(0).put(Batch.MAGIC);
        int crcAt = buffer.position();
        buffer.putInt(0).putShort(control ? CONTROL : 0).putInt(entries.size() - 1);
        buffer.putLong(timestampMs).putLong(timestampMs);
        buffer.putLong(-1).putShort((short) -1).putInt(-1).putInt(entries.size());
        for (int i = 0; i < entries.size(); i++) {
            record(buffer, entries.get(i), i);
        }
        CRC32C crc = new CRC32C();
        crc.update(buffer.duplicate().flip().position(crcAt + Integer.BYTES));
        buffer.putInt(crcAt, (int) crc.getValue());
        return new RecordBytes(buffer.flip());
    }

    private static int bodySize(Entry entry, int offsetDelta) {
        ByteBuffer key = entry.key();
        return 1 // attributes
                + 1 // timestamp delta 0
                + ByteUtils.sizeOfVarint(offsetDelta)
                + (key == null ? 1 : ByteUtils.sizeOfVarint(key.remaining()) + key.remaining())
                + ByteUtils.sizeOfVarint(entry.value().remaining())
                + entry.value().remaining()
                + 1; // no headers
    }

    private static void record(ByteBuffer buffer, Entry entry, int offsetDelta) {
        ByteUtils.writeVarint(bodySize(entry, offsetDelta), buffer);
        buffer.put((byte) 0).put((byte) 0);
        ByteUtils.writeVarint(offsetDelta, buffer);
        ByteBuffer key = entry.key();
        if (key == null) {
            ByteUtils.writeVarint(-1, buffer);
        } else {
            ByteUtils.writeVarint(key.remaining(), buffer);
            buffer.put(key.duplicate());
        }
        ByteUtils.writeVarint(entry.value().remaining(), buffer);
        buffer.put(entry.value().duplicate());
        buffer.put((byte) 0);
    }
}
