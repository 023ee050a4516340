package io.tidemark.cli.spec;

import io.tidemark.cli.contract.Installation;
import io.tidemark.cli.contract.Wrap;
import io.tidemark.core.broker.BrokerActions;
import io.tidemark.core.controller.ControllerActions;
import io.tidemark.core.partition.PartitionActions;
import io.tidemark.core.quorum.QuorumActions;
import io.tidemark.spec.check.Bounds;
import io.tidemark.spec.check.Explanation;
import io.tidemark.spec.check.Explanation.Meaning;
import io.tidemark.spec.model.Model;
import io.tidemark.spec.model.Modules;
import io.tidemark.spec.model.Vocabulary.GuardRow;
import io.tidemark.spec.model.Vocabulary.PropertyRow;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** What is known of a name, as text. */
final class ExplanationText {
    private static final List<Class<?>> ACTIONS =
            List.of(QuorumActions.class, ControllerActions.class, BrokerActions.class, PartitionActions.class);

    private ExplanationText() {}

    /**
     * The lines of an explanation.
     *
     * @param width of a model's line where there are several, in columns
     */
    static List<String> lines(Explanation found, Modules modules, int width) {
        return found.kind().equals("guard") ? guard(found, modules) : other(found, modules, width);
    }

    /** First what it demands, then what comes of it where it is off. */
    private static List<String> guard(Explanation found, Modules modules) {
        GuardRow row = found.guards().get(0);
        List<String> lines = new ArrayList<>();
        lines.add(row.guard() + ", guard of " + row.action());
        lines.add("  demands: " + row.rule());
        lines.add("  source: " + row.source());
        methods(found).forEach(method -> lines.add("  Java: " + method));
        if (!row.inCode().isEmpty()) {
            lines.add("  off in the code: " + broken(row.inCode()));
        }
        if (!row.violated().isEmpty()) {
            lines.add("  off in the specification: " + broken(row.violated()));
        }
        for (Model model : found.models()) {
            lines.add("    " + head(model, modules.found(model))
                    + after(model.purpose(), model.name().equals(row.mutant())));
        }
        if (!row.violated().isEmpty()) {
            lines.add("  watch it: " + Installation.called() + " spec check " + row.mutant());
        }
        return lines;
    }

    private static String broken(String cell) {
        int why = cell.indexOf(": ");
        String what = why < 0 ? cell : cell.substring(0, why);
        String because = why < 0 ? "" : ": " + cell.substring(why + 2);
        return switch (what) {
            case "none" -> "nothing breaks" + because;
            case "liveness" -> "nothing breaks, but there is no progress" + because;
            default -> what + " breaks" + because;
        };
    }

    /** What a mutant's purpose says beyond the guard's own rule, which it repeats behind {@code Off:}. */
    private static String after(String purpose, boolean own) {
        String rest = own ? purpose.replaceFirst("^Off: .*?\\.( |$)", "") : purpose;
        return rest.isEmpty() ? "" : ": " + rest;
    }

    private static List<String> other(Explanation found, Modules modules, int width) {
        List<String> lines = new ArrayList<>();
        boolean one = found.models().size() == 1;
        for (Meaning meaning : found.meanings()) {
            if (!meaning.says() && !lines.isEmpty()) {
                lines.add("also in " + place(meaning));
                continue;
            }
            lines.add(found.name() + ", " + found.kind() + (meaning.module().isEmpty() ? "" : " of " + place(meaning)));
            if (!meaning.banner().isEmpty()) {
                lines.add("  " + meaning.banner());
            }
            meaning.rows()
                    .forEach(row -> lines.add("  " + row.kind() + " in " + row.module()
                            + (row.reason().isEmpty() ? "" : "; " + row.reason())));
            PropertyRow property = meaning.property();
            if (property != null) {
                lines.add("  " + checkedBy(property));
            }
            meaning.models().stream()
                    .map(model -> "  " + told(model, modules.found(model)))
                    .forEach(line -> lines.add(one ? line : Wrap.cut(line, width)));
        }
        methods(found).forEach(method -> lines.add("  Java: " + method));
        found.guards()
                .forEach(row -> lines.add("  guard " + row.guard() + ": " + row.rule() + " " + mutants(found, row)));
        if (found.kind().equals("model")) {
            found.models().forEach(model -> {
                lines.add("  " + model.kind().word() + ": " + model.kind().meaning());
                lines.add("  bounds: " + Bounds.of(model, modules).inWords());
                lines.add("  checks: " + String.join(", ", model.config().invariants())
                        + (model.config().properties().isEmpty()
                                ? ""
                                : "; of steps and behaviours: "
                                        + String.join(", ", model.config().properties())));
                lines.add("  Nothing is claimed beyond these bounds.");
            });
        }
        return lines;
    }

    /** Which models show what comes of it where the guard is off. */
    private static String mutants(Explanation found, GuardRow row) {
        List<String> mutants = found.mutants().getOrDefault(row.guard(), List.of()).stream()
                .map(model -> model.name()
                        + (model.expected().holds()
                                ? " (nothing breaks)"
                                : " (breaks " + model.expected().violated() + ")"))
                .toList();
        return mutants.isEmpty() ? "(no mutant)" : "Off in " + String.join(", ", mutants) + ".";
    }

    /** Who checks a property of running code, and why nobody does. */
    private static String checkedBy(PropertyRow property) {
        String classes = String.join(", ", property.classes());
        return (classes.isEmpty() ? "no class of the code checks it by this name" : "in the code: " + classes)
                + (property.reason().isEmpty() ? "" : ": " + property.reason());
    }

    /** Module and line of a definition. */
    static String place(Meaning meaning) {
        return meaning.module() + ".tla, line " + meaning.line();
    }

    private static String told(Model model, String found) {
        return head(model, found) + ": " + model.purpose();
    }

    /** A model, and whether anybody has seen what it should show. */
    private static String head(Model model, String found) {
        String run = switch (found) {
            case "never" -> "never run to its end";
            case "older modules" -> "its run is of older modules";
            default ->
                "found so" + (model.ran() == null ? "" : " on " + model.ran().day());
        };
        String should = model.expected().holds()
                ? "should hold"
                : "should break " + model.expected().violated();
        return model.kind().word() + " " + model.name() + ", " + should + " (" + run + ")";
    }

    /** The methods of the code: of the action itself, or of the action that the guard stands in. */
    static List<String> methods(Explanation found) {
        String action = found.rows().isEmpty() && found.kind().equals("guard")
                ? found.guards().get(0).action()
                : found.name();
        String method = action.substring(0, 1).toLowerCase(Locale.ROOT) + action.substring(1);
        Stream<String> own = ACTIONS.stream()
                .flatMap(type -> Arrays.stream(type.getMethods())
                        .filter(candidate -> candidate.getName().equals(method))
                        .map(candidate -> type.getName() + "." + method));
        Stream<String> constant = found.kind().equals("guard")
                ? Stream.of("io.tidemark.core.Guard."
                        + found.name().toUpperCase(Locale.ROOT).replace('-', '_'))
                : Stream.empty();
        return Stream.concat(own, constant).toList();
    }
}
