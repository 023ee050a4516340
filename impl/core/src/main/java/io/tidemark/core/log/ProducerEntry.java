package io.tidemark.core.log;

import java.util.List;

/**
 * What a replica remembers of one idempotent producer: a row of Kafka's producer {@code .snapshot} file.
 *
 * @param lastTimestamp ms since 1970 of its last batch, for expiration
 * @param batches the last batches in offset order, oldest first, at most five; a snapshot file keeps the newest alone
 */
public record ProducerEntry(long producerId, short producerEpoch, long lastTimestamp, List<Batch> batches) {
    public ProducerEntry {
        batches = List.copyOf(batches);
    }

    /** Sequences and offsets of one remembered batch. */
    public record Batch(int baseSequence, int lastSequence, long baseOffset, long lastOffset, long timestamp) {}
}
