package io.tidemark.cli.drill;

import io.tidemark.cli.contract.ExitCode;
import io.tidemark.history.log.Anomaly;
import io.tidemark.history.log.AnomalyType;
import io.tidemark.history.log.LogVerdict;
import io.tidemark.workload.Recorder;
import io.tidemark.workload.WorkloadConfig;
import io.tidemark.workload.fault.ClusterObserver;
import io.tidemark.workload.fault.FaultRecord;
import io.tidemark.workload.fault.FaultSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A drill's report for people: the verdict first, then one labelled line for each fact, so that grep finds it. */
final class DrillText {
    static final List<String> NEVER_TESTED = List.of(
            "power loss: a killed process leaves its page cache behind, so nothing here depends on an fsync",
            "links, failing disks and clocks");

    static final List<String> TERMS = List.of(
            "RPO: acknowledged records lost. RTO: from a fault's start to the first acknowledgement of a record sent after it,"
                    + " less the usual latency; a fault's is that of the partition that waited longest; what is shorter"
                    + " than the resolution, the time between two sends to a partition, counts as 0",
            "at and @SECOND count from the start of the history, some seconds before the load, as the topic is made between;"
                    + " the load's time counts from its own start",
            "at, for: when a fault took effect and how long it lasted; lost: acknowledged records that this fault took",
            "gap: the longest time without an acknowledgement from a fault's start until all was in sync again. It is the"
                    + " RTO, or a later and longer one, as where a node that was asked to end hands over, or the next one"
                    + " of a rolling restart does; never less than the RTO",
            "heal: from a fault's end, the process being started or going on, until every node knew all nodes as unfenced"
                    + " and each partition with a leader and all its replicas in sync",
            "inconsistent reads: what readers were given contradicts itself, or what was sent. contradicted acknowledgements:"
                    + " two records at one offset, or another one there for all readers",
            "in doubt: sent, and neither acknowledged nor refused for certain; such a record may be in the log or not. read:"
                    + " what all readers were given, most of it several times",
            "ISR: the replicas in sync with the leader. ELR: eligible leader replicas, which left the ISR and may lead all"
                    + " the same (KIP-966)");

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
        text.terms();
        return text.out.toString();
    }

    /** The verdict in one sentence. */
    static String headline(DrillConfig config, DrillOutcome outcome, DrillVerdict verdict) {
        String expectation = !config.expectLoss()
                ? ""
                : verdict.exitCode() == ExitCode.OK
                        ? ", as --expect loss asked for"
                        : verdict.exitCode() == ExitCode.VIOLATED ? ", although --expect loss asked for a loss" : "";
        return verdict.verdict() + ": "
                + switch (verdict.verdict()) {
                    case HOLDS ->
                        "nothing acknowledged was lost or read inconsistently in " + seconds(outcome.loadNanos())
                                + " s, " + count(outcome.effectiveFaults().size(), "fault")
                                + ofAsked(config, outcome) + " and "
                                + count(outcome.totals().acknowledged(), "record");
                    case VIOLATED ->
                        (outcome.defects().stream().allMatch(DrillText::read)
                                        ? "readers were given what they should not have been"
                                        : "the log did not keep what it had acknowledged")
                                + (Permit.all(config, outcome.defects())
                                        ? ", which "
                                                + String.join(" and ", Permit.settings(config, outcome.defects()))
                                                + " permits"
                                        : "");
                    case UNKNOWN ->
                        !outcome.started()
                                ? "the cluster did not start, so nothing was put to the test"
                                : verdict.reasons().stream().anyMatch(DrillVerdict.Reason::isDefect)
                                        ? "something wrong was seen, but the drill did not come to its end"
                                        : "nothing wrong was seen, but the evidence does not suffice";
                }
                + expectation;
    }

    private static boolean read(Anomaly anomaly) {
        return anomaly.type().group() == AnomalyType.Group.INCONSISTENT_READ;
    }

    private void verdict(DrillVerdict verdict) {
        out.line(headline(config, outcome, verdict));
        verdict.reasons()
                .forEach(reason -> out.labelled(
                        verdict.isNote(reason) ? "note" : "reason", COLUMN, reason.code() + ": " + reason.message()));
    }

    private void records() {
        Recorder.Totals totals = outcome.totals();
        LogVerdict log = outcome.log();
        String lost = outcome.inWords(AnomalyType.LOST);
        out.blank();
        fact(
                "records",
                count(totals.acknowledged()) + " acknowledged of " + count(totals.attempted()) + " sent, "
                        + count(totals.failed()) + " failed, " + count(totals.indeterminate()) + " in doubt, "
                        + count(totals.polled()) + " read");
        fact(
                "found",
                "lost " + lost + ", duplicated " + outcome.inWords(AnomalyType.DUPLICATE)
                        + ", inconsistent reads " + found(outcome, AnomalyType.Group.INCONSISTENT_READ)
                        + ", contradicted acknowledgements "
                        + found(outcome, AnomalyType.Group.INCONSISTENT_ACKNOWLEDGEMENT)
                        + ", out of order " + found(outcome, AnomalyType.Group.ORDER)
                        + ", replica differences " + found(outcome, AnomalyType.Group.REPLICA));
        evidence();
        fact("machine", outcome.machine().inWords());
        fact(
                "RPO",
                (outcome.lossKnown() ? count(log.count(AnomalyType.LOST), "record") : lost)
                        + (log.lost().isEmpty() ? "" : ", the oldest " + count(outcome.lostOldestMs()) + " ms old"));
        DrillOutcome.Rto rto = outcome.rto();
        fact(
                "RTO",
                (outcome.effectiveFaults().isEmpty()
                                ? "not measured: no fault took effect ("
                                : "worst " + millis(rto.worstMs()) + ", median " + millis(rto.medianMs())
                                        + " over faults that took effect and partitions (")
                        + "resolution " + rto.resolutionMs() + " ms, client time-out "
                        + count(WorkloadConfig.REQUEST_TIMEOUT_MS) + " ms)");
        fact(
                "in sync",
                healing(outcome) + "; the ISR shrank " + count(outcome.isrShrinks(), "time") + ", grew "
                        + count(outcome.isrExpansions(), "time"));
    }

    private void evidence() {
        Recorder.Totals totals = outcome.totals();
        LogVerdict.Counts counts = outcome.log().counts();
        fact("evidence", count(totals.acknowledgedDuringFaults()) + " acknowledged while a fault was active");
        fact(
                "final read",
                outcome.finalRead().inWords(counts.acknowledged() - counts.unjudged(), totals.acknowledged()));
        fact("replicas", outcome.replicas().inWords(config.replicationFactor()));
        Coverage coverage = Coverage.of(config, outcome);
        fact("faults", coverage.inWords(outcome));
        coverage.notTested().forEach(what -> fact("not tested", what));
    }

    /** Whether all was in sync again after each fault and in the end, and how long that took. */
    private static String healing(DrillOutcome outcome) {
        Long last = outcome.allInSyncAfterMs();
        if (last == null) {
            return outcome.interrupted() ? "unknown" : "not again in the end";
        }
        String late = outcome.faults().stream()
                .filter(fault -> !fault.whole())
                .map(fault -> "not within " + waited(fault) + " after fault " + fault.id() + "; ")
                .collect(Collectors.joining());
        if (!late.isEmpty()) {
            return late + "seen " + count(last) + " ms after the load";
        }
        long worst = outcome.faults().stream()
                .map(FaultRecord::allInSyncAfterMs)
                .filter(Objects::nonNull)
                .mapToLong(Long::longValue)
                .max()
                .orElse(-1);
        return (worst < 0 ? "" : "again after each fault, at most " + count(worst) + " ms after its end; ")
                + "seen once more " + count(last) + " ms after the load";
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
        int heals = outcome.faults().stream()
                .mapToInt(fault -> heal(fault).length())
                .max()
                .orElse(0);
        String format = "%3s %-" + names + "s %5s %5s %7s %7s %" + Math.max(7, heals) + "s %"
                + (outcome.lossKnown() ? 5 : 7) + "s  ";
        out.line(String.format(Locale.ROOT, format, "", "fault", "at s", "for s", "RTO ms", "gap ms", "heal ms", "lost")
                + "evidence");
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
                    count(times.unavailabilityMs()),
                    heal(fault),
                    lost(fault));
            out.labelled(row, row.length(), (fault.effective() ? "" : "WITHOUT EFFECT: ") + fault.evidence());
        }
    }

    /** How long the cluster took to heal; a dash where nothing was injected. */
    static String heal(FaultRecord fault) {
        Long healed = fault.allInSyncAfterMs();
        return healed == null ? (fault.whole() ? "-" : "not within " + waited(fault)) : count(healed);
    }

    /** Of a fault after which the cluster was not whole in time: how long that was waited for. */
    static String waited(FaultRecord fault) {
        return Math.round((fault.healedNanos() - fault.endNanos()) / 1e9) + " s";
    }

    /** How many lost records the fault took. */
    private String lost(FaultRecord fault) {
        Long lost = outcome.lostBy(fault);
        return lost == null ? "unknown" : count(lost);
    }

    /** How many of a group were found, by type where one cause may show as several: a lower bound before all was read. */
    static String found(DrillOutcome outcome, AnomalyType.Group group) {
        List<Anomaly> found = outcome.anomalies().stream()
                .filter(anomaly -> anomaly.type().group() == group)
                .toList();
        long count = found.stream().mapToLong(Anomaly::count).sum();
        boolean all = group == AnomalyType.Group.REPLICA ? outcome.replicas().missing() == null : outcome.lossKnown();
        String types = found.size() < 2
                ? ""
                : found.stream()
                        .map(anomaly ->
                                count(anomaly.count()) + " " + anomaly.type().label())
                        .collect(Collectors.joining(", ", " (", ")"));
        return (all ? count(count) : count == 0 ? "0 so far" : "at least " + count(count)) + types;
    }

    static String name(FaultRecord fault) {
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
                            + " (" + Permit.inWords(config, anomaly.type()) + "), first in " + first.topic()
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
        outcome.lostNamed(LOST_LINES)
                .forEach(lost -> fact(
                        "lost",
                        lost.topic() + "-" + orUnknown(lost.partition()) + " offset " + orUnknown(lost.offset())
                                + ", leader epoch " + orUnknown(lost.leaderEpoch()) + ", acknowledged by node "
                                + orUnknown(lost.ackedBy())));
        long more = outcome.log().count(AnomalyType.LOST)
                - Math.min(LOST_LINES, outcome.lost().size());
        if (more > 0) {
            fact(
                    "",
                    "and " + count(more) + " more: all of them are in " + RunDirectory.LOST
                            + " of the run's directory");
        }
        long unexplained =
                outcome.lost().stream().filter(lost -> lost.fault() == null).count();
        if (unexplained > 0) {
            fact("", count(unexplained) + " of them after the last fault, explained by none");
        }
    }

    private static String orUnknown(@Nullable Number value) {
        return value == null ? "unknown" : value.toString();
    }

    private void settings() {
        out.blank();
        fact("settings", settings(config, outcome));
        NEVER_TESTED.forEach(what -> fact("not tested", what));
    }

    private static String ofAsked(DrillConfig config, DrillOutcome outcome) {
        int asked = config.faults().size();
        return asked == 0
                ? ""
                : " (" + Coverage.of(config, outcome).covered().size() + " of the " + asked + " asked for)";
    }

    /** What this run says nothing about, faults that were asked for and never took effect among it. */
    static List<String> notTested(DrillConfig config, DrillOutcome outcome) {
        List<String> all = new ArrayList<>(NEVER_TESTED);
        all.addAll(Coverage.of(config, outcome).notTested());
        return all;
    }

    private void terms() {
        TERMS.forEach(term -> fact("terms", term));
    }

    static String settings(DrillConfig config, DrillOutcome outcome) {
        return "load for " + seconds(outcome.loadNanos()) + " s of "
                + config.load().toSeconds() + " s asked for, faults asked for: "
                + (config.faults().isEmpty()
                        ? "none"
                        : config.faults().stream().map(FaultSpec::toString).collect(Collectors.joining(", ")))
                + ", " + config.nodes() + " nodes, " + config.partitions() + " partitions, replication factor "
                + config.replicationFactor() + ", min.insync.replicas=" + config.minInsyncReplicas() + ", acks="
                + config.acks() + (config.idempotence() ? ", idempotent" : "") + ", " + config.rate() + " records/s"
                + ", unclean.leader.election.enable=" + config.uncleanLeaderElection()
                + ", ELR " + (config.elr() ? "on" : "off")
                + ", fsync " + (config.flush().equals("none") ? "as Kafka by default" : "at every append")
                + ", broker.session.timeout.ms=" + DrillConfig.SESSION_TIMEOUT_MS
                + ", broker.heartbeat.interval.ms=" + DrillConfig.HEARTBEAT_INTERVAL_MS
                + ", initial.broker.registration.timeout.ms=" + DrillConfig.REGISTRATION_TIMEOUT_MS + ", seed "
                + config.seed();
    }

    private void fact(String label, String text) {
        out.labelled(label, COLUMN, text);
    }

    static String seconds(long nanos) {
        return String.format(Locale.ROOT, "%.1f", nanos / 1e9);
    }

    static String millis(@Nullable Long value) {
        return value == null ? "never" : count(value) + " ms";
    }

    static String count(long value) {
        return String.format(Locale.ROOT, "%,d", value);
    }

    /** So many of something, as {@code 1 fault} or {@code 2 faults}. */
    static String count(long value, String one) {
        return count(value) + " " + one + (value == 1 ? "" : "s");
    }
}
