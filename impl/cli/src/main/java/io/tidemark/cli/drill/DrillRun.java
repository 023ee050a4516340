package io.tidemark.cli.drill;

import io.tidemark.cli.contract.Progress;
import io.tidemark.history.HistoryWriter;
import io.tidemark.history.KafkaOps;
import io.tidemark.workload.AckTimeline;
import io.tidemark.workload.Recorder;
import io.tidemark.workload.Workload;
import io.tidemark.workload.WorkloadConfig;
import io.tidemark.workload.fault.ClusterObserver;
import io.tidemark.workload.fault.FaultKind;
import io.tidemark.workload.fault.FaultPlan;
import io.tidemark.workload.fault.FaultRecord;
import io.tidemark.workload.fault.FaultSpec;
import io.tidemark.workload.fault.LeaderElection;
import io.tidemark.workload.fault.Nemesis;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One drill against a cluster that serves: load, faults, healing, final read, comparison, check. */
final class DrillRun {
    /** How long the final read may take. */
    static final Duration FINAL_READ_LIMIT = Duration.ofMinutes(2);

    /** How long the history's check may take; what was not checked by then is unknown. */
    static final Duration CHECK_LIMIT = Duration.ofMinutes(3);

    /** How long the replicas' comparison may take. */
    static final Duration COMPARE_LIMIT = Duration.ofMinutes(1);

    /** How long a fault that is under way when the load's time is up may go on, its healing included. */
    private static final Duration LAST_FAULT_LIMIT = Duration.ofMinutes(2);
    /** Producers and readers: until the outcome of the last record is known. */
    private static final Duration STOP_LIMIT = Duration.ofSeconds(85);

    private static final Duration TOPIC_LIMIT = Duration.ofSeconds(30);
    private static final Duration HEAL_LIMIT = Duration.ofSeconds(60);
    private static final Duration ACK_LIMIT = Duration.ofSeconds(30);
    private static final Duration CALM = Duration.ofSeconds(1);
    private static final long LAST_FAULT_NANOS = Duration.ofSeconds(5).toNanos();
    private static final int ORPHANED_RECORDS = 100;

    private final DrillConfig config;
    private final DrillCluster cluster;
    private final Path history;
    private final Progress progress;
    private final Duration finalReadLimit;
    private final Pulse pulse = new Pulse();
    private volatile Supplier<String> line = () -> "drill: making the topic";
    private DrillOutcome partial;

    DrillRun(DrillConfig config, DrillCluster cluster, Path history, Progress progress, Duration finalReadLimit) {
        this.config = config;
        this.cluster = cluster;
        this.history = history;
        this.progress = progress;
        this.finalReadLimit = finalReadLimit;
        this.partial = DrillOutcome.nothing(config);
    }

    /** Starts the cluster and runs the drill; where it does not start, the outcome tells why. */
    DrillOutcome run() throws InterruptedException, IOException {
        try (Pulse starting = new Pulse()) {
            starting.start();
            try {
                cluster.start(progress);
                return watched();
            } catch (NotStartedException e) {
                return DrillOutcome.notStarted(config, starting.machine(), String.valueOf(e.getMessage()));
            }
        }
    }

    private DrillOutcome watched() throws InterruptedException, IOException {
        try (Ticker ticker = new Ticker(progress, () -> line.get());
                Pulse watching = pulse) {
            watching.start();
            ticker.start();
            return measure();
        }
    }

    private DrillOutcome measure() throws InterruptedException, IOException {
        WorkloadConfig load = config.workload(cluster.bootstrap());
        try (DrillTopic topic = new DrillTopic(cluster.bootstrap());
                HistoryWriter writer = HistoryWriter.create(history, System::nanoTime);
                LeaderElection election = new LeaderElection(cluster.bootstrap(), DrillConfig.TOPIC)) {
            topic.create(config);
            Recorder recorder = new Recorder(writer, DrillConfig.TOPIC, config.partitions());
            try (ClusterObserver observer =
                    new ClusterObserver(cluster.target(), DrillConfig.TOPIC, recorder::elapsedNanos)) {
                observer.start();
                if (!await(TOPIC_LIMIT, () -> observer.whole(0, config.partitions()))) {
                    throw new NotStartedException("the topic was not in sync within " + TOPIC_LIMIT.toSeconds() + " s: "
                            + observer.wholeness(0, config.partitions()) + "; see the logs of the nodes");
                }
                return run(load, writer, recorder, observer, election);
            }
        }
    }

    private DrillOutcome run(
            WorkloadConfig load,
            HistoryWriter writer,
            Recorder recorder,
            ClusterObserver observer,
            LeaderElection election)
            throws InterruptedException, IOException {
        LostOrigins origins = new LostOrigins(cluster.target(), config.partitions());
        Nemesis nemesis = new Nemesis(
                cluster.target(),
                observer,
                recorder,
                election,
                new Random(config.seed()),
                config.partitions(),
                HEAL_LIMIT,
                origins::keep);
        Workload workload = new Workload(load, recorder);
        List<DrillVerdict.Reason> trouble = new ArrayList<>();
        Measured measured = new Measured(config, cluster, history, load, recorder, observer, nemesis, origins, pulse);
        try {
            long started = recorder.elapsedNanos();
            workload.start();
            loadAndFaults(nemesis, observer, workload, recorder, trouble);
            long faultsEnded = recorder.elapsedNanos();
            begins("healing", HEAL_LIMIT, () -> missing(observer, faultsEnded));
            nemesis.finishBy(System.nanoTime() + HEAL_LIMIT.toNanos());
            boolean whole = nemesis.healAll();
            long healed = recorder.elapsedNanos();
            begins("every partition is to acknowledge a record", ACK_LIMIT, () -> "");
            boolean again = whole && acknowledging(workload, recorder, healed);
            begins("ending the load", STOP_LIMIT, () -> recorder.totals().indeterminate() + " records in doubt");
            workload.stopProducers();
            workload.stopReaders();
            Map<Integer, KafkaOps.Extent> extents = finalRead(workload);
            Throwable failure = workload.failure();
            if (failure != null) {
                trouble.add(failed("the load failed: " + failure));
            }
            return measured.outcome(
                    extents,
                    whole ? (healed - faultsEnded) / 1_000_000 : null,
                    again,
                    trouble,
                    faultsEnded - started,
                    writer.size(),
                    this::begins);
        } catch (InterruptedException | RuntimeException | IOException e) {
            // An interrupt closes the channel that it finds a thread in: the error is then a consequence.
            if (!(e instanceof InterruptedException) && !Thread.interrupted()) {
                throw e;
            }
            cluster.close();
            writer.close();
            partial = measured.interrupted();
            throw new InterruptedException();
        }
    }

    private Map<Integer, KafkaOps.Extent> finalRead(Workload workload) throws InterruptedException {
        AtomicReference<String> done = new AtomicReference<>("");
        begins("final read", finalReadLimit, () -> done.get());
        return workload.finalRead(
                finalReadLimit,
                (complete, records, all) -> done.set(String.format(
                        Locale.ROOT,
                        "%,d of %,d records, %d of %d partitions complete",
                        records,
                        all,
                        complete,
                        config.partitions())));
    }

    private static DrillVerdict.Reason failed(String what) {
        return new DrillVerdict.Reason("RUN_FAILED", what);
    }

    /** From now on the progress line shows what goes on, for how long, how long at most, and how far it is. */
    private void begins(String what, Duration limit, Supplier<String> done) {
        long from = System.nanoTime();
        line = () -> {
            String far = done.get();
            return "drill: " + what + ", " + (System.nanoTime() - from) / 1_000_000_000 + " of at most "
                    + limit.toSeconds() + " s" + (far.isEmpty() ? "" : ": " + far);
        };
    }

    private String missing(ClusterObserver observer, long since) {
        String missing = observer.wholeness(since, config.partitions());
        return missing == null ? "" : missing;
    }

    /** What had been measured when the run was interrupted. */
    DrillOutcome partial() {
        return partial;
    }

    private void loadAndFaults(
            Nemesis nemesis,
            ClusterObserver observer,
            Workload workload,
            Recorder recorder,
            List<DrillVerdict.Reason> trouble)
            throws InterruptedException {
        begins("every partition is to acknowledge a first record", ACK_LIMIT, () -> "");
        if (!acknowledging(workload, recorder, 0)) {
            trouble.add(failed("not every partition acknowledged a record within " + ACK_LIMIT.toSeconds() + " s"));
            return;
        }
        faults(nemesis, observer, workload, recorder);
        if (config.expectLoss() && config.acknowledgesAlone() && !nemesis.lossCertain()) {
            trouble.add(failed("no leader could be made to acknowledge enough alone for a certain loss"));
        }
        nemesis.records().stream()
                .filter(fault -> !fault.whole())
                .map(fault -> new DrillVerdict.Reason(
                        DrillVerdict.NOT_HEALED,
                        "fault " + fault.id() + ", " + DrillText.name(fault) + ": the cluster did not heal within "
                                + DrillText.waited(fault) + ": " + fault.evidence()))
                .forEach(trouble::add);
    }

    /**
     * Faults one after the other until the time is up; the one that is under way then is finished. Where no time was
     * given, a slow machine gets more, until each kind was tried: without that the run would prove nothing. For the same
     * reason a kind that was not tried goes before another aim of one that was, where time is short.
     */
    private void faults(Nemesis nemesis, ClusterObserver observer, Workload workload, Recorder recorder)
            throws InterruptedException {
        long begin = recorder.elapsedNanos();
        long end = begin + config.load().toNanos();
        long latest = end + config.latest().minus(config.load()).toNanos();
        line = () -> line(recorder, nemesis, observer, end);
        if (config.acknowledgesAlone()) {
            calm(workload, recorder);
            nemesis.finishBy(finish(recorder, end));
            nemesis.orphanLeader(ORPHANED_RECORDS);
        }
        if (!config.faults().isEmpty()) {
            FaultPlan plan = new FaultPlan(config.faults(), new Random(config.seed()));
            Set<FaultKind> untried = EnumSet.noneOf(FaultKind.class);
            config.faults().forEach(spec -> untried.add(spec.kind()));
            while (recorder.elapsedNanos() < (untried.isEmpty() ? end - LAST_FAULT_NANOS : latest)) {
                calm(workload, recorder);
                if (workload.failure() != null) {
                    return;
                }
                long now = recorder.elapsedNanos();
                FaultSpec spec = hurried(now - begin, nemesis.records().size(), latest - now, untried.size())
                        ? plan.next(untried)
                        : plan.next();
                untried.remove(spec.kind());
                nemesis.finishBy(finish(recorder, end));
                if (!nemesis.inject(spec).whole()) {
                    // Faults on a cluster that is already broken prove nothing; its state is worth more.
                    return;
                }
            }
        }
        while (recorder.elapsedNanos() < end && workload.failure() == null) {
            Thread.sleep(Math.max(1, Math.min(CALM.toMillis(), (end - recorder.elapsedNanos()) / 1_000_000)));
        }
    }

    /** Whether at the pace so far the time left suffices for no more than the kinds that were not tried. */
    static boolean hurried(long passedNanos, int faults, long leftNanos, int untried) {
        long pace = Math.max(
                Duration.ofSeconds(DrillConfig.SECONDS_PER_FAULT).toNanos(), passedNanos / Math.max(1, faults));
        return untried > 0 && leftNanos <= untried * pace;
    }

    /** When a fault that begins now is to be over, by the clock of {@link System#nanoTime}. */
    private static long finish(Recorder recorder, long end) {
        return System.nanoTime() + Math.max(0, end - recorder.elapsedNanos()) + LAST_FAULT_LIMIT.toNanos();
    }

    /** A moment in which every partition acknowledges: what one fault interrupts is then not the work of two. */
    private void calm(Workload workload, Recorder recorder) throws InterruptedException {
        long from = recorder.elapsedNanos();
        Thread.sleep(CALM.toMillis());
        acknowledging(workload, recorder, from);
    }

    /** Whether every partition acknowledges a record sent after the time; without a load there is nothing to wait for. */
    private boolean acknowledging(Workload workload, Recorder recorder, long time) throws InterruptedException {
        await(ACK_LIMIT, () -> workload.failure() != null || allAckedAfter(recorder, time));
        return allAckedAfter(recorder, time);
    }

    /** Short enough for 80 columns while all is well; what moves fastest comes last. */
    private String line(Recorder recorder, Nemesis nemesis, ClusterObserver observer, long end) {
        long left = Math.max(0, (end - recorder.elapsedNanos()) / 1_000_000_000);
        List<FaultRecord> over = nemesis.records();
        long effective = over.stream().filter(FaultRecord::effective).count() + (nemesis.proven() ? 1 : 0);
        FaultSpec now = nemesis.current();
        int begun = over.size() + (now == null ? 0 : 1);
        String healing = nemesis.healing() ? ", healing" + missingNow(observer) : "";
        long acked = recorder.totals().acknowledged();
        return left > 0
                ? String.format(
                        Locale.ROOT,
                        "drill: %d s left, %,d acked, faults: %d begun, %d proven, %s",
                        left,
                        acked,
                        begun,
                        effective,
                        now == null ? "calm" : now + healing)
                : String.format(
                        Locale.ROOT,
                        "drill: %d s over, faults: %d begun, %d proven, %s",
                        (recorder.elapsedNanos() - end) / 1_000_000_000,
                        begun,
                        effective,
                        overFor(now, healing));
    }

    /** What a drill waits for when its time is up. */
    static String overFor(@Nullable FaultSpec now, String healing) {
        return now == null ? "calm before a kind not tried yet" : "finishing " + now + healing;
    }

    private String missingNow(ClusterObserver observer) {
        String missing = missing(observer, 0);
        return missing.isEmpty() ? "" : ": " + missing;
    }

    private boolean allAckedAfter(Recorder recorder, long time) {
        for (int partition = 0; partition < config.partitions(); partition++) {
            if (recorder.timeline(partition, timeline -> acked(timeline, time)) == 0) {
                return false;
            }
        }
        return true;
    }

    private static long acked(AckTimeline timeline, long time) {
        return timeline.ackedAfter(time) ? 1 : 0;
    }

    private static boolean await(Duration limit, BooleanSupplier condition) throws InterruptedException {
        long deadline = System.nanoTime() + limit.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadline > 0) {
                return false;
            }
            Thread.sleep(20);
        }
        return true;
    }
}
