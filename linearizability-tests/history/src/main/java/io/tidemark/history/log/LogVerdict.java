package io.tidemark.history.log;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What {@link LogHistoryCheck} found.
 *
 * @param lost every record lost, in order of partition and send
 * @param incomplete the partitions without a complete final read: nothing is said about loss there
 * @param unseen the acknowledged records that no reader saw and no complete final read could hold; null if there are none
 */
public record LogVerdict(
        Outcome outcome,
        Counts counts,
        List<Anomaly> anomalies,
        List<LostRecord> lost,
        List<String> incomplete,
        @Nullable Anomaly unseen) {
    /** UNKNOWN: nothing wrong was found, but a final read is missing or cut short. */
    public enum Outcome {
        VALID,
        INVALID,
        UNKNOWN
    }

    /**
     * Records, each counted once.
     *
     * @param indeterminate may or may not have been appended: :info, or never completed
     * @param polled records returned to the readers, the final read's included
     * @param unjudged acknowledged, but not in a final read that was cut short
     */
    public record Counts(
            long attempted, long acknowledged, long failed, long indeterminate, long polled, long unjudged) {}

    public LogVerdict {
        anomalies = List.copyOf(anomalies);
        lost = List.copyOf(lost);
        incomplete = List.copyOf(incomplete);
    }

    public long count(AnomalyType type) {
        return anomalies.stream()
                .filter(a -> a.type() == type)
                .mapToLong(Anomaly::count)
                .sum();
    }

    public long count(AnomalyType.Group group) {
        return anomalies.stream()
                .filter(a -> a.type().group() == group)
                .mapToLong(Anomaly::count)
                .sum();
    }
}
