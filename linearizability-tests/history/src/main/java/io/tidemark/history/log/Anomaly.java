package io.tidemark.history.log;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All anomalies of one type.
 *
 * @param allowed the client's settings permit it (a retry without idempotence), so it does not make a history invalid
 * @param first the first one found, as an example
 */
public record Anomaly(AnomalyType type, long count, boolean allowed, First first) {
    /**
     * One anomaly as an example.
     *
     * @param partition null where the key does not name one
     * @param leaderEpoch of the record in a replica's log, null where no log holds it
     * @param ackedBy the node that acknowledged it, null where unknown
     * @param operations indexes in the history
     */
    public record First(
            String topic,
            @Nullable Integer partition,
            @Nullable Long offset,
            @Nullable Object value,
            @Nullable Integer leaderEpoch,
            @Nullable Integer ackedBy,
            String explanation,
            List<Long> operations) {
        public First {
            operations = List.copyOf(operations);
        }
    }

    /** The same with what the nodes' logs say about the first one. */
    public Anomaly withOrigin(@Nullable Integer leaderEpoch, @Nullable Integer ackedBy) {
        return new Anomaly(
                type,
                count,
                allowed,
                new First(
                        first.topic,
                        first.partition,
                        first.offset,
                        first.value,
                        leaderEpoch,
                        ackedBy,
                        first.explanation,
                        first.operations));
    }
}
