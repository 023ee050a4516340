package io.tidemark.cli.drill;

import io.tidemark.workload.fault.FaultRecord;
import io.tidemark.workload.fault.FaultSpec;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Which of the faults asked for, each a kind and an aim as in {@code kill@leader}, were tried and took effect. A run that
 * holds has an effective fault of each kind; it need not have one of each aim.
 *
 * @param covered took effect at least once
 * @param withoutEffect injected, and never with a proof
 * @param notInjected their turn never came
 * @param endedEarly whether that is because no faults were injected any more, not because of the time
 */
record Coverage(List<String> covered, List<String> withoutEffect, List<String> notInjected, boolean endedEarly) {
    static Coverage of(DrillConfig config, DrillOutcome outcome) {
        Set<String> injected = names(outcome.faults());
        Set<String> effective = names(outcome.effectiveFaults());
        List<String> asked =
                config.faults().stream().map(FaultSpec::toString).distinct().toList();
        return new Coverage(
                asked.stream().filter(effective::contains).toList(),
                asked.stream()
                        .filter(aim -> injected.contains(aim) && !effective.contains(aim))
                        .toList(),
                asked.stream().filter(aim -> !injected.contains(aim)).toList(),
                !outcome.trouble().isEmpty() || outcome.interrupted());
    }

    private static Set<String> names(List<FaultRecord> faults) {
        return faults.stream().map(DrillText::name).collect(Collectors.toCollection(TreeSet::new));
    }

    int asked() {
        return covered.size() + withoutEffect.size() + notInjected.size();
    }

    /** How many faults took effect, and how much of what was asked for that is. */
    String inWords(DrillOutcome outcome) {
        return outcome.effectiveFaults().size() + " of " + outcome.faults().size() + " injected took effect"
                + (asked() == 0
                        ? ", none was asked for"
                        : "; of the " + asked() + " asked for " + covered.size() + " did"
                                + (covered.isEmpty() ? "" : ": " + String.join(", ", covered)));
    }

    /** What was asked for and is not tested, a sentence each. */
    List<String> notTested() {
        return List.of(
                        sentence("asked for and injected, but without effect: ", withoutEffect, ""),
                        sentence(
                                "asked for and never injected: ",
                                notInjected,
                                endedEarly ? "" : "; a longer --for tries more of them"))
                .stream()
                .filter(sentence -> !sentence.isEmpty())
                .toList();
    }

    private static String sentence(String before, List<String> aims, String after) {
        return aims.isEmpty() ? "" : before + String.join(", ", aims) + after;
    }
}
