package io.tidemark.cli.drill;

import io.tidemark.cli.contract.ExitCode;
import io.tidemark.history.log.AnomalyType;
import io.tidemark.workload.fault.FaultRecord;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A drill as a JUnit test suite: a case for each promise, one for the verdict as the exit code tells it, one for each
 * fault, skipped where it had no effect or the cluster did not recover, and a skipped one for each fault that was asked
 * for and not tested. A promise passes only in a run with all of
 * the evidence that HOLDS needs, else it is skipped; one that is broken fails, unless the settings or
 * {@code --expect loss} say that it may be. There are failures if and only if the exit code is 1, errors if it is
 * another one than 0. The suite's time is the document's {@code durationMs}.
 */
final class DrillJunit {
    private record Case(
            String suite,
            String name,
            @Nullable Long nanos,
            @Nullable String element,
            String message) {}

    private final DrillConfig config;
    private final DrillOutcome outcome;
    private final DrillVerdict verdict;
    private final long durationMs;

    private DrillJunit(DrillConfig config, DrillOutcome outcome, DrillVerdict verdict, long durationMs) {
        this.config = config;
        this.outcome = outcome;
        this.verdict = verdict;
        this.durationMs = durationMs;
    }

    /**
     * The suite.
     *
     * @param durationMs of the whole command, its nodes' start and end included
     */
    static String of(DrillConfig config, DrillOutcome outcome, DrillVerdict verdict, long durationMs) {
        return new DrillJunit(config, outcome, verdict, durationMs).suite();
    }

    private String suite() {
        List<Case> cases = new ArrayList<>();
        for (AnomalyType.Group group : AnomalyType.Group.values()) {
            cases.add(promise(group));
        }
        cases.add(end());
        outcome.faults().forEach(fault -> cases.add(fault(fault)));
        Coverage coverage = Coverage.of(config, outcome);
        coverage.withoutEffect().forEach(aim -> cases.add(untested(aim, "asked for and injected, but without effect")));
        coverage.notInjected().forEach(aim -> cases.add(untested(aim, "asked for and never injected")));
        return suite(cases);
    }

    private Case promise(AnomalyType.Group group) {
        String name = switch (group) {
            case LOST -> "no acknowledged record is lost";
            case DUPLICATED -> "no record is there twice";
            case INCONSISTENT_READ -> "no reader sees what others do not";
            case INCONSISTENT_ACKNOWLEDGEMENT -> "no acknowledgement contradicts another or what readers were given";
            case ORDER -> "records keep their order";
            case REPLICA -> "replicas are equal below the high watermark";
        };
        String broken = found(group, false);
        String allowed = found(group, true);
        if (!broken.isEmpty()) {
            if (verdict.exitCode() != ExitCode.OK) {
                return new Case("drill", name, null, bad(), broken);
            }
            String expected = group == AnomalyType.Group.LOST ? "expected: " : "beside the expected loss: ";
            return new Case("drill", name, null, "skipped", expected + broken);
        }
        String notChecked = notChecked(group);
        if (notChecked != null) {
            return new Case("drill", name, null, "skipped", notChecked);
        }
        return allowed.isEmpty()
                ? new Case("drill", name, null, null, "")
                : new Case("drill", name, null, "skipped", "allowed by the settings: " + allowed);
    }

    private String found(AnomalyType.Group group, boolean allowed) {
        return outcome.anomalies().stream()
                .filter(anomaly -> anomaly.type().group() == group && anomaly.allowed() == allowed)
                .map(anomaly -> anomaly.count() + " " + anomaly.type().label() + " ("
                        + Permit.inWords(config, anomaly.type()) + "): "
                        + anomaly.first().explanation())
                .collect(Collectors.joining("; "));
    }

    /** Why nothing is said about the promise, null if it was checked with evidence enough. */
    private @Nullable String notChecked(AnomalyType.Group group) {
        if (outcome.interrupted()) {
            return "not checked: the drill ended before its final read";
        }
        List<DrillVerdict.Reason> missing = DrillVerdict.missing(config, outcome);
        if (!missing.isEmpty()) {
            return missing.stream()
                    .map(DrillVerdict.Reason::message)
                    .collect(Collectors.joining("; ", "nothing was found, but the evidence does not suffice: ", ""));
        }
        return group == AnomalyType.Group.REPLICA && config.replicationFactor() == 1
                ? "not checked: a partition has one replica, there is none to compare it with"
                : null;
    }

    /** What no case tells of where all pass. */
    private String notes() {
        return verdict.reasons().stream()
                .filter(verdict::isNote)
                .map(note -> "; " + note.code() + ": " + note.message())
                .collect(Collectors.joining());
    }

    private Case end() {
        return new Case(
                "drill",
                config.expectLoss()
                        ? "the loss that --expect loss asked for occurred"
                        : "the drill ends with nothing lost and enough evidence",
                durationMs * 1_000_000,
                verdict.exitCode() == ExitCode.OK ? null : bad(),
                verdict.verdict() + ": " + reasons());
    }

    private String bad() {
        return verdict.exitCode() == ExitCode.VIOLATED ? "failure" : "error";
    }

    private String reasons() {
        return verdict.reasons().stream()
                .map(reason -> reason.code() + ": " + reason.message())
                .collect(Collectors.joining("; "));
    }

    private static Case fault(FaultRecord fault) {
        return new Case(
                "drill.faults",
                fault.id() + " " + fault.fault() + "@" + fault.target(),
                fault.endNanos() - fault.startNanos(),
                fault.effective() && fault.whole() ? null : "skipped",
                fault.evidence());
    }

    private static Case untested(String aim, String why) {
        return new Case("drill.faults", aim, null, "skipped", why);
    }

    private String suite(List<Case> cases) {
        StringBuilder out = new StringBuilder("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
        out.append(String.format(
                Locale.ROOT,
                "<testsuite name=\"tidemark drill\" tests=\"%d\" failures=\"%d\" errors=\"%d\" skipped=\"%d\""
                        + " time=\"%.3f\">%n",
                cases.size(),
                count(cases, "failure"),
                count(cases, "error"),
                count(cases, "skipped"),
                durationMs / 1e3));
        out.append("  <properties>\n");
        properties()
                .forEach((name, value) ->
                        out.append("    <property name=\"" + name + "\" value=\"" + escaped(value) + "\"/>\n"));
        out.append("  </properties>\n");
        cases.forEach(each -> append(out, each));
        out.append("  <system-out>")
                .append(escaped(DrillText.headline(config, outcome, verdict) + notes()))
                .append("</system-out>\n");
        return out.append("</testsuite>\n").toString();
    }

    /** What was found, whatever was expected. */
    private Map<String, String> properties() {
        Map<String, String> properties = new LinkedHashMap<>();
        properties.put("verdict", verdict.verdict().name());
        properties.put("exitCode", Integer.toString(verdict.exitCode().code()));
        properties.put("expect", config.expectLoss() ? "loss" : "holds");
        properties.put("seed", Long.toString(config.seed()));
        properties.put("acknowledged", Long.toString(outcome.totals().acknowledged()));
        properties.put("lost", known(outcome.lostCount()));
        properties.put("duplicated", known(outcome.duplicatedCount()));
        properties.put("starved", Boolean.toString(outcome.machine().starved()));
        return properties;
    }

    private static String known(@Nullable Long figure) {
        return figure == null ? "unknown" : figure.toString();
    }

    private static void append(StringBuilder out, Case each) {
        Long nanos = each.nanos();
        out.append("  <testcase classname=\"" + each.suite() + "\" name=\"" + escaped(each.name()) + "\"");
        out.append(nanos == null ? "" : String.format(Locale.ROOT, " time=\"%.3f\"", nanos / 1e9));
        out.append(
                each.element() == null
                        ? "/>\n"
                        : ">\n    <" + each.element() + " message=\"" + escaped(each.message())
                                + "\"/>\n  </testcase>\n");
    }

    private static long count(List<Case> cases, String element) {
        return cases.stream().filter(each -> element.equals(each.element())).count();
    }

    /** For an attribute; characters that XML 1.0 cannot carry become a question mark. */
    private static String escaped(String text) {
        return text.replaceAll("[^\\x20-\\uD7FF\\uE000-\\uFFFD]", "?")
                .replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace("\"", "&quot;");
    }
}
