package io.tidemark.cli.spec;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.cli.contract.ExitCode;
import io.tidemark.cli.contract.Report;
import io.tidemark.spec.check.Bounds;
import io.tidemark.spec.check.CheckResult;
import io.tidemark.spec.tlc.TlcResult.Verdict;
import io.tidemark.spec.trace.Counterexample;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What {@code spec check} found, as a document. */
final class CheckDocument {
    /** A note: a guard was switched off on the command line, and nothing broke. */
    static final String GUARD_NOT_MISSED = "GUARD_NOT_MISSED";

    /**
     * All of it.
     *
     * @param untaken actions that no model takes
     * @param untakenFails whether that is wrong: a whole set was checked
     * @param notes of what a reader should know besides, as code and sentence
     * @param meant of results that break because a guard was switched off on the command line: what they show, by model
     * @param vacuous of results that hold and are no verdict, as the command line left nothing to speak of: why, by model
     * @param asked how many models were to be checked
     * @param interrupted how the check was cut short, null if it was not
     */
    record Findings(
            List<CheckResult> results,
            List<String> untaken,
            boolean untakenFails,
            List<String[]> notes,
            Map<String, String> meant,
            Map<String, String> vacuous,
            int asked,
            @Nullable ExitCode interrupted) {
        /** What this result shows of the guards that are off; null where none is, or nothing broke. */
        @Nullable
        String meant(CheckResult result) {
            return meant.get(result.model().name());
        }

        /** Why a result that holds is no verdict; null where it is one, or does not hold. */
        @Nullable
        String vacuous(CheckResult result) {
            return vacuous.get(result.model().name());
        }

        /** As the manifest says, and not by saying nothing. */
        boolean asExpected(CheckResult result) {
            return result.asExpected() && vacuous(result) == null;
        }

        private ExitCode code(CheckResult result) {
            ExitCode code = CheckDocument.code(result);
            return code == ExitCode.OK && vacuous(result) != null ? ExitCode.UNKNOWN : code;
        }

        /** The findings that are not as expected, apart from what is incomplete. */
        boolean violated() {
            return results.stream().anyMatch(result -> code(result) == ExitCode.VIOLATED)
                    || (untakenFails && !untaken.isEmpty());
        }

        /** One that beats four that beats three; an interrupt beats them all. */
        ExitCode exitCode() {
            if (interrupted != null) {
                return interrupted;
            }
            return violated()
                    ? ExitCode.VIOLATED
                    : has(ExitCode.INPUT) ? ExitCode.INPUT : has(ExitCode.UNKNOWN) ? ExitCode.UNKNOWN : ExitCode.OK;
        }

        private boolean has(ExitCode code) {
            return results.stream().anyMatch(result -> code(result) == code);
        }

        Report.Verdict verdict() {
            return switch (exitCode()) {
                case OK -> Report.Verdict.HOLDS;
                case VIOLATED -> Report.Verdict.VIOLATED;
                default -> Report.Verdict.UNKNOWN;
            };
        }
    }

    private CheckDocument() {}

    /** What one model means for the end of the command. */
    static ExitCode code(CheckResult result) {
        Verdict verdict = result.tlc().verdict();
        if (result.asExpected()) {
            return ExitCode.OK;
        }
        return switch (verdict) {
            case INCOMPLETE -> ExitCode.UNKNOWN;
            case PARSE_ERROR, EVALUATION_ERROR -> ExitCode.INPUT;
            default -> ExitCode.VIOLATED;
        };
    }

    /** The report; {@code story} tells a counterexample. */
    static Report of(
            Findings findings,
            Path dir,
            Function<CheckResult, List<String>> story,
            Function<CheckResult, Bounds> bounds) {
        Report report = new Report("tidemark.spec.check/1")
                .exit(findings.exitCode())
                .verdict(findings.verdict())
                .artifact("dir", dir.toString())
                .notTested("what lies beyond the bounds of the models");
        for (CheckResult result : findings.results()) {
            String meant = findings.meant(result);
            String name = result.model().name();
            if (meant != null) {
                report.reason("GUARD_OFF", name + ": " + meant);
            } else {
                result.deviations().forEach(text -> report.reason(reason(result), name + ": " + text));
            }
            String vacuous = findings.vacuous(result);
            if (vacuous != null) {
                report.reason("VACUOUS", name + ": " + vacuous);
            }
        }
        if (findings.untakenFails()) {
            findings.untaken().forEach(action -> report.reason("ACTION_NEVER_TAKEN", action + " is taken in no model"));
        }
        findings.notes().forEach(note -> report.reason(note[0], note[1]));
        ArrayNode models = report.body().putArray("models");
        findings.results()
                .forEach(result -> model(
                        models.addObject(), result, findings.asExpected(result), dir, story, bounds.apply(result)));
        ArrayNode untaken = report.body().putArray("untakenActions");
        findings.untaken().forEach(untaken::add);
        long asExpected =
                findings.results().stream().filter(findings::asExpected).count();
        long incomplete = findings.results().stream()
                .filter(result ->
                        !findings.asExpected(result) && (result.incomplete() || findings.vacuous(result) != null))
                .count();
        report.body()
                .putObject("summary")
                .put("total", findings.results().size())
                .put("asExpected", asExpected)
                .put("unexpected", findings.results().size() - asExpected - incomplete)
                .put("incomplete", incomplete);
        return report;
    }

    private static String reason(CheckResult result) {
        return result.incomplete() ? "INCOMPLETE" : "NOT_AS_EXPECTED";
    }

    private static void model(
            ObjectNode node,
            CheckResult result,
            boolean asExpected,
            Path dir,
            Function<CheckResult, List<String>> story,
            Bounds bounds) {
        var model = result.model();
        var tlc = result.tlc();
        node.put("name", model.name())
                .put("module", model.moduleName())
                .put("kind", model.kind().word())
                .put("set", model.set().word())
                .put("expected", model.expected().holds() ? "PASSED" : "VIOLATED")
                .put("expectedProperty", model.expected().violated())
                .put("result", tlc.verdict().name())
                .put("violated", result.violated())
                .put("asExpected", asExpected)
                .put("mode", result.mode())
                .put("exhaustive", result.exhaustive())
                .put("statesGenerated", tlc.generated())
                .put("distinctStates", tlc.distinct())
                .put("expectedDistinctStates", model.expected().distinct())
                .put("depth", tlc.depth())
                .put("queue", tlc.queue())
                .put("durationMs", tlc.durationMs())
                .put("cached", result.cached())
                .put("checkedAt", result.checkedAt().toString())
                .put("inputHash", result.inputHash())
                .put("tlcExitCode", tlc.exitCode());
        bounds(node.putObject("bounds"), bounds, model.config().constants());
        ArrayNode properties = node.putArray("properties");
        result.properties()
                .forEach(property -> properties
                        .addObject()
                        .put("name", property.name())
                        .put("kind", property.kind())
                        .put("result", property.result())
                        .put("vacuous", property.vacuous()));
        ArrayNode actions = node.putArray("actions");
        tlc.actions()
                .forEach(action -> actions.addObject()
                        .put("name", action.name())
                        .put("taken", action.taken())
                        .put("distinct", action.distinct()));
        Counterexample example = result.example();
        Path file = result.file();
        if (example == null || file == null) {
            node.putNull("counterexample");
            return;
        }
        ObjectNode found = node.putObject("counterexample")
                .put("file", dir.relativize(file).toString())
                .put("steps", result.steps());
        story.apply(result).forEach(found.putArray("story")::add);
    }

    private static void bounds(ObjectNode node, Bounds bounds, Map<String, String> constants) {
        node.put("inWords", bounds.inWords());
        ObjectNode values = node.putObject("constants");
        constants.forEach((name, value) -> values.put(name, value.replaceFirst("^= ", "")));
        ObjectNode perturbations = node.putObject("perturbations");
        bounds.perturbations().forEach(perturbations::put);
        bounds.limits().forEach(node.putArray("limits")::add);
        bounds.reductions().forEach(node.putArray("reductions")::add);
        bounds.changed().forEach(node.putArray("changed")::add);
    }
}
