package io.tidemark.storage;

import io.tidemark.core.log.BatchHeader;
import io.tidemark.core.log.ProducerEntry;
import io.tidemark.core.log.Producers;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Kafka's producer {@code .snapshot} file, version 1: version (int16), CRC32C of what follows (uint32), count (int32), then
 * 46 bytes an entry. Kafka writes the newest batch of each producer alone, and a batch before it that is sent again after a
 * restart is out of order; here each batch that is remembered has an entry, the newest last. Kafka's reader takes the last.
 */
final class ProducerSnapshot {
    private static final short VERSION = 1;
    private static final int CRC_END = 6;
    private static final int ENTRIES = 10;
    private static final int ENTRY_SIZE = 46;

    private ProducerSnapshot() {}

    static byte[] encode(List<ProducerEntry> producers) {
        int count = 0;
        for (ProducerEntry producer : producers) {
            count += Math.max(1, producer.batches().size());
        }
        ByteBuffer out = ByteBuffer.allocate(ENTRIES + ENTRY_SIZE * count);
        out.putShort(VERSION).putInt(0).putInt(count);
        for (ProducerEntry producer : producers) {
            List<ProducerEntry.Batch> batches = producer.batches();
            for (int i = 0; i < batches.size() - 1; i++) {
                encode(out, producer, batches.get(i), batches.get(i).timestamp());
            }
            encode(out, producer, batches.isEmpty() ? null : batches.get(batches.size() - 1), producer.lastTimestamp());
        }
        out.putInt(2, crc(out.array()));
        return out.array();
    }

    private static void encode(
            ByteBuffer out, ProducerEntry producer, ProducerEntry.@Nullable Batch batch, long timestamp) {
        out.putLong(producer.producerId()).putShort(producer.producerEpoch());
        if (batch == null) {
            out.putInt(BatchHeader.NO_SEQUENCE).putLong(-1).putInt(0);
        } else {
            out.putInt(batch.lastSequence()).putLong(batch.lastOffset());
            out.putInt((int) (batch.lastOffset() - batch.baseOffset()));
        }
        // No coordinator epoch and no open transaction: both come with transactions.
        out.putLong(timestamp).putInt(-1).putLong(-1);
    }

    /** @throws CorruptBatchException if the bytes are no whole snapshot */
    static List<ProducerEntry> decode(byte[] bytes) {
        ByteBuffer in = ByteBuffer.wrap(bytes);
        if (bytes.length < ENTRIES || in.getShort() != VERSION) {
            throw new CorruptBatchException("no producer snapshot of version 1");
        }
        if (in.getInt() != crc(bytes)) {
            throw new CorruptBatchException("producer snapshot: wrong CRC32C");
        }
        int count = in.getInt();
        if (count < 0 || (long) count * ENTRY_SIZE != in.remaining()) {
            throw new CorruptBatchException("producer snapshot: " + count + " entries in " + bytes.length + " bytes");
        }
        Map<Long, ProducerEntry> producers = new TreeMap<>();
        for (int i = 0; i < count; i++) {
            long id = in.getLong();
            short epoch = in.getShort();
            int lastSequence = in.getInt();
            long lastOffset = in.getLong();
            int offsetDelta = in.getInt();
            long timestamp = in.getLong();
            in.getInt();
            in.getLong();
            List<ProducerEntry.Batch> batches = lastOffset < 0
                    ? List.of()
                    : List.of(new ProducerEntry.Batch(
                            firstSequence(lastSequence, offsetDelta),
                            lastSequence,
                            lastOffset - offsetDelta,
                            lastOffset,
                            timestamp));
            producers.merge(id, new ProducerEntry(id, epoch, timestamp, batches), ProducerSnapshot::join);
        }
        return new ArrayList<>(producers.values());
    }

    /** A later entry of a producer adds its batch, or, of another epoch, counts alone. */
    private static ProducerEntry join(ProducerEntry before, ProducerEntry entry) {
        if (before.producerEpoch() != entry.producerEpoch()) {
            return entry;
        }
        List<ProducerEntry.Batch> batches = new ArrayList<>(before.batches());
        batches.addAll(entry.batches());
        int dropped = Math.max(0, batches.size() - Producers.REMEMBERED_BATCHES);
        return new ProducerEntry(
                entry.producerId(),
                entry.producerEpoch(),
                entry.lastTimestamp(),
                batches.subList(dropped, batches.size()));
    }

    /** Sequences wrap to 0 after {@link Integer#MAX_VALUE}. */
    private static int firstSequence(int lastSequence, int delta) {
        if (lastSequence < 0) {
            return BatchHeader.NO_SEQUENCE;
        }
        return lastSequence >= delta ? lastSequence - delta : Integer.MAX_VALUE - (delta - lastSequence) + 1;
    }

    private static int crc(byte[] bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, CRC_END, bytes.length - CRC_END);
        return (int) crc.getValue();
    }
}
