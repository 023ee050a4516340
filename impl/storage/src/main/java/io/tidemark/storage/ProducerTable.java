package io.tidemark.storage;

import io.tidemark.core.log.BatchHeader;
import io.tidemark.core.log.ProducerEntry;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeMap;

/**
 * Producer state folded from batch headers in offset order: what a follower, a recovery or a snapshot knows. It judges
 * nothing: what is in the log was accepted.
 */
final class ProducerTable {
    /** Kafka's {@code NUM_BATCHES_TO_RETAIN}. */
    static final int BATCHES = 5;

    private final TreeMap<Long, State> producers = new TreeMap<>();
    private long maxOffset = -1;

    private static final class State {
        private short epoch;
        private long lastTimestamp;
        private final ArrayDeque<ProducerEntry.Batch> batches = new ArrayDeque<>(BATCHES + 1);
    }

    void append(BatchHeader header) {
        if (!header.hasProducer()) {
            return;
        }
        State state = producers.computeIfAbsent(header.producerId(), id -> new State());
        if (state.epoch != header.producerEpoch()) {
            state.batches.clear();
            state.epoch = header.producerEpoch();
        }
        state.lastTimestamp = header.maxTimestamp();
        maxOffset = header.lastOffset();
        if (!header.control()) {
            state.batches.addLast(new ProducerEntry.Batch(
                    header.baseSequence(),
                    header.baseSequence() < 0 ? header.baseSequence() : header.lastSequence(),
                    header.baseOffset(),
                    header.lastOffset(),
                    header.maxTimestamp()));
            if (state.batches.size() > BATCHES) {
                state.batches.removeFirst();
            }
        }
    }

    /** No producer wrote behind this offset; -1 if none wrote. */
    long maxOffset() {
        return maxOffset;
    }

    void forget(long producerId) {
        producers.remove(producerId);
    }

    /** Starts over with the state at {@code end}. */
    void load(Collection<ProducerEntry> entries, long end) {
        producers.clear();
        maxOffset = entries.isEmpty() ? -1 : end - 1;
        for (ProducerEntry entry : entries) {
            State state = new State();
            state.epoch = entry.producerEpoch();
            state.lastTimestamp = entry.lastTimestamp();
            state.batches.addAll(entry.batches());
            producers.put(entry.producerId(), state);
        }
    }

    /** By producer id. */
    List<ProducerEntry> entries() {
        List<ProducerEntry> entries = new ArrayList<>(producers.size());
        producers.forEach((id, state) ->
                entries.add(new ProducerEntry(id, state.epoch, state.lastTimestamp, List.copyOf(state.batches))));
        return entries;
    }
}
