package io.tidemark.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.conformance.names.Binding;
import io.tidemark.conformance.names.SpecNames;
import io.tidemark.conformance.names.SpecReader;
import io.tidemark.core.Guard;
import io.tidemark.core.SpecAction;
import io.tidemark.core.broker.BrokerActions;
import io.tidemark.core.controller.ControllerActions;
import io.tidemark.core.controller.ControllerView;
import io.tidemark.core.partition.PartitionActions;
import io.tidemark.core.partition.PartitionView;
import io.tidemark.core.quorum.QuorumActions;
import io.tidemark.core.quorum.QuorumView;
import io.tidemark.spec.model.Manifest;
import io.tidemark.spec.model.Model;
import io.tidemark.spec.model.ModelKind;
import io.tidemark.spec.model.Vocabulary;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One name for one thing: in the modules as SANY parses them, in the tables of spec/, and in the code. */
class NamesTest {
    private static final Path SPEC = Path.of(System.getProperty("tidemark.root", "../.."), "spec");
    private static final List<String> MODULES = List.of("Controller", "Partition");
    private static final List<String> QUORUM = List.of("Quorum");
    private static final Vocabulary VOCABULARY = Vocabulary.read(SPEC);

    private static SpecNames partition() {
        return SpecReader.read(SPEC.resolve("Durability.tla"));
    }

    private static SpecNames quorum() {
        return SpecReader.read(SPEC.resolve("Quorum.tla"));
    }

    // Actions

    @Test
    void nextTakesTheActionsOfTheTable() {
        assertThat(Binding.actions(partition(), MODULES, VOCABULARY)).isEmpty();
        assertThat(Binding.actions(quorum(), QUORUM, VOCABULARY)).isEmpty();
    }

    private static Map<String, String> methods() {
        Map<String, String> methods = new TreeMap<>();
        for (Class<?> type :
                List.of(QuorumActions.class, ControllerActions.class, BrokerActions.class, PartitionActions.class)) {
            for (Method method : type.getDeclaredMethods()) {
                String name = method.getName();
                methods.put(
                        Character.toUpperCase(name.charAt(0)) + name.substring(1), type.getSimpleName() + "." + name);
            }
        }
        return methods;
    }

    private static Map<String, String> specActions() {
        return Stream.of(SpecAction.values()).collect(Collectors.toMap(Enum::name, action -> "SpecAction." + action));
    }

    @Test
    void protocolRowsWithCodeAreMethodsAndSpecActions() {
        assertThat(Binding.code(VOCABULARY, methods(), specActions())).isEmpty();
    }

    // Faults

    @Test
    void environmentActionsAndFaultsNameEachOther() throws IOException {
        List<String> wrong = new ArrayList<>();
        Set<String> actions = new TreeSet<>();
        Map<String, Set<String>> byAction = new TreeMap<>();
        VOCABULARY.actions().forEach(row -> {
            actions.add(row.module() + "." + row.action());
            if (row.kind().equals("environment") && !row.reason().startsWith("internal: ")) {
                byAction.put(
                        row.module() + "." + row.action(),
                        new TreeSet<>(List.of(row.reason().split(", ", -1))));
            }
        });
        Map<String, Set<String>> byFault = new TreeMap<>();
        for (List<String> row : Table.read(SPEC.resolve("faults.tsv"), "fault", "actions", "reason")) {
            if (!row.get(1).equals("not modelled")) {
                for (String action : row.get(1).split(", ", -1)) {
                    if (!actions.contains(action)) {
                        wrong.add(row.get(0) + " in spec/faults.tsv names " + action + ", not in spec/actions.tsv");
                    }
                    byFault.computeIfAbsent(action, name -> new TreeSet<>()).add(row.get(0));
                }
            }
        }
        byAction.forEach((action, faults) -> {
            Set<String> there = byFault.getOrDefault(action, Set.of());
            // A fault may also be told by another action: those of several parts, and those that the protocol takes.
            if (!there.containsAll(faults)) {
                wrong.add(action + ": " + faults + " in spec/actions.tsv, " + there + " in spec/faults.tsv");
            }
        });
        assertThat(wrong).isEmpty();
    }

    // State

    private static final Map<String, Class<?>> VIEWS = Map.of(
            "PartitionView", PartitionView.class,
            "ControllerView", ControllerView.class,
            "QuorumView", QuorumView.class);

    private static List<String> variables(String module, SpecNames spec, List<List<String>> rows) {
        SortedMap<String, String> specified = new TreeMap<>();
        SortedMap<String, String> shown = new TreeMap<>();
        for (List<String> row : rows) {
            if (row.get(0).equals(module) && !row.get(2).equals("derived")) {
                specified.put(row.get(1), "spec/variables.tsv");
            }
            shown.put(row.get(3), "spec/variables.tsv");
        }
        List<String> wrong = Binding.same("variable", spec.variables(), module, specified, "spec/variables.tsv");
        Map<String, String> components = new TreeMap<>();
        VIEWS.forEach((name, type) -> {
            for (Method method : type.getDeclaredMethods()) {
                components.put(name + "." + method.getName(), type.getName());
            }
        });
        shown.keySet().removeIf(name -> !VIEWS.containsKey(name.split("\\.", -1)[0]));
        wrong.addAll(Binding.same("component", components, "the views", shown, "spec/variables.tsv"));
        return wrong;
    }

    private static List<List<String>> variableRows() throws IOException {
        return Table.read(SPEC.resolve("variables.tsv"), "module", "variable", "kind", "code", "reason");
    }

    @Test
    void variablesAreComponentsOfTheViews() throws IOException {
        assertThat(variables("Partition", partition(), variableRows())).isEmpty();
        assertThat(variables("Quorum", quorum(), variableRows())).isEmpty();
        assertThat(variableRows())
                .allSatisfy(row -> assertThat(row.get(2)).isIn("state", "network", "history", "derived"));
    }

    // Guards

    private static List<String> guards(SpecNames partition, SpecNames quorum) {
        Map<String, SpecNames.Use> acting = new TreeMap<>(partition.guards());
        acting.putAll(quorum.guards());
        Map<String, String> mutants = new TreeMap<>();
        for (Model model : Manifest.read(SPEC).models()) {
            if (model.kind() == ModelKind.MUTANT) {
                model.config().off().forEach(guard -> mutants.put(guard, model.where()));
            }
        }
        Set<String> later = VOCABULARY.actions().stream()
                .filter(row -> row.code().equals("later"))
                .map(Vocabulary.ActionRow::action)
                .collect(Collectors.toSet());
        Map<String, String> code =
                Stream.of(Guard.values()).collect(Collectors.toMap(Guard::specName, guard -> "Guard." + guard));
        return Binding.guards(acting, partition.listed(), VOCABULARY, code, mutants, later);
    }

    @Test
    void guardsActInTheSpecificationAndInTheCodeAndHaveAMutant() {
        assertThat(guards(partition(), quorum())).isEmpty();
    }

    // Invariants

    private static List<String> invariants(List<List<String>> rows) throws IOException {
        SortedMap<String, String> checked = new TreeMap<>();
        for (Model model : Manifest.read(SPEC).models()) {
            if (model.kind() != ModelKind.REACH) {
                Stream.concat(model.config().invariants().stream(), model.config().properties().stream())
                        .forEach(name -> checked.putIfAbsent(name, model.where()));
            }
        }
        SortedMap<String, String> listed = new TreeMap<>();
        List<String> wrong = new ArrayList<>();
        for (List<String> row : rows) {
            listed.put(row.get(1), "spec/invariants.tsv");
            if (!row.get(2).equals("-")) {
                wrong.addAll(inClass(row.get(1), "io.tidemark." + row.get(2)));
            } else if (row.get(3).equals("-")) {
                wrong.add("invariant " + row.get(1) + ": no class in spec/invariants.tsv, and no reason");
            }
        }
        wrong.addAll(Binding.same("invariant", checked, "any model of the manifest", listed, "spec/invariants.tsv"));
        return wrong;
    }

    private static List<String> inClass(String invariant, String name) throws IOException {
        try {
            boolean said = ClassStrings.of(Class.forName(name)).contains(invariant);
            return said ? List.of() : List.of("invariant " + invariant + ": in spec/invariants.tsv, not in " + name);
        } catch (ClassNotFoundException e) {
            return List.of(
                    "invariant " + invariant + ": spec/invariants.tsv names the class " + name + ", which is not");
        }
    }

    private static List<List<String>> invariantRows() throws IOException {
        return Table.read(SPEC.resolve("invariants.tsv"), "module", "invariant", "code", "reason", "needs");
    }

    @Test
    void invariantsAreCheckedByClassesOfTheCode() throws IOException {
        assertThat(invariants(invariantRows())).isEmpty();
    }

    // What must not pass

    private static SpecNames altered(Path directory, String root, String module, UnaryOperator<String> change)
            throws IOException {
        try (Stream<Path> files = Files.list(SPEC)) {
            for (Path file :
                    files.filter(path -> path.toString().endsWith(".tla")).toList()) {
                Files.copy(file, directory.resolve(file.getFileName().toString()));
            }
        }
        Path file = directory.resolve(module + ".tla");
        String before = Files.readString(file);
        String after = change.apply(before);
        assertThat(after).isNotEqualTo(before);
        Files.writeString(file, after);
        return SpecReader.read(directory.resolve(root + ".tla"));
    }

    @Test
    void aRenamedActionIsTold(@TempDir Path directory) throws IOException {
        SpecNames spec =
                altered(directory, "Durability", "Partition", text -> text.replace("HandleProduce(", "TakeProduce("));
        assertThat(Binding.actions(spec, MODULES, VOCABULARY))
                .hasSize(2)
                .anyMatch(line -> line.matches("action Partition.HandleProduce: at spec/actions.tsv.*, not in Next.*"))
                .anyMatch(line ->
                        line.matches("action Partition.TakeProduce: at Partition.tla:\\d+, not in spec/actions.tsv"));
    }

    @Test
    void anActionThatNextLeavesOutIsTold(@TempDir Path directory) throws IOException {
        SpecNames spec =
                altered(directory, "Quorum", "Quorum", text -> text.replace("        \\/ CheckQuorumTimeout(v)\n", ""));
        assertThat(Binding.actions(spec, QUORUM, VOCABULARY))
                .containsExactly(
                        "action Quorum.CheckQuorumTimeout: at spec/actions.tsv (protocol), not in Next of Quorum");
    }

    @Test
    void anActionOfTheCodeAloneIsTold() {
        Map<String, String> methods = methods();
        methods.put("HandleNothing", "PartitionActions.handleNothing");
        Map<String, String> specActions = new TreeMap<>(specActions());
        specActions.remove("HandleFetch");
        assertThat(Binding.code(VOCABULARY, methods, specActions))
                .containsExactly(
                        "action HandleNothing: at PartitionActions.handleNothing, not in spec/actions.tsv",
                        "action HandleFetch: at spec/actions.tsv (Partition), not in SpecAction");
    }

    @Test
    void aRemovedGuardIsTold(@TempDir Path directory) throws IOException {
        SpecNames spec =
                altered(directory, "Durability", "Partition", text -> text.replace("On(\"expand-hw\") => ", ""));
        assertThat(guards(spec, quorum()))
                .anyMatch(line -> line.matches("guard expand-hw: at Types.tla:\\d+, not in On.*"))
                .anyMatch(line ->
                        line.equals("guard expand-hw: at spec/guards.tsv, not in On(\"...\") of an action in Next"));
    }

    @Test
    void nextOverAStateIsTold(@TempDir Path directory) {
        org.assertj.core.api.Assertions.assertThatThrownBy(() -> altered(
                        directory,
                        "Durability",
                        "Partition",
                        text -> text.replace(
                                "\\E b \\in Replicas : WipeDisk(b)",
                                "\\E b \\in {x \\in Replicas : up[x] = \"down\"} : WipeDisk(b)")))
                .hasMessageContaining("Partition.tla:")
                .hasMessageContaining("quantifies over constants");
    }

    @Test
    void aVariableOfOneSideIsTold(@TempDir Path directory) throws IOException {
        SpecNames spec = altered(
                directory, "Durability", "State", text -> text.replace("    ghosts,       ", "    ghosts, phantoms,"));
        assertThat(variables("Partition", spec, variableRows()))
                .hasSize(1)
                .allMatch(line -> line.matches("variable phantoms: at State.tla:\\d+, not in spec/variables.tsv"));
    }

    @Test
    void anInvariantWithoutItsClassIsTold() throws IOException {
        List<List<String>> rows = new ArrayList<>(invariantRows());
        rows.removeIf(row -> row.get(1).equals("LeaderInIsr"));
        rows.add(List.of("Durability", "AckedDurable", "core.partition.PartitionInvariants", "-", "-"));
        assertThat(invariants(rows))
                .hasSize(2)
                .anyMatch(
                        line -> line.equals(
                                "invariant AckedDurable: in spec/invariants.tsv, not in io.tidemark.core.partition.PartitionInvariants"))
                .anyMatch(line -> line.matches("invariant LeaderInIsr: at .*manifest.*, not in spec/invariants.tsv"));
    }
}
