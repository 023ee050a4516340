package io.tidemark.cli.spec;

import io.tidemark.spec.check.CheckResult;
import io.tidemark.spec.model.Manifest;
import io.tidemark.spec.model.Model;
import io.tidemark.spec.model.ModelKind;
import io.tidemark.spec.model.Vocabulary;
import io.tidemark.spec.model.Vocabulary.GuardRow;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** What breaks because the command line has switched a guard off: what the guard is for. */
final class Meant {
    private Meant() {}

    /** The results in which something broke without these guards, by model, each with what that says of the guards. */
    static Map<String, String> of(
            List<CheckResult> results, List<String> without, Vocabulary vocabulary, Manifest manifest) {
        Map<String, String> meant = new TreeMap<>();
        for (CheckResult result : results) {
            String violated = result.violated();
            if (!without.isEmpty() && violated != null) {
                meant.put(
                        result.model().name(),
                        result.tlc().verdict() + " " + violated + ", "
                                + without.stream()
                                        .map(guard -> says(guard, violated, vocabulary, manifest))
                                        .collect(Collectors.joining("; ")));
            }
        }
        return meant;
    }

    /** Of what holds without these guards: that it does, and where each is missed. */
    static List<String> notMissed(List<CheckResult> results, List<String> without, Manifest manifest) {
        if (without.isEmpty()) {
            return List.of();
        }
        String where = without.stream()
                .map(guard -> manifest.models().stream()
                        .filter(model -> model.kind() == ModelKind.MUTANT
                                && model.config().off().equals(List.of(guard))
                                && !model.expected().holds())
                        .findFirst()
                        .map(model -> model.name() + " shows it missed ("
                                + model.expected().violated() + " breaks in " + model.moduleName() + "; spec check "
                                + model.name() + ")")
                        .orElse("no mutant shows " + guard + " alone missed (spec explain " + guard + ")"))
                .collect(Collectors.joining("; "));
        return results.stream()
                .filter(CheckResult::exhaustive)
                .map(result -> result.model().name() + ": nothing broke without " + String.join(", ", without)
                        + " at these bounds; " + where)
                .toList();
    }

    private static String says(String guard, String violated, Vocabulary vocabulary, Manifest manifest) {
        String row = vocabulary.guards().stream()
                .filter(known -> known.guard().equals(guard))
                .map(GuardRow::violated)
                .findFirst()
                .orElse("");
        if (row.equals(violated)) {
            return "as guards.tsv says of " + guard;
        }
        return manifest.models().stream()
                .filter(model -> model.kind() == ModelKind.MUTANT
                        && model.config().off().contains(guard)
                        && violated.equals(model.expected().violated()))
                .map(Model::name)
                .findFirst()
                .map(mutant -> "as the mutant " + mutant + " shows of " + guard)
                .orElse("where guards.tsv says of " + guard + ": " + row);
    }
}
