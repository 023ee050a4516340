package io.tidemark.cli.spec;

import io.tidemark.cli.contract.ExitCode;
import io.tidemark.cli.spec.CheckDocument.Findings;
import io.tidemark.spec.check.CheckResult;
import io.tidemark.spec.check.CheckResult.PropertyVerdict;
import io.tidemark.spec.tlc.TlcResult.ActionCount;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;

/** What {@code spec check} found, for people: a line a model, then what is to be told of it. */
final class CheckText {
    /** Of so many models each is told in full. */
    private static final int FEW = 3;

    private CheckText() {}

    /** One model in one line. */
    static String line(CheckResult result) {
        String word = CheckDocument.code(result) == ExitCode.OK ? "ok" : "NOT AS EXPECTED";
        String found = result.violated() == null
                ? result.tlc().verdict().name()
                : result.tlc().verdict() + " " + result.violated();
        return String.format(
                Locale.ROOT,
                "%-15s %-36s %-36s %,11d states  %s %3d  %6.1f s%s",
                result.incomplete() && !result.asExpected() ? "UNKNOWN" : word,
                result.model().name(),
                found,
                result.tlc().distinct(),
                result.example() == null ? "depth" : "steps",
                result.example() == null ? result.tlc().depth() : result.steps(),
                result.tlc().durationMs() / 1_000.0,
                result.cached() ? "  (known since " + result.checkedAt() + ")" : "");
    }

    /**
     * The report.
     *
     * @param lines whether the lines of the models are part of it
     */
    static void print(Findings findings, boolean lines, Function<CheckResult, List<String>> story, PrintStream out) {
        if (lines) {
            findings.results().forEach(result -> out.println(line(result)));
        }
        boolean few = findings.results().size() <= FEW;
        for (CheckResult result : findings.results()) {
            if (few || !result.asExpected()) {
                details(result, few, story, out);
            }
        }
        if (!findings.untaken().isEmpty()) {
            out.println("taken in none of these models: " + String.join(", ", findings.untaken()));
        }
        findings.notes().forEach(note -> out.println("note: " + note[1]));
        long asExpected =
                findings.results().stream().filter(CheckResult::asExpected).count();
        out.println(findings.verdict() + ": " + asExpected + " of "
                + findings.results().size() + " models are as expected"
                + (findings.interrupted() == null ? "" : "; interrupted, the others were not checked"));
    }

    private static void details(
            CheckResult result, boolean all, Function<CheckResult, List<String>> story, PrintStream out) {
        out.println();
        out.println(result.model().name()
                + (result.model().purpose().isEmpty()
                        ? ""
                        : ": " + result.model().purpose()));
        result.deviations().forEach(text -> out.println("  " + text));
        if (!result.asExpected() && !result.tlc().detail().isEmpty()) {
            result.tlc().detail().lines().limit(12).forEach(text -> out.println("  TLC: " + text));
        }
        if (all) {
            for (PropertyVerdict property : result.properties()) {
                out.println("  " + property.kind() + " " + property.name() + ": " + property.result());
            }
            String taken = result.tlc().actions().stream().map(CheckText::count).collect(Collectors.joining(", "));
            out.print(taken.isEmpty() ? "" : "  taken: " + taken + "\n");
        }
        Path file = result.file();
        if (file != null) {
            story.apply(result).forEach(text -> out.println("  " + text));
            out.println("  saved; walk through it: ./tidemark spec step " + file);
        }
        out.println();
    }

    private static String count(ActionCount action) {
        return String.format(Locale.ROOT, "%s %,d", action.name(), action.taken());
    }
}
