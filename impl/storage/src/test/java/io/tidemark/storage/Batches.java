package io.tidemark.storage;

import io.tidemark.core.log.BatchHeader;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Builds valid record batches: real v2 records, uncompressed, so that Kafka's tools read them as well. */
final class Batches {
    private Batches() {}

    record Spec(long base, int count, int epoch, int payload, long timestamp, long pid, short pepoch, int seq) {
        static Spec of(long base, int count, int epoch) {
            return new Spec(base, count, epoch, 10, 1_000 + base, -1, (short) -1, -1);
        }

        Spec payload(int bytes) {
            return new Spec(base, count, epoch, bytes, timestamp, pid, pepoch, seq);
        }

        Spec timestamp(long ms) {
            return new Spec(base, count, epoch, payload, ms, pid, pepoch, seq);
        }

        Spec producer(long id, int producerEpoch, int sequence) {
            return new Spec(base, count, epoch, payload, timestamp, id, (short) producerEpoch, sequence);
        }

        ByteBuffer build() {
            ByteArrayOutputStream records = new ByteArrayOutputStream();
            for (int i = 0; i < count; i++) {
                byte[] value = "v%d.%d."
                        .formatted(base + i, epoch)
                        .concat("x".repeat(payload))
                        .getBytes(StandardCharsets.UTF_8);
                ByteArrayOutputStream record = new ByteArrayOutputStream();
                record.write(0);
                varint(record, i); // timestamp delta: one ms a record
                varint(record, i);
                varint(record, -1);
                varint(record, value.length);
                record.writeBytes(value);
                varint(record, 0);
                varint(records, record.size());
                records.writeBytes(record.toByteArray());
            }
            ByteBuffer batch = ByteBuffer.allocate(61 + records.size());
            batch.putLong(base)
                    .putInt(batch.capacity() - 12)
                    .putInt(epoch)
                    .put((byte) 2)
                    .putInt(0);
            batch.putShort((short) 0).putInt(count - 1).putLong(timestamp).putLong(timestamp + count - 1);
            batch.putLong(pid).putShort(pepoch).putInt(seq).putInt(count).put(records.toByteArray());
            batch.flip();
            batch.putInt(17, BatchFormat.crc(batch, 0, batch.limit()));
            return batch;
        }
    }

    private static void varint(ByteArrayOutputStream out, int value) {
        int zigzag = (value << 1) ^ (value >> 31);
        while ((zigzag & ~0x7f) != 0) {
            out.write((zigzag & 0x7f) | 0x80);
            zigzag >>>= 7;
        }
        out.write(zigzag);
    }

    static BatchHeader header(ByteBuffer batch) {
        return BatchFormat.header(batch, batch.position(), batch.remaining());
    }

    static boolean append(PartitionLog log, Spec spec) {
        ByteBuffer batch = spec.build();
        return log.append(header(batch), batch);
    }

    static boolean append(PartitionLog log, List<Spec> specs) {
        ByteBuffer all = concat(specs.stream().map(Spec::build).toList());
        return log.append(BatchFormat.batches(all), all);
    }

    static ByteBuffer concat(List<ByteBuffer> batches) {
        ByteBuffer all = ByteBuffer.allocate(
                batches.stream().mapToInt(ByteBuffer::remaining).sum());
        batches.forEach(batch -> all.put(batch.duplicate()));
        return all.flip();
    }
}
