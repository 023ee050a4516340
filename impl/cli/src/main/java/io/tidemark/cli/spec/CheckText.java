package io.tidemark.cli.spec;

import io.tidemark.cli.contract.ExitCode;
import io.tidemark.cli.contract.Installation;
import io.tidemark.cli.contract.Wrap;
import io.tidemark.cli.spec.CheckDocument.Findings;
import io.tidemark.spec.check.Bounds;
import io.tidemark.spec.check.CheckResult;
import io.tidemark.spec.check.CheckResult.PropertyVerdict;
import io.tidemark.spec.tlc.TlcResult.ActionCount;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What {@code spec check} found, for people: a line a model, then what is to be told of it. */
final class CheckText {
    /** Of so many models each is told in full. */
    private static final int FEW = 3;

    private final Findings findings;
    private final Function<CheckResult, List<String>> story;
    private final Function<CheckResult, Bounds> bounds;
    private final int width;
    private final PrintStream out;

    /**
     * The report, to be printed.
     *
     * @param width the columns that a reader has
     */
    CheckText(
            Findings findings,
            Function<CheckResult, List<String>> story,
            Function<CheckResult, Bounds> bounds,
            int width,
            PrintStream out) {
        this.findings = findings;
        this.story = story;
        this.bounds = bounds;
        this.width = width;
        this.out = out;
    }

    /**
     * One model in one line.
     *
     * @param meant what it shows of a guard that was switched off, null where none was
     * @param emptied whether it holds and is no verdict, as nothing is left to speak of
     */
    static String line(CheckResult result, @Nullable String meant, boolean emptied) {
        String word = CheckDocument.code(result) == ExitCode.OK ? "ok" : meant != null ? "GUARD OFF" : "UNEXPECTED";
        String found = result.violated() == null
                ? result.tlc().verdict().name()
                : result.tlc().verdict() + " " + result.violated();
        return String.format(
                Locale.ROOT,
                "%-10s %-26s %-26s %,9d states  %s %2d  %5.1f s%s%s",
                emptied || (result.incomplete() && !result.asExpected()) ? "UNKNOWN" : word,
                result.model().name(),
                found,
                result.mode().equals("simulate")
                        ? result.tlc().generated()
                        : result.tlc().distinct(),
                result.example() == null ? "depth" : "steps",
                result.example() == null ? result.tlc().depth() : result.steps(),
                result.tlc().durationMs() / 1_000.0,
                result.vacuous().isEmpty()
                        ? ""
                        : "  " + result.vacuous().size() + " of "
                                + result.properties().size() + " vacuous",
                result.cached() ? "  (remembered: found, and timed, at " + result.checkedAt() + ")" : "");
    }

    /**
     * All of it.
     *
     * @param lines whether the lines of the models are part of it
     */
    void print(boolean lines) {
        if (lines) {
            findings.results()
                    .forEach(result ->
                            out.println(line(result, findings.meant(result), findings.vacuous(result) != null)));
        }
        boolean few = findings.results().size() <= FEW;
        for (CheckResult result : findings.results()) {
            if (few || !findings.asExpected(result)) {
                details(result, few);
            }
        }
        // Of one model that is told in full they stand there already.
        if (!findings.untaken().isEmpty()
                && (findings.untakenFails() || findings.results().size() > 1)) {
            say("taken in none of these models: " + String.join(", ", findings.untaken()));
        }
        findings.notes().forEach(note -> say("note: " + note[1]));
        say(ending(few));
    }

    private String ending(boolean few) {
        long asExpected =
                findings.results().stream().filter(findings::asExpected).count();
        long meant = findings.results().stream()
                .filter(result -> findings.meant(result) != null)
                .count();
        int asked = findings.asked();
        int open = asked - findings.results().size();
        boolean simulated =
                !findings.results().isEmpty() && findings.results().stream().allMatch(CheckText::brokeNothingAtRandom);
        String summary = simulated
                ? "nothing broke in random behaviours, and without a full search there is no verdict (exit status 3)"
                : meant > 0 && meant == findings.results().size()
                        ? meant + " of " + asked
                                + " models broke without the guard, which is what it is for (exit status 1: a"
                                + " property broke)"
                        : notMissed()
                                ? asExpected + " of " + asked + " models hold without the guard, and show nothing of it"
                                : asExpected + " of " + asked + " models are as expected"
                                        + (meant == 0 ? "" : ", " + meant + " broke without the guard");
        return findings.verdict() + ": " + summary + vacuous() + remembered()
                + (findings.interrupted() == null ? "" : "; interrupted, " + open + " not checked to the end")
                + "; nothing is claimed beyond "
                + (few ? "the bounds" : "the bounds of each model (spec explain MODEL)");
    }

    /** How many properties hold as nothing happens that they speak of, and where that is why there is no verdict. */
    private String vacuous() {
        int vacuous = 0;
        int all = 0;
        for (CheckResult result : findings.results()) {
            vacuous += result.vacuous().size();
            all += result.properties().size();
        }
        int emptied = findings.vacuous().size();
        return vacuous == 0
                ? ""
                : "; " + vacuous + " of " + all + " properties vacuous: nothing happened that they speak of"
                        + (emptied == 0
                                ? ""
                                : ", and so " + emptied + " of " + findings.asked()
                                        + " models without a verdict (VACUOUS)");
    }

    private String remembered() {
        long cached = findings.results().stream().filter(CheckResult::cached).count();
        return cached == 0
                ? ""
                : " (" + cached + " remembered, " + (findings.results().size() - cached)
                        + " run now; --force runs them anew)";
    }

    /** A guard is off in all, and nothing broke in any. */
    private boolean notMissed() {
        return findings.notes().stream()
                                .filter(note -> note[0].equals(CheckDocument.GUARD_NOT_MISSED))
                                .count()
                        == findings.results().size()
                && !findings.results().isEmpty();
    }

    private static boolean brokeNothingAtRandom(CheckResult result) {
        return result.mode().equals("simulate") && result.incomplete();
    }

    private void details(CheckResult result, boolean all) {
        String meant = findings.meant(result);
        out.println();
        say(result.model().name()
                + (result.model().purpose().isEmpty()
                        ? ""
                        : ": " + result.model().purpose()));
        say("  bounds: " + bounds.apply(result).inWords());
        if (meant != null) {
            say("  " + meant);
        } else {
            result.deviations().forEach(text -> say("  " + text));
            if (result.tlc().outOfMemory()) {
                say(
                        "  more memory may be enough: --heap 4g, or what the machine has; counting actions takes most of it");
            }
            String vacuous = findings.vacuous(result);
            if (vacuous != null) {
                say("  " + vacuous);
            }
            // What is incomplete has one line, which stands above already.
            if (!result.asExpected() && !result.incomplete()) {
                result.tlc().detail().lines().limit(12).forEach(text -> out.println("  TLC: " + text));
            }
        }
        if (all) {
            properties(result);
            actions(result);
        }
        Path file = result.file();
        if (file != null) {
            story.apply(result)
                    .forEach(text -> Wrap.lines("  " + text, width, "         ").forEach(out::println));
            out.println("  saved; walk through it: " + Installation.called() + " spec step " + file.toAbsolutePath());
        }
        out.println();
    }

    private void properties(CheckResult result) {
        List<PropertyVerdict> properties = result.properties();
        for (PropertyVerdict property : properties) {
            if (!property.result().equals("UNDECIDED")) {
                say("  " + property.kind() + " " + property.name() + ": " + property.result()
                        + (property.vacuous() == null ? "" : " (vacuous: " + property.vacuous() + ")"));
            }
        }
        List<String> open = properties.stream()
                .filter(property -> property.result().equals("UNDECIDED"))
                .map(PropertyVerdict::name)
                .toList();
        if (!open.isEmpty()) {
            String why = result.violated() == null
                    ? "the search did not come to its end"
                    : "TLC stops at the first violation, and what it had not searched may break them too";
            say("  UNDECIDED, as " + why + ": " + String.join(", ", open));
        }
    }

    private void actions(CheckResult result) {
        List<ActionCount> actions = result.tlc().actions();
        List<String> taken = actions.stream()
                .filter(action -> action.taken() > 0)
                .map(action -> String.format(Locale.ROOT, "%,9d %s", action.taken(), action.name()))
                .toList();
        List<String> never = actions.stream()
                .filter(action -> action.taken() == 0)
                .map(ActionCount::name)
                .toList();
        if (!taken.isEmpty()) {
            out.println("  actions, and how often each was taken:");
            Wrap.cells(taken, width, "  ").forEach(out::println);
        }
        if (!never.isEmpty()) {
            out.println("  never taken:");
            Wrap.cells(never, width, "    ").forEach(out::println);
        }
        if (actions.isEmpty() && result.exhaustive()) {
            say(
                    "  actions were not counted, which takes a multiple of time and memory in a model of this size; to count"
                            + " them: --heap 8g -- -coverage 10000");
        }
    }

    private void say(String text) {
        Wrap.lines(text, width, "    ").forEach(out::println);
    }
}
