package io.tidemark.spec.model;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The names that specification and code share.
 *
 * @param actions of {@code actions.tsv}
 * @param guards of {@code guards.tsv}
 */
public record Vocabulary(List<ActionRow> actions, List<GuardRow> guards) {
    /**
     * An action.
     *
     * @param kind protocol, environment or code-only
     * @param code yes, later or -
     */
    public record ActionRow(String module, String action, String kind, String code, String reason) {}

    /**
     * A guard.
     *
     * @param places at which {@code On("guard")} stands in the modules; empty where it has no switch there
     * @param rule what it demands
     * @param violated the property that TLC finds broken where it is off, {@code none}, or empty where it has no mutant
     * @param inCode the invariant that breaks in the code where it is off, or why none does; empty where the code has it not yet
     */
    public record GuardRow(
            String guard, String action, String places, String rule, String violated, String inCode, String source) {
        /** The row of the manifest that switches this guard off, and no other. */
        public String mutant() {
            return "without-" + guard;
        }
    }

    /**
     * A property that models check.
     *
     * @param code the classes that check the same of a running node, parted by commas; empty where there is none
     * @param reason why there is none, or what they leave out; may be empty
     * @param needs what must have happened before it says something, as {@code invariants.tsv} writes it; may be empty
     */
    public record PropertyRow(String module, String name, String code, String reason, String needs) {
        /** The classes one by one, without {@code io.tidemark.}. */
        public List<String> classes() {
            return code.isEmpty() ? List.of() : List.of(code.split(", ", -1));
        }
    }

    /** The rows of {@code invariants.tsv}; none where the specification has no such table. */
    public static List<PropertyRow> properties(Path spec) {
        Path file = spec.resolve("invariants.tsv");
        if (!Files.exists(file)) {
            return List.of();
        }
        return Tsv.read(file, List.of("module", "invariant", "code", "reason", "needs")).stream()
                .map(row -> new PropertyRow(
                        row.get("module"), row.get("invariant"), row.get("code"), row.get("reason"), row.get("needs")))
                .toList();
    }

    /** From the directory of the specification. */
    public static Vocabulary read(Path spec) {
        return new Vocabulary(
                Tsv.read(spec.resolve("actions.tsv"), List.of("module", "action", "kind", "code", "reason")).stream()
                        .map(row -> new ActionRow(
                                row.get("module"),
                                row.get("action"),
                                row.get("kind"),
                                row.get("code"),
                                row.get("reason")))
                        .toList(),
                Tsv.read(
                                spec.resolve("guards.tsv"),
                                List.of("guard", "action", "places", "rule", "violated", "in code", "source"))
                        .stream()
                        .map(row -> new GuardRow(
                                row.get("guard"),
                                row.get("action"),
                                row.get("places"),
                                row.get("rule"),
                                row.get("violated"),
                                row.get("in code"),
                                row.get("source")))
                        .toList());
    }
}
