package io.tidemark.cli.drill;

import io.tidemark.history.HistoryReader;
import io.tidemark.history.KafkaOps;
import io.tidemark.history.log.Anomaly;
import io.tidemark.history.log.LogHistoryCheck;
import io.tidemark.history.log.LogVerdict;
import io.tidemark.workload.Recorder;
import io.tidemark.workload.WorkloadConfig;
import io.tidemark.workload.fault.ClusterObserver;
import io.tidemark.workload.fault.FaultRecord;
import io.tidemark.workload.fault.Nemesis;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Makes the outcome of a drill out of what its parts have recorded. */
record Measured(
        DrillConfig config,
        DrillCluster cluster,
        Path history,
        WorkloadConfig load,
        Recorder recorder,
        ClusterObserver observer,
        Nemesis nemesis,
        LostOrigins origins,
        Pulse pulse) {
    /** Who interrupts a drill does not want to wait long for its report. */
    private static final long CHECK_NANOS = TimeUnit.SECONDS.toNanos(10);

    /** Is told what goes on, with how far it is. */
    interface Stage {
        /**
         * Something begins.
         *
         * @param limit how long it may take
         * @param done how far it is, asked for by another thread
         */
        void begins(String what, Duration limit, Supplier<String> done);
    }

    /**
     * After the final read: checks the history, compares the replicas.
     *
     * @param extents what was read of each partition whose end offset is known
     * @param operations in the history
     */
    DrillOutcome outcome(
            Map<Integer, KafkaOps.Extent> extents,
            @Nullable Long allInSyncAfterMs,
            boolean acknowledgedAgain,
            List<DrillVerdict.Reason> trouble,
            long loadNanos,
            long operations,
            Stage stage)
            throws InterruptedException, IOException {
        LogHistoryCheck check = new LogHistoryCheck(config.idempotence());
        String unchecked = check(check, operations, stage);
        LogVerdict verdict = check.verdict();
        ReplicaComparison replicas = new ReplicaComparison(cluster.target(), check);
        stage.begins(
                "comparing replicas",
                DrillRun.COMPARE_LIMIT,
                () -> replicas.compared() + " of " + config.partitions() * config.replicationFactor());
        replicas.compare(observer.partitions(), extents, System.nanoTime() + DrillRun.COMPARE_LIMIT.toNanos());
        List<Anomaly> anomalies = new ArrayList<>(verdict.anomalies());
        anomalies.addAll(replicas.anomalies());
        return outcome(
                verdict,
                anomalies,
                replicas.evidence(config.partitions() * config.replicationFactor()),
                FinalReadEvidence.of(config.partitions(), extents, unchecked),
                allInSyncAfterMs,
                acknowledgedAgain,
                trouble,
                loadNanos,
                false);
    }

    /** Why not all of the history was checked, null if it was. */
    private @Nullable String check(LogHistoryCheck check, long operations, Stage stage) throws IOException {
        AtomicLong done = new AtomicLong();
        stage.begins(
                "checking the history",
                DrillRun.CHECK_LIMIT,
                () -> DrillText.count(done.get()) + " of " + DrillText.count(operations) + " operations");
        long deadline = System.nanoTime() + DrillRun.CHECK_LIMIT.toNanos();
        boolean all = HistoryReader.readWhile(history, operation -> {
            check.accept(operation);
            done.incrementAndGet();
            return System.nanoTime() - deadline < 0;
        });
        return all
                ? null
                : DrillText.count(done.get()) + " of " + DrillText.count(operations)
                        + " operations of the history were checked in " + DrillRun.CHECK_LIMIT.toSeconds() + " s";
    }

    /** Before the final read, the history closed: what was seen until then, as much as can be checked in short time. */
    DrillOutcome interrupted() throws IOException {
        LogHistoryCheck check = new LogHistoryCheck(config.idempotence());
        long deadline = System.nanoTime() + CHECK_NANOS;
        var unused = HistoryReader.readWhile(history, operation -> {
            check.accept(operation);
            return System.nanoTime() - deadline < 0;
        });
        LogVerdict verdict = check.verdict();
        return outcome(
                verdict,
                verdict.anomalies(),
                ReplicaEvidence.none(config.partitions() * config.replicationFactor()),
                FinalReadEvidence.none(config.partitions()),
                null,
                false,
                List.of(),
                recorder.elapsedNanos(),
                true);
    }

    private DrillOutcome outcome(
            LogVerdict verdict,
            List<Anomaly> found,
            ReplicaEvidence replicas,
            FinalReadEvidence finalRead,
            @Nullable Long allInSyncAfterMs,
            boolean acknowledgedAgain,
            List<DrillVerdict.Reason> trouble,
            long loadNanos,
            boolean interrupted) {
        List<ClusterObserver.Leadership> leaderships = observer.leaderships();
        List<Anomaly> anomalies = new ArrayList<>(found);
        if (!anomalies.isEmpty()) {
            cluster.target().nodes().forEach(origins::keep);
        }
        anomalies.replaceAll(anomaly -> origins.explain(anomaly, leaderships));
        List<FaultRecord> faults = nemesis.records();
        return new DrillOutcome(
                recorder.totals(),
                verdict,
                anomalies,
                origins.explain(verdict.lost(), leaderships, faults),
                replicas,
                finalRead,
                allInSyncAfterMs,
                acknowledgedAgain,
                DrillTimes.oldestLostMs(verdict.lost(), faults, leaderships, recorder.elapsedNanos()),
                DrillTimes.rto(recorder, faults, config.partitions(), load.resolutionMs()),
                faults,
                DrillTimes.ofFaults(recorder, faults, config.partitions(), load.resolutionMs()),
                leaderships,
                observer.controllerships(),
                observer.isrShrinks(),
                observer.isrExpansions(),
                loadNanos,
                pulse.machine(),
                trouble,
                interrupted);
    }
}
