package io.tidemark.cli.drill;

import io.tidemark.history.log.Anomaly;
import io.tidemark.history.log.LogVerdict;
import io.tidemark.workload.Recorder;
import io.tidemark.workload.fault.ClusterObserver;
import io.tidemark.workload.fault.FaultRecord;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All that a drill has measured; {@link DrillVerdict} judges it, the reports print it.
 *
 * @param log what the history shows of sends and reads
 * @param anomalies of the history and of the replicas, with what the nodes' logs say about their origin
 * @param lost records that were lost, at most {@link #LOST_NAMED}, those of known origin first
 * @param replicasCompared how many replicas were compared, of {@code replicas}
 * @param finalReadComplete whether every partition was read to its end offset
 * @param allInSyncAfterMs from the end of the faults until all replicas were in sync; null if they never were
 * @param acknowledgedAgain whether every partition acknowledged a record that was sent after that
 * @param unavailability of each fault, in the order of {@code faults}
 * @param trouble what went wrong with the run itself, null if nothing did
 */
record DrillOutcome(
        Recorder.Totals totals,
        LogVerdict log,
        List<Anomaly> anomalies,
        List<Lost> lost,
        int replicas,
        int replicasCompared,
        boolean finalReadComplete,
        @Nullable Long allInSyncAfterMs,
        boolean acknowledgedAgain,
        long lostOldestMs,
        Rto rto,
        List<FaultRecord> faults,
        List<Long> unavailability,
        List<ClusterObserver.Leadership> leaderships,
        List<ClusterObserver.Controllership> controllerships,
        int isrShrinks,
        int isrExpansions,
        @Nullable String trouble) {
    /** So many lost records are named. */
    static final int LOST_NAMED = 100;

    /**
     * A lost record.
     *
     * @param offset where it was acknowledged, null if the acknowledgement named none
     * @param leaderEpoch null where no node's log held it any more
     * @param ackedBy null where that is not known
     */
    record Lost(
            String topic,
            @Nullable Integer partition,
            @Nullable Long offset,
            @Nullable Integer leaderEpoch,
            @Nullable Integer ackedBy) {}

    /**
     * Times to the first acknowledgement after a fault, over all effective faults and partitions.
     *
     * @param worstMs null where there was no effective fault, or a partition never acknowledged again
     * @param resolutionMs the time between two sends to a partition: shorter interruptions count as 0
     */
    record Rto(@Nullable Long worstMs, @Nullable Long medianMs, long resolutionMs) {}

    DrillOutcome {
        anomalies = List.copyOf(anomalies);
        lost = List.copyOf(lost);
        faults = List.copyOf(faults);
        unavailability = List.copyOf(unavailability);
    }

    List<FaultRecord> effectiveFaults() {
        return faults.stream().filter(FaultRecord::effective).toList();
    }
}
