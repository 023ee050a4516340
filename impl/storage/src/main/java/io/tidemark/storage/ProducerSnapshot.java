package io.tidemark.storage;

import io.tidemark.core.log.BatchHeader;
import io.tidemark.core.log.ProducerEntry;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * Kafka's producer {@code .snapshot} file, version 1: version (int16), CRC32C of what follows (uint32), count (int32), then
 * 46 bytes an entry. It keeps the newest batch of each producer alone.
 */
final class ProducerSnapshot {
    private static final short VERSION = 1;
    private static final int CRC_END = 6;
    private static final int ENTRIES = 10;
    private static final int ENTRY_SIZE = 46;

    private ProducerSnapshot() {}

    static byte[] encode(List<ProducerEntry> producers) {
        ByteBuffer out = ByteBuffer.allocate(ENTRIES + ENTRY_SIZE * producers.size());
        out.putShort(VERSION).putInt(0).putInt(producers.size());
        for (ProducerEntry producer : producers) {
            List<ProducerEntry.Batch> batches = producer.batches();
            out.putLong(producer.producerId()).putShort(producer.producerEpoch());
            if (batches.isEmpty()) {
                out.putInt(BatchHeader.NO_SEQUENCE).putLong(-1).putInt(0);
            } else {
                ProducerEntry.Batch last = batches.get(batches.size() - 1);
                out.putInt(last.lastSequence()).putLong(last.lastOffset());
                out.putInt((int) (last.lastOffset() - last.baseOffset()));
            }
            // No coordinator epoch and no open transaction: both come with transactions.
            out.putLong(producer.lastTimestamp()).putInt(-1).putLong(-1);
        }
        out.putInt(2, crc(out.array()));
        return out.array();
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
        List<ProducerEntry> producers = new ArrayList<>(count);
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
            producers.add(new ProducerEntry(id, epoch, timestamp, batches));
        }
        return producers;
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
