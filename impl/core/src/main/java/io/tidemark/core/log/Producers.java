package io.tidemark.core.log;

import io.tidemark.core.ErrorCode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a replica remembers of idempotent producers (KIP-98): the epoch and the last five batches of each. It is a fold of
 * the log: leader, follower, storage and recovery call {@link #appended} for every batch in offset order and arrive at
 * the same state. Mutable, owned by one replica.
 */
public final class Producers {
    /** As many as a producer may have in flight ({@code max.in.flight.requests.per.connection}). */
    public static final int REMEMBERED_BATCHES = 5;

    private static final class Producer {
        final long id;
        short epoch;
        long lastTimestamp;
        final ArrayDeque<ProducerEntry.Batch> batches = new ArrayDeque<>(REMEMBERED_BATCHES);

        Producer(long id, short epoch, long lastTimestamp) {
            this.id = id;
            this.epoch = epoch;
            this.lastTimestamp = lastTimestamp;
        }
    }

    private final Map<Long, Producer> producers = new LinkedHashMap<>();

    /** Forgets all, then knows {@code entries}: of a snapshot, or of the log that a truncation left. */
    public void load(List<ProducerEntry> entries) {
        producers.clear();
        for (ProducerEntry entry : entries) {
            Producer producer = new Producer(entry.producerId(), entry.producerEpoch(), entry.lastTimestamp());
            int dropped = Math.max(0, entry.batches().size() - REMEMBERED_BATCHES);
            producer.batches.addAll(
                    entry.batches().subList(dropped, entry.batches().size()));
            producers.put(producer.id, producer);
        }
    }

    /** The remembered batch that {@code batch} repeats: same epoch, same first and last sequence; null if none. */
    public ProducerEntry.@Nullable Batch duplicateOf(BatchHeader batch) {
        Producer producer = producers.get(batch.producerId());
        if (producer == null || producer.epoch != batch.producerEpoch()) {
            return null;
        }
        for (ProducerEntry.Batch known : producer.batches) {
            if (known.baseSequence() == batch.baseSequence() && known.lastSequence() == batch.lastSequence()) {
                return known;
            }
        }
        return null;
    }

    /**
     * Whether a batch that is no duplicate may be appended.
     *
     * @return INVALID_PRODUCER_EPOCH for an older epoch; OUT_OF_ORDER_SEQUENCE_NUMBER for a gap, an old sequence, or a new
     *     epoch that does not begin at 0; else NONE. A producer without state may start anywhere: retention or deleted
     *     records may have taken what was known of it.
     */
    public ErrorCode check(BatchHeader batch) {
        Producer producer = producers.get(batch.producerId());
        if (producer == null) {
            return ErrorCode.NONE;
        }
        if (batch.producerEpoch() < producer.epoch) {
            return ErrorCode.INVALID_PRODUCER_EPOCH;
        }
        ProducerEntry.Batch last = batch.producerEpoch() == producer.epoch ? producer.batches.peekLast() : null;
        int expected = last == null ? 0 : BatchHeader.sequenceAfter(last.lastSequence(), 1);
        return batch.baseSequence() == expected ? ErrorCode.NONE : ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER;
    }

    /** A batch with its offsets is in the log; one without a producer changes nothing. */
    public void appended(BatchHeader batch) {
        if (!batch.hasProducer()) {
            return;
        }
        Producer producer = producers.get(batch.producerId());
        if (producer == null) {
            producer = new Producer(batch.producerId(), batch.producerEpoch(), batch.maxTimestamp());
            producers.put(producer.id, producer);
        }
        if (producer.epoch != batch.producerEpoch()) {
            producer.epoch = batch.producerEpoch();
            producer.batches.clear();
        }
        producer.lastTimestamp = batch.maxTimestamp();
        if (batch.control()) {
            return; // An end-of-transaction marker carries an epoch and no sequence.
        }
        if (producer.batches.size() == REMEMBERED_BATCHES) {
            producer.batches.removeFirst();
        }
        producer.batches.addLast(new ProducerEntry.Batch(
                batch.baseSequence(),
                batch.lastSequence(),
                batch.baseOffset(),
                batch.lastOffset(),
                batch.maxTimestamp()));
    }

    /** Forgets batches that do not lie wholly below {@code offset}. What they had pushed out comes back by {@link #load}. */
    public void truncateTo(long offset) {
        for (Iterator<Producer> all = producers.values().iterator(); all.hasNext(); ) {
            Producer producer = all.next();
            boolean removed = false;
            while (!producer.batches.isEmpty() && producer.batches.getLast().lastOffset() >= offset) {
                producer.batches.removeLast();
                removed = true;
            }
            if (removed && producer.batches.isEmpty()) {
                all.remove();
            }
        }
    }

    /** Forgets those whose last batch has a timestamp of at most {@code lastTimestamp}; their ids. */
    public List<Long> expire(long lastTimestamp) {
        List<Long> expired = new ArrayList<>();
        producers.values().removeIf(producer -> {
            boolean old = producer.lastTimestamp <= lastTimestamp;
            if (old) {
                expired.add(producer.id);
            }
            return old;
        });
        return expired;
    }

    /** Forgets one, if it is known. */
    public void forget(long producerId) {
        producers.remove(producerId);
    }

    public boolean isEmpty() {
        return producers.isEmpty();
    }

    /** A copy, by producer id. */
    public List<ProducerEntry> snapshot() {
        List<ProducerEntry> entries = new ArrayList<>(producers.size());
        for (Producer producer : producers.values()) {
            entries.add(new ProducerEntry(
                    producer.id, producer.epoch, producer.lastTimestamp, new ArrayList<>(producer.batches)));
        }
        entries.sort(Comparator.comparingLong(ProducerEntry::producerId));
        return entries;
    }
}
