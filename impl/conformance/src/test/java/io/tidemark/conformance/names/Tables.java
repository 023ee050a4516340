package io.tidemark.conformance.names;

import io.tidemark.core.SpecAction;
import io.tidemark.spec.model.Tsv;
import io.tidemark.spec.model.Vocabulary;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The tables of {@code spec/} that this module alone reads. */
public final class Tables {
    private Tables() {}

    /**
     * A row of {@code variables.tsv}.
     *
     * @param held to what value in all states that are compared; - where they differ in it
     */
    public record Variable(String module, String variable, String kind, String code, String held, String reason) {}

    public static List<Variable> variables(Path spec) {
        return Tsv.read(spec.resolve("variables.tsv"), List.of("module", "variable", "kind", "code", "held", "reason"))
                .stream()
                .map(row -> new Variable(
                        row.written("module"),
                        row.written("variable"),
                        row.written("kind"),
                        row.written("code"),
                        row.written("held"),
                        row.written("reason")))
                .toList();
    }

    /**
     * A row of {@code faults.tsv}.
     *
     * @param drill whether the drill has it
     * @param simulate whether {@code simulate} has it: yes or -
     * @param actions of the specification, or {@code not modelled}
     */
    record Fault(String fault, String drill, String simulate, String actions, String reason) {
        List<String> named() {
            return actions.equals("not modelled") ? List.of() : List.of(actions.split(", ", -1));
        }
    }

    static List<Fault> faults(Path spec) {
        return Tsv.read(spec.resolve("faults.tsv"), List.of("fault", "drill", "simulate", "actions", "reason")).stream()
                .map(row -> new Fault(
                        row.written("fault"),
                        row.written("drill"),
                        row.written("simulate"),
                        row.written("actions"),
                        row.written("reason")))
                .toList();
    }

    /** The protocol actions of a module that the code has. */
    public static Stream<SpecAction> compared(Path spec, String module) {
        return Vocabulary.read(spec).actions().stream()
                .filter(row -> row.module().equals(module)
                        && row.kind().equals("protocol")
                        && row.code().equals("yes"))
                .map(row -> SpecAction.valueOf(row.action()));
    }
}
