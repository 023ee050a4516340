package io.tidemark.cli.history;

import io.tidemark.cli.contract.CliException;
import io.tidemark.history.check.HistoryResult;
import io.tidemark.history.engine.EngineResult;
import io.tidemark.history.engine.Finding;
import io.tidemark.history.engine.Outcome;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Checked histories as a JUnit test suite: a case for each file. A valid history passes, an invalid one fails, what is
 * unknown or could not be read is an error and never passes; files that were not reached are errors too.
 */
final class HistoryJunit {
    private HistoryJunit() {}

    /** @param asked how many files there were to check */
    static String of(List<CheckedFile> files, int asked) {
        long failures = files.stream().filter(file -> is(file, Outcome.INVALID)).count();
        long valid = files.stream().filter(file -> is(file, Outcome.VALID)).count();
        StringBuilder out = new StringBuilder("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
        out.append(String.format(
                Locale.ROOT,
                "<testsuite name=\"tidemark history check\" tests=\"%d\" failures=\"%d\" errors=\"%d\" skipped=\"0\""
                        + " time=\"%.3f\">%n",
                asked,
                failures,
                asked - failures - valid,
                files.stream().mapToLong(HistoryJunit::millis).sum() / 1e3));
        files.forEach(file -> append(out, file));
        for (int i = files.size(); i < asked; i++) {
            element(out, "file " + (i + 1), 0, "error", "interrupted before it was checked");
        }
        return out.append("</testsuite>\n").toString();
    }

    private static boolean is(CheckedFile file, Outcome outcome) {
        HistoryResult result = file.result();
        return result != null && result.outcome() == outcome;
    }

    private static long millis(CheckedFile file) {
        HistoryResult result = file.result();
        return result == null
                ? 0
                : result.engines().stream().mapToLong(EngineResult::durationMs).sum();
    }

    private static void append(StringBuilder out, CheckedFile file) {
        HistoryResult result = file.result();
        CliException error = file.error();
        String name = file.file().toString();
        if (result == null) {
            element(out, name, 0, "error", error == null ? "not checked" : String.valueOf(error.getMessage()));
            return;
        }
        switch (result.outcome()) {
            case VALID -> element(out, name, millis(file), null, "");
            case INVALID -> element(out, name, millis(file), "failure", found(result));
            case UNKNOWN -> element(out, name, millis(file), "error", String.valueOf(result.cause()));
        }
    }

    private static String found(HistoryResult result) {
        return result.findings().stream()
                .filter(finding -> !finding.allowed())
                .map(HistoryJunit::sentence)
                .collect(Collectors.joining("; "));
    }

    private static String sentence(Finding finding) {
        return finding.count() + " " + finding.type() + ": " + finding.explanation();
    }

    private static void element(StringBuilder out, String name, long millis, @Nullable String element, String message) {
        out.append("  <testcase classname=\"history\" name=\"")
                .append(escaped(name))
                .append('"');
        out.append(String.format(Locale.ROOT, " time=\"%.3f\"", millis / 1e3));
        out.append(
                element == null
                        ? "/>\n"
                        : ">\n    <" + element + " message=\"" + escaped(message) + "\"/>\n  </testcase>\n");
    }

    /** For an attribute; characters that XML 1.0 cannot carry become a question mark. */
    private static String escaped(String text) {
        return text.replaceAll("[^\\x20-\\uD7FF\\uE000-\\uFFFD]", "?")
                .replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace("\"", "&quot;");
    }
}
