package io.tidemark.cli.drill;

import io.tidemark.history.log.Anomaly;
import io.tidemark.history.log.AnomalyType;
import io.tidemark.history.log.LogVerdict;
import io.tidemark.workload.Recorder;
import io.tidemark.workload.WorkloadConfig;
import io.tidemark.workload.fault.ClusterObserver;
import io.tidemark.workload.fault.FaultRecord;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A drill's report for people: the verdict first, then one labelled line for each fact, so that grep finds it. */
final class DrillText {
    static final List<String> NOT_TESTED = List.of(
            "power loss: a killed process leaves its page cache behind, so nothing here depends on an fsync",
            "links, failing disks and clocks");

    private static final int LOST_LINES = 10;
    /** Where the text behind a label begins. */
    private static final int COLUMN = 11;

    private final TextLines out;
    private final DrillConfig config;
    private final DrillOutcome outcome;

    private DrillText(DrillConfig config, DrillOutcome outcome, int width) {
        this.out = new TextLines(width);
        this.config = config;
        this.outcome = outcome;
    }

    /**
     * The report.
     *
     * @param width of the terminal, 0 for lines as long as they are
     */
    static String of(DrillConfig config, DrillOutcome outcome, DrillVerdict verdict, int width) {
        DrillText text = new DrillText(config, outcome, width);
        text.verdict(verdict);
        text.records();
        text.faults();
        text.leaders();
        text.anomalies();
        text.lost();
        text.settings();
        return text.out.toString();
    }

    /** The verdict in one sentence. */
    static String headline(DrillVerdict verdict) {
        return verdict.verdict() + ": "
                + switch (verdict.verdict()) {
                    case HOLDS -> "nothing acknowledged was lost or read inconsistently";
                    case VIOLATED -> "the log did not keep what it had acknowledged";
                    case UNKNOWN ->
                        verdict.reasons().stream().anyMatch(DrillVerdict.Reason::isDefect)
                                ? "something wrong was seen, but the drill did not come to its end"
                                : "nothing wrong was seen, but the evidence does not suffice";
                };
    }

    private void verdict(DrillVerdict verdict) {
        out.line(headline(verdict));
        verdict.reasons().forEach(reason -> out.labelled("reason", COLUMN, reason.code() + ": " + reason.message()));
    }

    private void records() {
        Recorder.Totals totals = outcome.totals();
        LogVerdict log = outcome.log();
        boolean known = !outcome.interrupted();
        String lost = known ? count(log.count(AnomalyType.LOST)) : "unknown";
        out.blank();
        fact(
                "records",
                count(totals.acknowledged()) + " acknowledged of " + count(totals.attempted()) + " sent, "
                        + count(totals.failed()) + " failed, " + count(totals.indeterminate()) + " in doubt, "
                        + count(totals.polled()) + " read");
        fact(
                "found",
                "lost " + lost + ", duplicated " + (known ? count(log.count(AnomalyType.DUPLICATE)) : "unknown")
                        + ", read inconsistently " + count(log.count(AnomalyType.Group.INCONSISTENT_READ)));
        fact(
                "evidence",
                count(totals.acknowledgedDuringFaults()) + " acknowledged while a fault was active, "
                        + outcome.effectiveFaults().size() + " of "
                        + outcome.faults().size() + " faults took effect, final read "
                        + (outcome.finalReadComplete() ? "complete" : "not complete") + ", "
                        + outcome.replicasCompared() + " of " + outcome.replicas()
                        + " replicas compared byte for byte below the high watermark");
        fact(
                "RPO",
                lost + " records"
                        + (log.lost().isEmpty() ? "" : ", the oldest " + count(outcome.lostOldestMs()) + " ms old"));
        DrillOutcome.Rto rto = outcome.rto();
        fact(
                "RTO",
                "worst " + millis(rto.worstMs()) + ", median " + millis(rto.medianMs())
                        + " over faults and partitions (resolution " + rto.resolutionMs() + " ms, client time-out "
                        + count(WorkloadConfig.REQUEST_TIMEOUT_MS) + " ms)");
        Long healed = outcome.allInSyncAfterMs();
        fact(
                "in sync",
                (healed == null ? (known ? "never again" : "unknown") : count(healed) + " ms after the last fault")
                        + "; the ISR shrank " + outcome.isrShrinks() + " times, grew " + outcome.isrExpansions()
                        + " times");
    }

    private void faults() {
        if (outcome.faults().isEmpty()) {
            return;
        }
        out.blank();
        int names = outcome.faults().stream()
                .mapToInt(fault -> name(fault).length())
                .max()
                .orElse(0);
        String format = "%3s %-" + names + "s %6s %5s %7s %7s  ";
        out.line(String.format(Locale.ROOT, format, "", "fault", "at s", "for s", "RTO ms", "gap ms") + "evidence");
        for (int i = 0; i < outcome.faults().size(); i++) {
            FaultRecord fault = outcome.faults().get(i);
            DrillOutcome.FaultTimes times = outcome.times().get(i);
            Long rto = times.rtoMs();
            String row = String.format(
                    Locale.ROOT,
                    format,
                    fault.id(),
                    name(fault),
                    seconds(fault.startNanos()),
                    seconds(fault.endNanos() - fault.startNanos()),
                    rto == null ? "never" : count(rto),
                    count(times.unavailabilityMs()));
            out.labelled(row, row.length(), (fault.effective() ? "" : "WITHOUT EFFECT: ") + fault.evidence());
        }
    }

    private static String name(FaultRecord fault) {
        return fault.fault() + "@" + fault.target();
    }

    private void leaders() {
        if (outcome.leaderships().isEmpty()) {
            return;
        }
        out.blank();
        fact("leaders", "NODE@SECOND since when, in the order of their epochs; - for none");
        Map<Integer, String> byPartition = new TreeMap<>();
        for (ClusterObserver.Leadership led : outcome.leaderships()) {
            byPartition.merge(
                    led.partition(),
                    (led.leader() < 0 ? "-" : Integer.toString(led.leader())) + "@" + seconds(led.fromNanos()),
                    (before, next) -> before + " " + next);
        }
        byPartition.forEach((partition, leaders) -> fact("  " + DrillConfig.TOPIC + "-" + partition, leaders));
        fact(
                "controller",
                outcome.controllerships().stream()
                        .map(active -> active.node() + "@" + seconds(active.fromNanos()))
                        .collect(Collectors.joining(" ")));
    }

    private void anomalies() {
        if (outcome.anomalies().isEmpty()) {
            return;
        }
        out.blank();
        for (Anomaly anomaly : outcome.anomalies()) {
            Anomaly.First first = anomaly.first();
            fact(
                    "anomaly",
                    anomaly.type().label() + " x " + count(anomaly.count())
                            + (anomaly.allowed() ? " (the settings allow it)" : "") + ", first in " + first.topic()
                            + "-" + first.partition() + ": " + first.explanation() + origin(anomaly));
        }
    }

    private static String origin(Anomaly anomaly) {
        Anomaly.First first = anomaly.first();
        String how = anomaly.type().group() == AnomalyType.Group.LOST ? ", acknowledged by node " : ", from node ";
        return (first.leaderEpoch() == null ? "" : "; leader epoch " + first.leaderEpoch())
                + (first.ackedBy() == null ? "" : how + first.ackedBy());
    }

    private void lost() {
        if (outcome.lost().isEmpty() || outcome.interrupted()) {
            return;
        }
        out.blank();
        outcome.lost().stream()
                .limit(LOST_LINES)
                .forEach(lost -> fact(
                        "lost",
                        lost.topic() + "-" + orUnknown(lost.partition()) + " offset " + orUnknown(lost.offset())
                                + ", leader epoch " + orUnknown(lost.leaderEpoch()) + ", acknowledged by node "
                                + orUnknown(lost.ackedBy())));
        long more = outcome.log().count(AnomalyType.LOST)
                - Math.min(LOST_LINES, outcome.lost().size());
        if (more > 0) {
            fact("", "and " + count(more) + " more; --format json names " + DrillOutcome.LOST_NAMED);
        }
    }

    private static String orUnknown(@Nullable Number value) {
        return value == null ? "unknown" : value.toString();
    }

    private void settings() {
        out.blank();
        fact("settings", settings(config));
        NOT_TESTED.forEach(what -> fact("not tested", what));
    }

    static String settings(DrillConfig config) {
        return config.nodes() + " nodes, " + config.partitions() + " partitions, replication factor "
                + config.replicationFactor() + ", min.insync.replicas=" + config.minInsyncReplicas() + ", acks="
                + config.acks() + (config.idempotence() ? ", idempotent" : "") + ", " + config.rate() + " records/s"
                + (config.uncleanLeaderElection() ? ", unclean.leader.election.enable=true" : "")
                + (config.elr() ? "" : ", ELR off")
                + (config.flush().equals("none") ? "" : ", fsync at every append")
                + ", broker.session.timeout.ms=" + DrillConfig.SESSION_TIMEOUT_MS
                + ", broker.heartbeat.interval.ms=" + DrillConfig.HEARTBEAT_INTERVAL_MS + ", seed " + config.seed();
    }

    private void fact(String label, String text) {
        out.labelled(label, COLUMN, text);
    }

    static String seconds(long nanos) {
        return String.format(Locale.ROOT, "%.1f", nanos / 1e9);
    }

    static String millis(@Nullable Long value) {
        return value == null ? "unknown" : count(value) + " ms";
    }

    static String count(long value) {
        return String.format(Locale.ROOT, "%,d", value);
    }
}
