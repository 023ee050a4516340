package io.tidemark.cli.history;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.cli.contract.CliException;
import io.tidemark.cli.contract.ExitCode;
import io.tidemark.cli.contract.Report;
import io.tidemark.history.check.HistoryResult;
import io.tidemark.history.engine.EngineResult;
import io.tidemark.history.engine.Finding;
import io.tidemark.history.engine.HistoryModel;
import io.tidemark.history.engine.Outcome;
import java.io.PrintStream;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What {@code history check} says of all files, as a document and as text. */
final class HistoryReport {
    private static final int MAX_OPERATIONS_TOLD = 20;

    private final List<CheckedFile> files;
    private final boolean strongReads;
    private final int asked;
    private final @Nullable ExitCode interrupted;

    HistoryReport(List<CheckedFile> files, boolean strongReads, int asked, @Nullable ExitCode interrupted) {
        this.files = files;
        this.strongReads = strongReads;
        this.asked = asked;
        this.interrupted = interrupted;
    }

    Report document() {
        Report report = new Report("tidemark.history.check/1");
        verdict(report);
        ArrayNode list = report.body().putArray("files");
        for (CheckedFile file : files) {
            HistoryResult result = file.result();
            CliException error = file.error();
            if (result != null) {
                file(list.addObject(), file, result);
            } else if (error != null) {
                unread(list.addObject(), file, error);
            }
        }
        notTested().forEach(report::notTested);
        return report;
    }

    /** What the verdicts say nothing about. */
    private Set<String> notTested() {
        Set<String> notTested = new LinkedHashSet<>();
        for (CheckedFile file : files) {
            HistoryResult result = file.result();
            if (result != null) {
                result.engines().forEach(engine -> notTested.addAll(engine.notes()));
                if (result.model() == HistoryModel.LOG && !strongReads) {
                    notTested.add("whether readers that asked where a log ends were told all that had been acknowledged"
                            + " (--strong-reads)");
                }
            }
        }
        return notTested;
    }

    /** 1 beats 4 beats 3 beats 0. */
    private void verdict(Report report) {
        report.verdict(verdict());
        switch (verdict()) {
            case VIOLATED -> report.exit(ExitCode.VIOLATED);
            case UNKNOWN -> report.exit(anyError() ? ExitCode.INPUT : ExitCode.UNKNOWN);
            case HOLDS -> {
                // Exit code 0.
            }
        }
        for (CheckedFile file : files) {
            HistoryResult result = file.result();
            CliException error = file.error();
            if (error != null) {
                report.reason(error.code(), String.valueOf(error.getMessage()));
            } else if (result != null && result.outcome() == Outcome.INVALID) {
                report.reason("HISTORY_INVALID", file.file() + ": " + first(result.findings()));
            } else if (result != null && result.code() != null) {
                report.reason(result.code(), file.file() + ": " + result.cause());
            }
        }
        if (interrupted != null) {
            report.exit(interrupted).reason("INTERRUPTED", files.size() + " of " + asked + " files were checked");
        }
    }

    /** Of all files together. */
    Report.Verdict verdict() {
        if (any(Outcome.INVALID)) {
            return Report.Verdict.VIOLATED;
        }
        return anyError() || any(Outcome.UNKNOWN) || interrupted != null
                ? Report.Verdict.UNKNOWN
                : Report.Verdict.HOLDS;
    }

    private boolean anyError() {
        return files.stream().anyMatch(file -> file.error() != null);
    }

    private static String first(List<Finding> findings) {
        return findings.stream()
                .filter(finding -> !finding.allowed())
                .findFirst()
                .map(Finding::explanation)
                .orElse("no explanation");
    }

    private boolean any(Outcome outcome) {
        return files.stream()
                .map(CheckedFile::result)
                .anyMatch(result -> result != null && result.outcome() == outcome);
    }

    private void file(ObjectNode node, CheckedFile file, HistoryResult result) {
        node.put("file", file.file().toString())
                .put("verdict", result.outcome().name())
                .put("cause", result.cause())
                .put("model", result.model().label())
                .put("strongReads", strongReads && result.model() == HistoryModel.LOG)
                .put("operations", result.operations())
                .put("ok", result.ok())
                .put("fail", result.fail())
                .put("info", result.info())
                .put("processes", result.processes())
                .put("finalPhase", result.finalRead());
        ArrayNode engines = node.putArray("engines");
        for (EngineResult engine : result.engines()) {
            engines.addObject()
                    .put("name", engine.engine())
                    .put("verdict", engine.outcome().name())
                    .put("cause", engine.cause())
                    .put("durationMs", engine.durationMs())
                    .put("peakBytes", engine.peakBytes());
        }
        ArrayNode anomalies = node.putArray("anomalies");
        result.engines()
                .forEach(engine -> engine.findings().forEach(finding -> anomaly(anomalies, engine.engine(), finding)));
    }

    private static void anomaly(ArrayNode anomalies, String engine, Finding finding) {
        ObjectNode node = anomalies
                .addObject()
                .put("type", finding.type())
                .put("topic", finding.topic())
                .put("partition", finding.partition())
                .put("offset", finding.offset())
                .put("count", finding.count());
        finding.operations().forEach(node.putArray("operations")::add);
        node.put("explanation", finding.explanation())
                .put("engine", engine)
                .put("allowed", finding.allowed())
                .put("minimal", finding.minimal());
    }

    private void unread(ObjectNode node, CheckedFile file, CliException error) {
        node.put("file", file.file().toString())
                .put("verdict", Outcome.UNKNOWN.name())
                .put("cause", error.getMessage())
                .putNull("model");
        node.put("strongReads", strongReads);
        for (String count : List.of("operations", "ok", "fail", "info", "processes", "finalPhase")) {
            node.putNull(count);
        }
        node.putArray("engines");
        node.putArray("anomalies");
    }

    /** A line a file where quiet; otherwise what was found as well, and what VALID does not mean. */
    void print(PrintStream out, boolean quiet) {
        for (CheckedFile file : files) {
            HistoryResult result = file.result();
            Outcome outcome = result == null ? Outcome.UNKNOWN : result.outcome();
            if (quiet) {
                out.println(file.file() + "\t" + outcome.name().toLowerCase(Locale.ROOT));
            } else if (result != null) {
                tell(out, file, result);
            } else {
                out.println(file.file() + ": UNKNOWN, not a history");
            }
        }
        if (!quiet && any(Outcome.VALID)) {
            notTested().forEach(what -> out.println("not tested: " + what));
        }
        if (interrupted != null && !quiet) {
            out.println("interrupted: " + files.size() + " of " + asked + " files were checked");
        }
    }

    private static void tell(PrintStream out, CheckedFile file, HistoryResult result) {
        String engines = result.engines().stream()
                .map(engine -> engine.engine() + " " + engine.durationMs() + " ms")
                .collect(Collectors.joining(", "));
        out.println(file.file() + ": " + result.outcome() + " (model "
                + result.model().label() + ", "
                + result.operations() + " operations of " + result.processes() + " processes: " + result.ok() + " ok, "
                + result.fail() + " fail, " + result.info() + " info" + (engines.isEmpty() ? "" : "; " + engines)
                + ")");
        if (result.cause() != null) {
            out.println("  " + result.cause());
        } else if (result.model() == HistoryModel.LOG) {
            out.println("  final read: " + finalRead(result));
        }
        for (EngineResult engine : result.engines()) {
            for (Finding finding : engine.findings()) {
                tell(out, finding, result.engines().size() > 1 ? engine.engine() + ": " : "");
            }
        }
    }

    private static String finalRead(HistoryResult result) {
        return result.finalRead()
                ? "complete for " + result.partitionsReadWhole() + " of the " + result.partitionsFinallyRead()
                        + " partitions that it names"
                : "none: records that nobody saw again may be lost";
    }

    private static void tell(PrintStream out, Finding finding, String engine) {
        out.println("  " + engine + finding.type() + (finding.count() > 1 ? " (" + finding.count() + ")" : "")
                + (finding.allowed() ? ", allowed" : "") + where(finding) + ": " + finding.explanation());
        List<Long> operations = finding.operations();
        if (!operations.isEmpty()) {
            out.println("    operations "
                    + operations.stream()
                            .limit(MAX_OPERATIONS_TOLD)
                            .map(String::valueOf)
                            .collect(Collectors.joining(", "))
                    + (operations.size() > MAX_OPERATIONS_TOLD
                            ? " and " + (operations.size() - MAX_OPERATIONS_TOLD) + " more"
                            : "")
                    + (finding.minimal() ? "" : ", not all of which may be needed"));
        }
    }

    private static String where(Finding finding) {
        if (finding.topic() == null) {
            return "";
        }
        return " in " + finding.topic() + (finding.partition() == null ? "" : "-" + finding.partition());
    }
}
