package io.tidemark.spec.check;

import io.tidemark.spec.model.Model;
import io.tidemark.spec.tlc.TlcResult;
import io.tidemark.spec.tlc.TlcResult.Verdict;
import io.tidemark.spec.trace.Counterexample;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A model, what TLC said of it, and whether that was expected.
 *
 * @param pinned whether figures are compared with the manifest's
 * @param mode breadth-first or simulate
 * @param exhaustive all states within the bounds were looked at
 * @param inputHash of modules, configuration, TLC and flags
 * @param example null where nothing broke
 * @param file where the counterexample is kept, null where there is none
 * @param vacuous properties that hold because what they speak of never happens, each with the reason
 */
public record CheckResult(
        Model model,
        TlcResult tlc,
        boolean pinned,
        String mode,
        boolean exhaustive,
        boolean cached,
        Instant checkedAt,
        String inputHash,
        @Nullable Counterexample example,
        @Nullable Path file,
        Map<String, String> vacuous) {

    /**
     * What is known of one property.
     *
     * @param vacuous why it says nothing of this model though it holds, null where it says something
     */
    public record PropertyVerdict(
            String name,
            String kind,
            String result,
            @Nullable String vacuous) {}

    /** What broke: a property's name or {@code deadlock}; null where nothing did, or TLC does not say. */
    public @Nullable String violated() {
        return tlc.verdict() == Verdict.DEADLOCK ? "deadlock" : tlc.violated();
    }

    /** Memory, time or a kill, not the specification. */
    public boolean incomplete() {
        return tlc.verdict() == Verdict.INCOMPLETE;
    }

    public boolean asExpected() {
        return deviations().isEmpty();
    }

    /** The steps of the counterexample: its states without the first; 0 where there is none. */
    public int steps() {
        return example == null ? 0 : example.steps().size() - 1;
    }

    /** What is not as the manifest says, in words; empty where all is. */
    public List<String> deviations() {
        List<String> deviations = new ArrayList<>();
        String expected = model.expected().violated();
        boolean right = expected == null
                ? tlc.verdict() == Verdict.PASSED
                : (tlc.verdict() == Verdict.VIOLATED || tlc.verdict() == Verdict.DEADLOCK)
                        && expected.equals(violated());
        if (!right) {
            String found = violated() == null ? tlc.verdict().toString() : tlc.verdict() + " " + violated();
            String detail = tlc.detail().lines().findFirst().orElse("");
            deviations.add("expected " + model.expected().word() + ", found " + found
                    + (detail.isEmpty() || violated() != null ? "" : " (" + detail + ")"));
        } else if (pinned) {
            compare(deviations, "distinct states", model.expected().distinct(), tlc.distinct());
            boolean broken = example != null;
            Integer length =
                    broken ? model.expected().steps() : model.expected().depth();
            compare(
                    deviations,
                    broken ? "steps" : "depth",
                    length == null ? null : Long.valueOf(length),
                    broken ? steps() : tlc.depth());
        }
        return deviations;
    }

    private static void compare(List<String> deviations, String what, @Nullable Long expected, long found) {
        if (expected != null && expected != found) {
            deviations.add("expected " + expected + " as " + what + ", found " + found);
        }
    }

    /** Whether it holds because what its properties speak of never happens, of each of them. */
    public boolean silent() {
        int checked =
                model.config().invariants().size() + model.config().properties().size();
        return checked > 0 && vacuous.size() == checked;
    }

    /** Each property that was checked. */
    public List<PropertyVerdict> properties() {
        List<PropertyVerdict> verdicts = new ArrayList<>();
        model.config().invariants().forEach(name -> verdicts.add(verdict(name, "invariant")));
        model.config().properties().forEach(name -> verdicts.add(verdict(name, "property")));
        return verdicts;
    }

    private PropertyVerdict verdict(String name, String kind) {
        String result = tlc.verdict() == Verdict.PASSED && exhaustive
                ? "HOLDS"
                : name.equals(tlc.violated()) ? "VIOLATED" : "UNDECIDED";
        return new PropertyVerdict(name, kind, result, vacuous.get(name));
    }
}
