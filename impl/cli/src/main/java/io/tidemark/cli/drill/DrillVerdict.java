package io.tidemark.cli.drill;

import io.tidemark.cli.contract.ExitCode;
import io.tidemark.cli.contract.Report;
import io.tidemark.history.log.Anomaly;
import io.tidemark.history.log.AnomalyType;
import io.tidemark.workload.fault.FaultKind;
import io.tidemark.workload.fault.FaultRecord;
import io.tidemark.workload.fault.FaultSpec;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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

    /** The cluster was not whole again in time after a fault. */
    static final String NOT_HEALED = "NOT_HEALED";

    private static final Set<String> UNKNOWN_LOSS = Set.of("RUN_FAILED", NOT_HEALED, "FINAL_READ_INCOMPLETE");

    private static final Set<String> DEFECTS = Set.of(
            "LOST",
            "DUPLICATED",
            "INCONSISTENT_READS",
            "INCONSISTENT_ACKNOWLEDGEMENTS",
            "OUT_OF_ORDER",
            "REPLICAS_DIFFER");

    /** The cluster was not ready for the load. */
    static final String NOT_STARTED = "NOT_STARTED";

    private static final String STARVED = "STARVED_MACHINE";

    record Reason(String code, String message) {
        /** Whether it tells of something wrong, not of missing evidence. */
        boolean isDefect() {
            return DEFECTS.contains(code);
        }
    }

    /** Whether the verdict does not rest on it. */
    boolean isNote(Reason reason) {
        return reason.code().equals(STARVED) && verdict != Report.Verdict.UNKNOWN;
    }

    DrillVerdict {
        reasons = List.copyOf(reasons);
    }

    /** Of a drill that ended by itself. */
    static DrillVerdict of(DrillConfig config, DrillOutcome outcome) {
        if (!outcome.started()) {
            List<Reason> why = new ArrayList<>(outcome.trouble());
            starved(outcome, why, Report.Verdict.UNKNOWN);
            return new DrillVerdict(Report.Verdict.UNKNOWN, ExitCode.UNKNOWN, why);
        }
        List<Reason> reasons = defects(outcome);
        if (!reasons.isEmpty()) {
            return violated(config, outcome, reasons);
        }
        reasons = missing(config, outcome);
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
        starved(outcome, reasons, verdict);
        return new DrillVerdict(verdict, code, reasons);
    }

    private static DrillVerdict violated(DrillConfig config, DrillOutcome outcome, List<Reason> reasons) {
        permits(config, outcome.defects(), reasons);
        if (!outcome.lossKnown()) {
            // A defect stays one; how much was lost needs what is missing here.
            missing(config, outcome).stream()
                    .filter(reason -> UNKNOWN_LOSS.contains(reason.code()))
                    .forEach(reasons::add);
        }
        starved(outcome, reasons, Report.Verdict.VIOLATED);
        long lost = outcome.log().count(AnomalyType.LOST);
        if (config.expectLoss() && lost > 0) {
            reasons.add(0, new Reason("EXPECTED_LOSS", lost + " acknowledged records were lost, as expected"));
            return new DrillVerdict(Report.Verdict.VIOLATED, ExitCode.OK, reasons);
        }
        // Whether the loss that was asked for is absent is as little known as how much was lost.
        ExitCode code = config.expectLoss() && !outcome.lossKnown() ? ExitCode.UNKNOWN : ExitCode.VIOLATED;
        return new DrillVerdict(Report.Verdict.VIOLATED, code, reasons);
    }

    /**
     * Not evidence that is missing, but why it may be, and what else rests on the machine: the first reason where the
     * verdict is UNKNOWN, a note behind the others where it is not.
     */
    private static void starved(DrillOutcome outcome, List<Reason> reasons, Report.Verdict verdict) {
        if (outcome.machine().starved()) {
            reasons.add(
                    verdict == Report.Verdict.UNKNOWN ? 0 : reasons.size(),
                    new Reason(
                            STARVED,
                            outcome.machine().inWords() + ": "
                                    + (verdict == Report.Verdict.UNKNOWN || !outcome.lossKnown()
                                            ? "what was late here may have waited for the machine; drill again on a quieter one"
                                            : "the verdict does not rest on that, but every time here may have waited for the"
                                                    + " machine, RTO and healing too")));
        }
    }

    /** Of a drill that was interrupted: it proves nothing, and tells what it had seen until then. */
    static DrillVerdict interrupted(DrillOutcome outcome, ExitCode code) {
        List<Reason> reasons = defects(outcome);
        reasons.add(
                0,
                new Reason(
                        code.name(), "the drill ended before its final read: nothing is known about what may be lost"));
        starved(outcome, reasons, Report.Verdict.UNKNOWN);
        return new DrillVerdict(Report.Verdict.UNKNOWN, code, reasons);
    }

    private static List<Reason> defects(DrillOutcome outcome) {
        List<Reason> reasons = new ArrayList<>();
        for (AnomalyType.Group group : AnomalyType.Group.values()) {
            List<Anomaly> found = outcome.defects().stream()
                    .filter(anomaly -> anomaly.type().group() == group)
                    .toList();
            if (!found.isEmpty()) {
                reasons.add(new Reason(
                        switch (group) {
                            case LOST -> "LOST";
                            case DUPLICATED -> "DUPLICATED";
                            case INCONSISTENT_READ -> "INCONSISTENT_READS";
                            case INCONSISTENT_ACKNOWLEDGEMENT -> "INCONSISTENT_ACKNOWLEDGEMENTS";
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

    /** Of everything found, which setting permits it and why, and what no setting permits. */
    private static void permits(DrillConfig config, List<Anomaly> defects, List<Reason> reasons) {
        Map<String, Map<String, List<String>>> bySetting = new LinkedHashMap<>();
        Map<String, String> codes = new LinkedHashMap<>();
        List<String> none = new ArrayList<>();
        for (Anomaly anomaly : defects) {
            String label = anomaly.type().label();
            List<Permit> permits = Permit.of(config, anomaly.type());
            for (Permit permit : permits) {
                codes.put(permit.setting(), permit.code());
                bySetting
                        .computeIfAbsent(permit.setting(), setting -> new LinkedHashMap<>())
                        .computeIfAbsent(permit.why(), why -> new ArrayList<>())
                        .add(label);
            }
            if (permits.isEmpty()) {
                none.add(label + " (" + Permit.inWords(config, anomaly.type()) + ")");
            }
        }
        codes.forEach((setting, code) -> reasons.add(new Reason(
                code,
                setting + " permits "
                        + bySetting.getOrDefault(setting, Map.of()).entrySet().stream()
                                .map(why -> String.join(", ", why.getValue()) + ": " + why.getKey())
                                .collect(Collectors.joining("; ")))));
        if (!none.isEmpty()) {
            reasons.add(new Reason("NOT_PERMITTED", "a defect: " + String.join("; ", none)));
        }
    }

    /** The evidence that HOLDS needs and that is not there. */
    static List<Reason> missing(DrillConfig config, DrillOutcome outcome) {
        List<Reason> reasons = new ArrayList<>(outcome.trouble());
        long acks = outcome.totals().acknowledgedDuringFaults();
        // With acks=1 one fault is injected unasked.
        if (config.faults().isEmpty() && outcome.faults().isEmpty()) {
            reasons.add(new Reason(
                    "NO_FAULTS_ASKED",
                    "--faults none: without a fault nothing was put to the test; leave --faults out, or name some, as"
                            + " kill@leader"));
        } else {
            if (acks < ACKS_NEEDED) {
                reasons.add(new Reason(
                        "TOO_FEW_ACKNOWLEDGED",
                        acks + " records were acknowledged while a fault was active; " + ACKS_NEEDED + " are needed"));
            }
            faults(config, outcome, reasons);
        }
        if (!outcome.lossKnown()) {
            String finalRead = outcome.finalRead().missing();
            reasons.add(new Reason(
                    "FINAL_READ_INCOMPLETE",
                    "not every partition was read to its end offset and checked; how much is lost is unknown: "
                            + (finalRead == null
                                    ? "the history has no complete one of "
                                            + String.join(", ", outcome.log().incomplete())
                                    : finalRead)));
        }
        ReplicaEvidence replicas = outcome.replicas();
        if (replicas.compared() < replicas.replicas()) {
            reasons.add(new Reason(
                    "REPLICAS_NOT_COMPARED",
                    replicas.compared() + " of " + replicas.replicas()
                            + " replicas were compared below the high watermark: " + replicas.missing()));
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
                .forEach(kind -> reasons.add(outcome.faults().stream()
                        .filter(fault -> fault.fault().equals(kind))
                        .map(fault ->
                                new Reason("FAULT_WITHOUT_EFFECT", "no " + kind + " took effect: " + fault.evidence()))
                        .findFirst()
                        .orElseGet(() ->
                                new Reason("FAULT_NOT_INJECTED", "no " + kind + " was injected" + why(outcome)))));
        int count = outcome.effectiveFaults().size();
        if (count < config.faultsNeeded()) {
            reasons.add(new Reason(
                    "TOO_FEW_FAULTS",
                    DrillText.count(count, "fault") + " took effect in "
                            + config.load().toSeconds() + " s; " + config.faultsNeeded()
                            + " are needed, one for every 20 s"));
        }
    }

    /** Why a fault's turn never came, and what helps. */
    private static String why(DrillOutcome outcome) {
        if (outcome.trouble().stream().anyMatch(reason -> reason.code().equals(NOT_HEALED))) {
            return ": there is no further fault after one from which the cluster does not heal in time";
        }
        if (!outcome.trouble().isEmpty()) {
            return ": there is no further fault once the run has failed";
        }
        return outcome.machine().starved()
                ? " in the time: the machine was busy with other things; a quieter one, or more --for, gives it some"
                : " in the time; more --for gives it some";
    }
}
