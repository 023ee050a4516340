package io.tidemark.cli.drill;

import io.tidemark.cli.contract.ExitCode;
import io.tidemark.cli.contract.Report;
import io.tidemark.history.log.Anomaly;
import io.tidemark.history.log.AnomalyType;
import io.tidemark.workload.fault.FaultKind;
import io.tidemark.workload.fault.FaultRecord;
import io.tidemark.workload.fault.FaultSpec;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * What a drill's measurements prove. VIOLATED needs one anomaly that the settings do not allow; HOLDS needs all of the
 * evidence; anything between is UNKNOWN and names what was missing.
 */
record DrillVerdict(Report.Verdict verdict, ExitCode exitCode, List<Reason> reasons) {
    /** So many records have to be acknowledged while a fault was active. */
    static final long ACKS_NEEDED = 1_000;

    /** What clients and logs show where records that were acknowledged are gone, beside the loss itself. */
    private static final Set<AnomalyType> SIGNS_OF_LOSS = EnumSet.of(
            AnomalyType.OFFSET_ACKED_TWICE,
            AnomalyType.INCONSISTENT_OFFSET,
            AnomalyType.DIRTY_READ,
            AnomalyType.REAL_TIME_ORDER,
            AnomalyType.REPLICA_MISSING);

    private static final Set<String> UNKNOWN_LOSS = Set.of("RUN_FAILED", "FINAL_READ_INCOMPLETE");

    private static final Set<String> DEFECTS =
            Set.of("LOST", "DUPLICATED", "INCONSISTENT_READS", "OUT_OF_ORDER", "REPLICAS_DIFFER");

    record Reason(String code, String message) {
        /** Whether it tells of something wrong, not of missing evidence. */
        boolean isDefect() {
            return DEFECTS.contains(code);
        }
    }

    DrillVerdict {
        reasons = List.copyOf(reasons);
    }

    /** Of a drill that ended by itself. */
    static DrillVerdict of(DrillConfig config, DrillOutcome outcome) {
        List<Reason> reasons = defects(outcome);
        if (!reasons.isEmpty()) {
            return violated(config, outcome, reasons);
        }
        reasons = missing(config, outcome);
        starved(outcome, reasons);
        Report.Verdict verdict = reasons.isEmpty() ? Report.Verdict.HOLDS : Report.Verdict.UNKNOWN;
        ExitCode code = reasons.isEmpty() ? ExitCode.OK : ExitCode.UNKNOWN;
        if (config.expectLoss()) {
            reasons.add(
                    0,
                    new Reason(
                            "NO_LOSS",
                            "no acknowledged record was lost, although loss was expected"
                                    + (code == ExitCode.OK ? "" : "; whether one can be lost was not tried enough")));
            // Without the evidence, the absence of a loss is no result either.
            code = code == ExitCode.OK ? ExitCode.VIOLATED : code;
        }
        return new DrillVerdict(verdict, code, reasons);
    }

    private static DrillVerdict violated(DrillConfig config, DrillOutcome outcome, List<Reason> reasons) {
        long lost = outcome.log().count(AnomalyType.LOST);
        List<String> seen = outcome.anomalies().stream()
                .filter(anomaly -> SIGNS_OF_LOSS.contains(anomaly.type()) && !anomaly.allowed())
                .map(anomaly -> anomaly.type().label())
                .toList();
        if (lost > 0 || !seen.isEmpty()) {
            why(config, seen, reasons);
        }
        if (!outcome.lossKnown()) {
            // A defect stays one; how much was lost needs what is missing here.
            missing(config, outcome).stream()
                    .filter(reason -> UNKNOWN_LOSS.contains(reason.code()))
                    .forEach(reasons::add);
            starved(outcome, reasons);
        }
        if (config.expectLoss() && lost > 0) {
            reasons.add(0, new Reason("EXPECTED_LOSS", lost + " acknowledged records were lost, as expected"));
            return new DrillVerdict(Report.Verdict.VIOLATED, ExitCode.OK, reasons);
        }
        // Whether the loss that was asked for is absent is as little known as how much was lost.
        ExitCode code = config.expectLoss() && !outcome.lossKnown() ? ExitCode.UNKNOWN : ExitCode.VIOLATED;
        return new DrillVerdict(Report.Verdict.VIOLATED, code, reasons);
    }

    /** Not evidence that is missing, but why it may be. */
    private static void starved(DrillOutcome outcome, List<Reason> reasons) {
        if (!reasons.isEmpty() && outcome.machine().starved()) {
            reasons.add(new Reason(
                    "STARVED_MACHINE",
                    outcome.machine().inWords()
                            + ": what was late here may have waited for the machine; drill again on a"
                            + " quieter one"));
        }
    }

    /** Of a drill that was interrupted: it proves nothing, and tells what it had seen until then. */
    static DrillVerdict interrupted(DrillOutcome outcome, ExitCode code) {
        List<Reason> reasons = defects(outcome);
        reasons.add(
                0,
                new Reason(
                        code.name(), "the drill ended before its final read: nothing is known about what may be lost"));
        starved(outcome, reasons);
        return new DrillVerdict(Report.Verdict.UNKNOWN, code, reasons);
    }

    private static List<Reason> defects(DrillOutcome outcome) {
        List<Reason> reasons = new ArrayList<>();
        for (AnomalyType.Group group : AnomalyType.Group.values()) {
            List<Anomaly> found = outcome.anomalies().stream()
                    .filter(anomaly -> anomaly.type().group() == group && !anomaly.allowed())
                    .toList();
            if (!found.isEmpty()) {
                reasons.add(new Reason(
                        switch (group) {
                            case LOST -> "LOST";
                            case DUPLICATED -> "DUPLICATED";
                            case INCONSISTENT_READ -> "INCONSISTENT_READS";
                            case ORDER -> "OUT_OF_ORDER";
                            case REPLICA -> "REPLICAS_DIFFER";
                        },
                        found.stream()
                                .map(anomaly ->
                                        anomaly.count() + " " + anomaly.type().label() + ": "
                                                + anomaly.first().explanation())
                                .collect(Collectors.joining("; "))));
            }
        }
        return reasons;
    }

    /** The settings that permit the loss, in a sentence each. */
    private static void why(DrillConfig config, List<String> seen, List<Reason> reasons) {
        int before = reasons.size();
        if (config.acknowledgesAlone()) {
            reasons.add(new Reason(
                    "ACKS",
                    "acks=" + config.acks()
                            + " allows this: the leader acknowledges before any follower has the record,"
                            + " so what it alone held is gone when another node leads"));
        }
        if (config.minInsyncReplicas() == 1 && !config.acknowledgesAlone()) {
            reasons.add(
                    new Reason(
                            "MIN_INSYNC_REPLICAS",
                            "min.insync.replicas=1 allows this: a leader alone in its ISR acknowledges what no other node has"));
        }
        if (config.uncleanLeaderElection()) {
            reasons.add(
                    new Reason(
                            "UNCLEAN_LEADER_ELECTION",
                            "unclean.leader.election.enable=true allows this: a replica that lacks acknowledged records may lead"));
        }
        if (reasons.size() > before && !seen.isEmpty()) {
            String twice = AnomalyType.OFFSET_ACKED_TWICE.label();
            List<String> others =
                    seen.stream().filter(label -> !label.equals(twice)).toList();
            reasons.add(new Reason(
                    "ALLOWED_LOSS",
                    (seen.contains(twice)
                                    ? twice
                                            + " is that loss: the record that was acknowledged first is gone from the offset,"
                                            + " which the next leader gave to another"
                                    : "")
                            + (others.isEmpty()
                                    ? ""
                                    : (seen.contains(twice) ? "; " : "") + String.join(", ", others)
                                            + (others.size() == 1 ? " is a" : " are") + " usual "
                                            + (others.size() == 1 ? "consequence" : "consequences")
                                            + " of such a loss")));
        }
    }

    /** The evidence that HOLDS needs and that is not there. */
    static List<Reason> missing(DrillConfig config, DrillOutcome outcome) {
        List<Reason> reasons = new ArrayList<>();
        String trouble = outcome.trouble();
        if (trouble != null) {
            reasons.add(new Reason("RUN_FAILED", trouble));
        }
        long acks = outcome.totals().acknowledgedDuringFaults();
        if (acks < ACKS_NEEDED) {
            reasons.add(new Reason(
                    "TOO_FEW_ACKNOWLEDGED",
                    acks + " records were acknowledged while a fault was active; " + ACKS_NEEDED + " are needed"));
        }
        faults(config, outcome, reasons);
        if (!outcome.lossKnown()) {
            reasons.add(new Reason(
                    "FINAL_READ_INCOMPLETE",
                    "not every partition was read to its end offset and checked; how much is lost is unknown"));
        }
        if (outcome.replicasCompared() < outcome.replicas()) {
            reasons.add(new Reason(
                    "REPLICAS_NOT_COMPARED",
                    outcome.replicasCompared() + " of " + outcome.replicas()
                            + " replicas were compared below the high watermark"));
        }
        if (outcome.allInSyncAfterMs() == null) {
            reasons.add(new Reason("NOT_IN_SYNC", "not all replicas were in sync after the faults ended"));
        } else if (!outcome.acknowledgedAgain()) {
            reasons.add(new Reason("NOT_WRITABLE", "not every partition acknowledged a record after the faults ended"));
        }
        return reasons;
    }

    private static void faults(DrillConfig config, DrillOutcome outcome, List<Reason> reasons) {
        Set<String> effective = outcome.effectiveFaults().stream()
                .map(FaultRecord::fault)
                .collect(Collectors.toCollection(TreeSet::new));
        config.faults().stream()
                .map(FaultSpec::kind)
                .distinct()
                .map(FaultKind::label)
                .filter(kind -> !effective.contains(kind))
                .forEach(kind -> reasons.add(new Reason(
                        "FAULT_WITHOUT_EFFECT",
                        "no " + kind + " took effect"
                                + outcome.faults().stream()
                                        .filter(fault -> fault.fault().equals(kind))
                                        .map(fault -> ": " + fault.evidence())
                                        .findFirst()
                                        .orElse(": none was injected in the time; more --for gives it some"))));
        int count = outcome.effectiveFaults().size();
        if (count < config.faultsNeeded()) {
            reasons.add(new Reason(
                    "TOO_FEW_FAULTS",
                    count + " faults took effect in " + config.load().toSeconds() + " s; " + config.faultsNeeded()
                            + " are needed, one for every 20 s"));
        }
    }
}
