package io.tidemark.cli.history;

import io.tidemark.cli.contract.CliException;
import io.tidemark.history.check.HistoryResult;
import io.tidemark.history.engine.EngineResult;
import io.tidemark.history.engine.Finding;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Checked histories as Markdown, for a build's summary. Text of a history is shown as it is, and marks nothing up. */
final class HistoryMarkdown {
    private static final int MAX_TEXT = 500;

    private HistoryMarkdown() {}

    /** @param verdict of all files */
    static String of(List<CheckedFile> files, String verdict) {
        StringBuilder out = new StringBuilder("# Histories: " + verdict + "\n\n");
        out.append("| history | verdict | model | operations | engines |\n| --- | --- | --- | ---: | --- |\n");
        files.forEach(file -> row(out, file));
        for (CheckedFile file : files) {
            HistoryResult result = file.result();
            CliException error = file.error();
            if (error != null) {
                item(out, file, String.valueOf(error.getMessage()));
            } else if (result != null) {
                if (result.cause() != null) {
                    item(out, file, result.cause());
                }
                result.engines().forEach(engine -> engine.findings().forEach(finding -> item(out, file, finding)));
            }
        }
        return out.toString();
    }

    private static void row(StringBuilder out, CheckedFile file) {
        HistoryResult result = file.result();
        out.append("| ").append(text(file.file().toString())).append(" | ");
        if (result == null) {
            out.append("UNKNOWN | | | |\n");
            return;
        }
        out.append(result.outcome())
                .append(" | ")
                .append(result.model().label())
                .append(" | ");
        out.append(result.operations())
                .append(" | ")
                .append(engines(result.engines()))
                .append(" |\n");
    }

    private static String engines(List<EngineResult> engines) {
        return engines.stream()
                .map(engine -> engine.engine() + " " + engine.outcome() + " " + engine.durationMs() + " ms")
                .collect(Collectors.joining(", "));
    }

    private static void item(StringBuilder out, CheckedFile file, Finding finding) {
        item(
                out,
                file,
                finding.type() + (finding.count() > 1 ? " (" + finding.count() + ")" : "")
                        + (finding.allowed() ? ", allowed" : "") + ": " + finding.explanation());
    }

    private static void item(StringBuilder out, CheckedFile file, @Nullable String sentence) {
        out.append("\n- ").append(text(file.file().toString())).append(": ").append(text(String.valueOf(sentence)));
    }

    private static String text(String plain) {
        String shortened = plain.length() <= MAX_TEXT ? plain : plain.substring(0, MAX_TEXT) + "...";
        return shortened
                .replace("&", "&amp;")
                .replace("<", "&lt;")
                .replaceAll("\\p{Cntrl}", " ")
                .replaceAll("([\\\\`*_\\[\\]|#!])", "\\\\$1");
    }
}
