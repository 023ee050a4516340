package io.tidemark.cli.drill;

import io.tidemark.cli.contract.ExitCode;
import io.tidemark.history.log.Anomaly;
import io.tidemark.history.log.AnomalyType;
import io.tidemark.workload.fault.FaultRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A drill as a JUnit test suite: a case for each promise, one for the verdict as the exit code tells it, and one for
 * each fault, skipped where it had no effect.
 */
final class DrillJunit {
    private record Case(
            String suite,
            String name,
            double seconds,
            @Nullable String element,
            String message) {}

    private DrillJunit() {}

    static String of(DrillConfig config, DrillOutcome outcome, DrillVerdict verdict) {
        List<Case> cases = new ArrayList<>();
        for (AnomalyType.Group group : AnomalyType.Group.values()) {
            cases.add(promise(config, outcome, group));
        }
        cases.add(end(verdict));
        outcome.faults().forEach(fault -> cases.add(fault(fault)));
        return suite(cases, config.load().toSeconds());
    }

    private static Case promise(DrillConfig config, DrillOutcome outcome, AnomalyType.Group group) {
        String name = switch (group) {
            case LOST -> "no acknowledged record is lost";
            case DUPLICATED -> "no record is there twice";
            case INCONSISTENT_READ -> "no reader sees what others do not";
            case ORDER -> "records keep their order";
            case REPLICA -> "replicas are equal below the high watermark";
        };
        String found = outcome.anomalies().stream()
                .filter(anomaly -> anomaly.type().group() == group && !anomaly.allowed())
                .map(DrillJunit::message)
                .collect(Collectors.joining("; "));
        boolean asked = group == AnomalyType.Group.LOST && config.expectLoss();
        return new Case("drill", name, 0, found.isEmpty() || asked ? null : "failure", found);
    }

    private static String message(Anomaly anomaly) {
        return anomaly.count() + " " + anomaly.type().label() + ": "
                + anomaly.first().explanation();
    }

    private static Case end(DrillVerdict verdict) {
        String reasons = verdict.reasons().stream()
                .map(reason -> reason.code() + ": " + reason.message())
                .collect(Collectors.joining("; "));
        String element = verdict.exitCode() == ExitCode.OK
                ? null
                : verdict.exitCode() == ExitCode.VIOLATED ? "failure" : "error";
        return new Case("drill", "the drill ends as expected", 0, element, verdict.verdict() + ": " + reasons);
    }

    private static Case fault(FaultRecord fault) {
        return new Case(
                "drill.faults",
                fault.id() + " " + fault.fault() + "@" + fault.target(),
                (fault.endNanos() - fault.startNanos()) / 1e9,
                fault.effective() ? null : "skipped",
                fault.evidence());
    }

    private static String suite(List<Case> cases, long seconds) {
        StringBuilder out = new StringBuilder("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
        out.append(String.format(
                Locale.ROOT,
                "<testsuite name=\"tidemark drill\" tests=\"%d\" failures=\"%d\" errors=\"%d\" skipped=\"%d\""
                        + " time=\"%d\">%n",
                cases.size(),
                count(cases, "failure"),
                count(cases, "error"),
                count(cases, "skipped"),
                seconds));
        for (Case each : cases) {
            out.append(String.format(
                    Locale.ROOT,
                    "  <testcase classname=\"%s\" name=\"%s\" time=\"%.3f\"",
                    each.suite(),
                    escaped(each.name()),
                    each.seconds()));
            out.append(
                    each.element() == null
                            ? "/>\n"
                            : ">\n    <" + each.element() + " message=\"" + escaped(each.message())
                                    + "\"/>\n  </testcase>\n");
        }
        return out.append("</testsuite>\n").toString();
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
