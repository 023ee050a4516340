package io.tidemark.simulation;

import io.tidemark.core.metadata.TopicPartition;
import java.util.TreeMap;

/**
 * One partition's idempotent producer. As Kafka's, it sends in the order of sequences, again only what is first of what is
 * under way, and nothing new meanwhile.
 */
final class SimWriter {
    /** A batch of one value, sent again until it is answered. */
    static final class Batch {
        final long value;
        final int epoch;
        final int sequence;
        /** It was sent, and its answer did not come or was an error. */
        boolean again;

        private Batch(long value, int epoch, int sequence) {
            this.value = value;
            this.epoch = epoch;
            this.sequence = sequence;
        }
    }

    final TopicPartition id;
    final long producerId;
    /** Of its batches; those of earlier epochs are given up. */
    int epoch;
    /** The next value has its time already. */
    boolean nextIsDue;
    /** Nothing is sent any more. */
    boolean stopped;

    private final TreeMap<Integer, Batch> underWay = new TreeMap<>();
    private int sequence;
    /** A batch of this epoch is acknowledged: only then do brokers know where its sequences stand. */
    private boolean known;

    private long lastArrivalUs;
    private int lastAcked = -1;

    SimWriter(TopicPartition id, long producerId) {
        this.id = id;
        this.producerId = producerId;
    }

    /** Whether it is the first of what is under way. */
    boolean isFirst(Batch batch) {
        return !underWay.isEmpty() && underWay.firstEntry().getValue() == batch;
    }

    boolean mayHaveAnother(int inFlight) {
        // Behind a lost answer there is none on the same connection: what is first holds up what follows.
        return (underWay.isEmpty() || sequence - underWay.firstKey() < (known ? inFlight : 1))
                && underWay.values().stream().noneMatch(batch -> batch.again);
    }

    /** A new batch, under way from now on. */
    Batch next(long value) {
        Batch batch = new Batch(value, epoch, sequence++);
        underWay.put(batch.sequence, batch);
        return batch;
    }

    /** When what is sent now arrives, if not for what was sent before it: one connection keeps the order. */
    long arrivalUs(long earliestUs) {
        lastArrivalUs = Math.max(earliestUs, lastArrivalUs + 1);
        return lastArrivalUs;
    }

    /** A batch of this epoch is acknowledged; false if a later one was before it. */
    boolean acknowledged(Batch batch) {
        boolean inOrder = batch.sequence >= lastAcked;
        lastAcked = Math.max(lastAcked, batch.sequence);
        return inOrder;
    }

    /** The batch, of this epoch, was answered without an error: it is under way no longer. */
    void answered(Batch batch) {
        underWay.remove(batch.sequence);
        known = true;
    }

    /** A real producer gives what is under way up (it may stand in a log all the same) and starts a new epoch. */
    void beginEpoch() {
        epoch++;
        sequence = 0;
        known = false;
        lastAcked = -1;
        underWay.clear();
    }
}
