package io.tidemark.cli.simulate;

import io.tidemark.cli.contract.ExitCode;
import io.tidemark.cli.contract.Report.Verdict;
import io.tidemark.simulation.Effects;
import io.tidemark.simulation.Fault;
import io.tidemark.simulation.Outcome;
import io.tidemark.simulation.Summary;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What runs show: VIOLATED where one broke an invariant; UNKNOWN, and a defect, where one ended in an exception and none broke
 * an invariant; HOLDS where none failed and the evidence suffices: something was acknowledged, each
 * fault that was named had an effect, and of the many seeds that should meet every fault each fault had one; else UNKNOWN.
 */
record SimulateVerdict(Verdict verdict, ExitCode exitCode, List<Reason> reasons) {
    /** Why. */
    record Reason(String code, String message) {}

    /** So many seeds meet every fault of the swarm. */
    static final int MANY = 300;

    static SimulateVerdict of(Summary summary, List<Outcome.Failure> failures, List<Fault> named) {
        List<Reason> reasons = new ArrayList<>();
        if (!failures.isEmpty()) {
            boolean violated = !failures.stream().allMatch(Outcome.Failure::isException);
            String message = failures.size() + " of " + summary.runs() + " seeds failed: " + kinds(failures);
            reasons.add(new Reason(violated ? "FAILED" : "DEFECT", message));
            return violated
                    ? new SimulateVerdict(Verdict.VIOLATED, ExitCode.VIOLATED, reasons)
                    : new SimulateVerdict(Verdict.UNKNOWN, ExitCode.DEFECT, reasons);
        }
        if (summary.acknowledged() == 0) {
            reasons.add(new Reason("NOTHING_ACKNOWLEDGED", "nothing was acknowledged, so nothing could be lost"));
        }
        for (Fault fault : named) {
            boolean effective =
                    summary.faults().stream().anyMatch(count -> count.fault() == fault && count.effective() > 0);
            if (!effective) {
                reasons.add(new Reason(
                        "FAULT_WITHOUT_EFFECT",
                        fault.label() + " never had an effect; one would be: " + fault.evidence()));
            }
        }
        if (summary.runs() >= MANY) {
            summary.missing().forEach(missing -> reasons.add(new Reason("EVIDENCE_MISSING", missing)));
        }
        return reasons.isEmpty()
                ? new SimulateVerdict(Verdict.HOLDS, ExitCode.OK, reasons)
                : new SimulateVerdict(Verdict.UNKNOWN, ExitCode.UNKNOWN, reasons);
    }

    /** Each way to fail, with the number of seeds that did. */
    private static String kinds(List<Outcome.Failure> failures) {
        TreeMap<String, Integer> seeds = new TreeMap<>();
        failures.forEach(failure -> seeds.merge(
                failure.isException()
                        ? failure.check() + ", an exception: a defect of the product or of the simulator,"
                        : failure.check(),
                1,
                Integer::sum));
        return seeds.entrySet().stream()
                .map(kind -> kind.getKey() + " in " + kind.getValue())
                .collect(Collectors.joining("; "));
    }

    static SimulateVerdict interrupted(Summary summary, long asked, ExitCode code) {
        String message = summary.runs() + " of " + asked + " seeds were run";
        return new SimulateVerdict(Verdict.UNKNOWN, code, List.of(new Reason("INTERRUPTED", message)));
    }

    /** Faults that began and never had an effect. */
    static List<String> withoutEffect(Summary summary) {
        return summary.faults().stream()
                .filter(count -> count.effective() == 0)
                .map(Effects.Count::fault)
                .map(Fault::label)
                .toList();
    }
}
