package io.tidemark.cli.drill;

import io.tidemark.cli.contract.Report;
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

/** A drill's report for people. */
final class DrillText {
    static final List<String> NOT_TESTED = List.of(
            "power loss: a killed process leaves its page cache behind, so nothing here depends on an fsync",
            "links, disks and clocks: only processes were faulted");

    private static final int LOST_LINES = 10;

    private final StringBuilder out = new StringBuilder();
    private final DrillConfig config;
    private final DrillOutcome outcome;

    private DrillText(DrillConfig config, DrillOutcome outcome) {
        this.config = config;
        this.outcome = outcome;
    }

    static String of(DrillConfig config, DrillOutcome outcome, DrillVerdict verdict) {
        DrillText text = new DrillText(config, outcome);
        text.verdict(verdict);
        text.records();
        text.faults();
        text.leaders();
        text.anomalies();
        text.lost();
        text.settings();
        return text.out.toString();
    }

    private void verdict(DrillVerdict verdict) {
        line(verdict.verdict() + ": "
                + switch (verdict.verdict()) {
                    case HOLDS -> "nothing acknowledged was lost or read inconsistently, and the evidence suffices";
                    case VIOLATED -> "the log did not keep what it had acknowledged";
                    case UNKNOWN -> "nothing wrong was seen, but the evidence does not suffice";
                });
        verdict.reasons().forEach(reason -> line("  " + reason.code() + ": " + reason.message()));
        if (verdict.verdict() == Report.Verdict.HOLDS) {
            line("  evidence: " + count(outcome.totals().acknowledgedDuringFaults())
                    + " records acknowledged while a fault was active, "
                    + outcome.effectiveFaults().size() + " faults took effect, every partition read to its end, "
                    + outcome.replicasCompared() + " of " + outcome.replicas()
                    + " replicas compared byte for byte below the high watermark");
        }
    }

    private void records() {
        Recorder.Totals totals = outcome.totals();
        LogVerdict log = outcome.log();
        line("");
        line("records   " + count(totals.acknowledged()) + " acknowledged of " + count(totals.attempted())
                + " sent; " + count(totals.failed()) + " failed, " + count(totals.indeterminate())
                + " in doubt; " + count(totals.polled()) + " read");
        line("          lost " + count(log.count(AnomalyType.LOST)) + ", duplicated "
                + count(log.count(AnomalyType.DUPLICATE)) + ", read inconsistently "
                + count(log.count(AnomalyType.Group.INCONSISTENT_READ)));
        line("RPO       " + count(log.count(AnomalyType.LOST)) + " records"
                + (log.lost().isEmpty() ? "" : ", the oldest " + count(outcome.lostOldestMs()) + " ms old"));
        DrillOutcome.Rto rto = outcome.rto();
        line("RTO       worst " + millis(rto.worstMs()) + ", median " + millis(rto.medianMs())
                + " over faults and partitions (resolution " + rto.resolutionMs() + " ms, client time-out "
                + count(WorkloadConfig.REQUEST_TIMEOUT_MS) + " ms)");
        Long healed = outcome.allInSyncAfterMs();
        line("in sync   " + (healed == null ? "never again" : count(healed) + " ms after the last fault"));
    }

    private void faults() {
        line("");
        line("faults    " + outcome.effectiveFaults().size() + " of "
                + outcome.faults().size() + " took effect; ISR shrank " + outcome.isrShrinks() + " times, grew "
                + outcome.isrExpansions() + " times");
        for (int i = 0; i < outcome.faults().size(); i++) {
            FaultRecord fault = outcome.faults().get(i);
            line(String.format(
                    Locale.ROOT,
                    "  %3d %-15s @%-11s at %5.1f s for %4.1f s, unavailable %s ms%s: %s",
                    fault.id(),
                    fault.fault(),
                    fault.target(),
                    fault.startNanos() / 1e9,
                    (fault.endNanos() - fault.startNanos()) / 1e9,
                    count(outcome.unavailability().get(i)),
                    fault.effective() ? "" : ", WITHOUT EFFECT",
                    fault.evidence()));
        }
    }

    private void leaders() {
        line("");
        line("leaders   node (leader epoch) from second");
        Map<Integer, String> byPartition = new TreeMap<>();
        for (ClusterObserver.Leadership led : outcome.leaderships()) {
            byPartition.merge(
                    led.partition(),
                    (led.leader() < 0 ? "none" : Integer.toString(led.leader())) + " (" + led.leaderEpoch() + ") "
                            + seconds(led.fromNanos()),
                    (before, next) -> before + ", " + next);
        }
        byPartition.forEach((partition, leaders) -> line("  " + DrillConfig.TOPIC + "-" + partition + ": " + leaders));
        line("  controller: "
                + outcome.controllerships().stream()
                        .map(active -> active.node() + " (" + active.epoch() + ") " + seconds(active.fromNanos()))
                        .collect(Collectors.joining(", ")));
    }

    private void anomalies() {
        if (outcome.anomalies().isEmpty()) {
            return;
        }
        line("");
        line("anomalies");
        for (Anomaly anomaly : outcome.anomalies()) {
            Anomaly.First first = anomaly.first();
            line("  " + anomaly.type().label() + " x " + count(anomaly.count())
                    + (anomaly.allowed() ? " (the settings allow it)" : "") + ", first in " + first.topic() + "-"
                    + first.partition() + ": " + first.explanation() + origin(anomaly));
        }
    }

    private static String origin(Anomaly anomaly) {
        Anomaly.First first = anomaly.first();
        String how = anomaly.type().group() == AnomalyType.Group.LOST ? ", acknowledged by node " : ", from node ";
        return (first.leaderEpoch() == null ? "" : "; leader epoch " + first.leaderEpoch())
                + (first.ackedBy() == null ? "" : how + first.ackedBy());
    }

    private void lost() {
        if (outcome.lost().isEmpty()) {
            return;
        }
        line("");
        line("lost      partition, offset, leader epoch, acknowledged by node");
        outcome.lost().stream()
                .limit(LOST_LINES)
                .forEach(lost -> line("  " + lost.topic() + "-" + orUnknown(lost.partition()) + ", "
                        + orUnknown(lost.offset()) + ", " + orUnknown(lost.leaderEpoch()) + ", "
                        + orUnknown(lost.ackedBy())));
        long more = outcome.log().count(AnomalyType.LOST)
                - Math.min(LOST_LINES, outcome.lost().size());
        if (more > 0) {
            line("  and " + count(more) + " more; --format json names " + DrillOutcome.LOST_NAMED);
        }
    }

    private static String orUnknown(@Nullable Number value) {
        return value == null ? "unknown" : value.toString();
    }

    private void settings() {
        line("");
        line("settings  " + config.nodes() + " nodes, " + config.partitions() + " partitions, replication factor "
                + config.replicationFactor() + ", min.insync.replicas=" + config.minInsyncReplicas() + ", acks="
                + config.acks() + (config.idempotence() ? ", idempotent" : "") + ", " + config.rate()
                + " records/s, broker.session.timeout.ms=" + DrillConfig.SESSION_TIMEOUT_MS
                + ", broker.heartbeat.interval.ms=" + DrillConfig.HEARTBEAT_INTERVAL_MS + ", seed " + config.seed());
        line("not tested: " + String.join("; ", NOT_TESTED));
    }

    private void line(String text) {
        out.append(text).append('\n');
    }

    private static String seconds(long nanos) {
        return String.format(Locale.ROOT, "%.1f", nanos / 1e9);
    }

    private static String millis(@Nullable Long value) {
        return value == null ? "unknown" : count(value) + " ms";
    }

    private static String count(long value) {
        return String.format(Locale.ROOT, "%,d", value);
    }
}
