package io.tidemark.cli.drill;

import io.tidemark.history.log.Anomaly;
import io.tidemark.history.log.AnomalyType;
import io.tidemark.history.log.LogHistoryCheck;
import io.tidemark.history.log.LogVerdict;
import io.tidemark.workload.Recorder;
import io.tidemark.workload.fault.ClusterObserver;
import io.tidemark.workload.fault.FaultRecord;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All that a drill has measured; {@link DrillVerdict} judges it, the reports print it.
 *
 * @param log what the history shows of sends and reads
 * @param anomalies of the history and of the replicas, with what the nodes' logs say about their origin
 * @param lost every record that was lost, in order of partition and send
 * @param replicas what of the replicas' logs was compared with what
 * @param finalRead what was read in the end
 * @param allInSyncAfterMs from the end of load and faults until all replicas were seen in sync once more; null if they
 *     never were
 * @param acknowledgedAgain whether every partition acknowledged a record that was sent after that
 * @param times of each fault, in the order of {@code faults}
 * @param loadNanos how long load and faults went on
 * @param machine what the machine had to give meanwhile
 * @param trouble what went wrong with the run itself
 * @param interrupted whether it ended before its final read: then nothing is known about loss
 */
record DrillOutcome(
        Recorder.Totals totals,
        LogVerdict log,
        List<Anomaly> anomalies,
        List<Lost> lost,
        ReplicaEvidence replicas,
        FinalReadEvidence finalRead,
        @Nullable Long allInSyncAfterMs,
        boolean acknowledgedAgain,
        long lostOldestMs,
        Rto rto,
        List<FaultRecord> faults,
        List<FaultTimes> times,
        List<ClusterObserver.Leadership> leaderships,
        List<ClusterObserver.Controllership> controllerships,
        int isrShrinks,
        int isrExpansions,
        long loadNanos,
        Machine machine,
        List<DrillVerdict.Reason> trouble,
        boolean interrupted) {
    /** So many lost records are in the document, and the origin is looked for where no offset leads to it. */
    static final int LOST_NAMED = 100;

    /**
     * A lost record.
     *
     * @param offset where it was acknowledged, null if the acknowledgement named none
     * @param leaderEpoch null where no node's log held it any more
     * @param ackedBy null where that is not known
     * @param fault the id of the fault that took it, null where none explains it
     */
    record Lost(
            String topic,
            @Nullable Integer partition,
            @Nullable Long offset,
            @Nullable Object value,
            long ackedAtNanos,
            @Nullable Integer leaderEpoch,
            @Nullable Integer ackedBy,
            @Nullable Integer fault) {
        boolean originKnown() {
            return leaderEpoch != null;
        }
    }

    /**
     * Times to the first acknowledgement of a record sent after a fault's start, less the median latency before, over
     * all effective faults and partitions.
     *
     * @param worstMs null where there was no effective fault, or a partition never acknowledged again
     * @param medianMs null where there was no effective fault, or most never acknowledged again
     * @param resolutionMs the time between two sends to a partition: shorter interruptions count as 0
     */
    record Rto(@Nullable Long worstMs, @Nullable Long medianMs, long resolutionMs) {}

    /**
     * What a fault interrupted, in the partition that it hit hardest.
     *
     * @param rtoMs null if that partition never acknowledged again
     * @param unavailabilityMs the longest time without an acknowledgement until the cluster was whole again: the recovery
     *     time, or a later one
     */
    record FaultTimes(@Nullable Long rtoMs, long unavailabilityMs) {}

    DrillOutcome {
        anomalies = List.copyOf(anomalies);
        lost = List.copyOf(lost);
        faults = List.copyOf(faults);
        times = List.copyOf(times);
        trouble = List.copyOf(trouble);
    }

    /** What there is of a drill that was interrupted before its load began. */
    static DrillOutcome nothing(DrillConfig config) {
        return nothing(config, new Machine(0, 0, 0, -1, Runtime.getRuntime().availableProcessors()), List.of());
    }

    /**
     * What there is of a drill whose cluster did not start.
     *
     * @param machine what it had to give while the cluster was to start
     * @param why what was not ready, in a line
     */
    static DrillOutcome notStarted(DrillConfig config, Machine machine, String why) {
        return nothing(config, machine, List.of(new DrillVerdict.Reason(DrillVerdict.NOT_STARTED, why)));
    }

    private static DrillOutcome nothing(DrillConfig config, Machine machine, List<DrillVerdict.Reason> trouble) {
        return new DrillOutcome(
                new Recorder.Totals(0, 0, 0, 0, 0, 0),
                new LogHistoryCheck(config.idempotence()).verdict(),
                List.of(),
                List.of(),
                ReplicaEvidence.none(config.partitions() * config.replicationFactor()),
                FinalReadEvidence.none(config.partitions()),
                null,
                false,
                0,
                new Rto(null, null, config.workload("").resolutionMs()),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                0,
                0,
                0,
                machine,
                trouble,
                true);
    }

    /** Whether there was a cluster to put load on. */
    boolean started() {
        return trouble.stream().noneMatch(reason -> reason.code().equals(DrillVerdict.NOT_STARTED));
    }

    /**
     * Whether it is known what is lost and what is there twice. Every figure about them rests on this: a partition that
     * was not read to its end may hold what seems to be missing, or lack what nobody missed yet.
     */
    boolean lossKnown() {
        return !interrupted && finalRead.complete() && log.incomplete().isEmpty();
    }

    /** Acknowledged records that are lost; null where that is not known. */
    @Nullable
    Long lostCount() {
        return lossKnown() ? (Long) log.count(AnomalyType.LOST) : null;
    }

    /** Records that are there twice; null where that is not known. */
    @Nullable
    Long duplicatedCount() {
        return lossKnown() ? (Long) log.count(AnomalyType.DUPLICATE) : null;
    }

    /** A figure that rests on the final read, in words: what was found without a complete one is a lower bound. */
    String inWords(AnomalyType type) {
        long count = log.count(type);
        return lossKnown()
                ? DrillText.count(count)
                : count == 0 ? "unknown" : "unknown (at least " + DrillText.count(count) + ")";
    }

    /** The first lost records, those of known origin before the others. */
    List<Lost> lostNamed(int limit) {
        return lost.stream()
                .sorted(Comparator.comparing(Lost::originKnown).reversed())
                .limit(limit)
                .toList();
    }

    /** How many lost records the fault took; null where nothing is known about loss. */
    @Nullable
    Long lostBy(FaultRecord fault) {
        return !lossKnown()
                ? null
                : (Long) lost.stream()
                        .filter(each -> Integer.valueOf(fault.id()).equals(each.fault()))
                        .count();
    }

    /** Anomalies that count against the log. */
    List<Anomaly> defects() {
        return anomalies.stream().filter(anomaly -> !anomaly.allowed()).toList();
    }

    List<FaultRecord> effectiveFaults() {
        return faults.stream().filter(FaultRecord::effective).toList();
    }
}
