package io.tidemark.conformance.names;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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

/**
 * One name for one thing: in the modules as SANY parses them, in the tables of spec/, and in the code. Of invariants: {@link
 * InvariantNamesTest}.
 */
class NamesTest {
    static final Path SPEC = Path.of(System.getProperty("tidemark.root", "../.."), "spec");
    private static final List<String> MODULES = List.of("Controller", "Partition");
    private static final List<String> QUORUM = List.of("Quorum");
    private static final String CLUSTER_NEXT = "ClusterNext";

    /** What controller and partition alone take from their metadata log, the cluster's quorum does. */
    private static final Set<String> OF_METADATA_LOG = Set.of("CommitMetadata", "LoseUncommitted");

    private static final Set<String> OF_QUORUM =
            Set.of("HandleMetadataFetchResponse", "HandleMetadataFetch", "HandleVoteResponse");

    /** The one guard that the specification has no switch for: its leaders never recover (spec/README.md). */
    private static final Set<String> GUARDS_OF_CODE_ALONE = Set.of("ap-recovering");

    private static final Vocabulary VOCABULARY = Vocabulary.read(SPEC);

    private static SpecNames partition() {
        return SpecReader.read(SPEC.resolve("Durability.tla"));
    }

    private static SpecNames quorum() {
        return SpecReader.read(SPEC.resolve("Quorum.tla"));
    }

    private static SpecNames cluster() {
        return SpecReader.read(SPEC.resolve("Cluster.tla"), CLUSTER_NEXT);
    }

    // Actions

    @Test
    void nextTakesTheActionsOfTheTable() {
        assertThat(Binding.actions(partition(), MODULES, VOCABULARY)).isEmpty();
        assertThat(Binding.actions(quorum(), QUORUM, VOCABULARY)).isEmpty();
    }

    private static List<String> composed(SpecNames cluster) {
        return Binding.composed(cluster, partition(), OF_METADATA_LOG, quorum(), OF_QUORUM);
    }

    @Test
    void theClusterTakesTheActionsOfItsParts() {
        assertThat(composed(cluster())).isEmpty();
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

    // State

    static final Map<String, Class<?>> VIEWS = Map.of(
            "PartitionView", PartitionView.class,
            "ControllerView", ControllerView.class,
            "QuorumView", QuorumView.class);

    private static List<String> variables(String module, Map<String, String> declared, List<Tables.Variable> rows) {
        SortedMap<String, String> specified = new TreeMap<>();
        SortedMap<String, String> shown = new TreeMap<>();
        for (Tables.Variable row : rows) {
            if (row.module().equals(module) && !row.kind().equals("derived")) {
                specified.put(row.variable(), "spec/variables.tsv");
            }
            shown.put(row.code(), "spec/variables.tsv");
        }
        List<String> wrong = Binding.same("variable", declared, module, specified, "spec/variables.tsv");
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

    @Test
    void variablesAreComponentsOfTheViews() {
        List<Tables.Variable> rows = Tables.variables(SPEC);
        assertThat(variables("Partition", partition().variables(), rows)).isEmpty();
        assertThat(variables("Quorum", quorum().variables(), rows)).isEmpty();
        Map<String, String> own = new TreeMap<>(cluster().variables());
        own.keySet().removeAll(partition().variables().keySet());
        assertThat(variables("Cluster", own, rows)).isEmpty();
        assertThat(rows).allSatisfy(row -> assertThat(row.kind()).isIn("state", "network", "history", "derived"));
    }

    // Guards

    private static List<String> guards(SpecNames partition, SpecNames quorum) {
        Map<String, SpecNames.Use> acting = SpecNames.guards(List.of(partition, quorum));
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
        return Binding.guards(acting, partition.listed(), VOCABULARY, code, mutants, later, GUARDS_OF_CODE_ALONE);
    }

    @Test
    void guardsActInTheSpecificationAndInTheCodeAndHaveAMutant() {
        assertThat(guards(partition(), quorum())).isEmpty();
    }

    /** {@code On("guard")} in all modules; the cluster's are the partition's, and its own election. */
    private static Map<String, SpecNames.Use> everywhere(SpecNames... altered) {
        List<SpecNames> all = new ArrayList<>(List.of(partition(), quorum(), cluster()));
        all.addAll(List.of(altered));
        return SpecNames.guards(all);
    }

    @Test
    void guardsStandWhereTheTableSays() {
        assertThat(Binding.places(everywhere(), VOCABULARY)).isEmpty();
    }

    @Test
    void mutantsBreakWhatTheTableSays() {
        assertThat(Binding.violated(Manifest.read(SPEC).models(), VOCABULARY)).isEmpty();
    }

    // What must not pass

    private static SpecNames altered(Path directory, String root, String module, UnaryOperator<String> change)
            throws IOException {
        alter(directory, module, change);
        return SpecReader.read(directory.resolve(root + ".tla"));
    }

    private static SpecNames alteredCluster(Path directory, UnaryOperator<String> change) throws IOException {
        alter(directory, "Cluster", change);
        return SpecReader.read(directory.resolve("Cluster.tla"), CLUSTER_NEXT);
    }

    private static void alter(Path directory, String module, UnaryOperator<String> change) throws IOException {
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
    void anActionThatTheClusterLeavesOutIsTold(@TempDir Path directory) throws IOException {
        SpecNames cluster = alteredCluster(directory, text -> text.replace("    \\/ DeliverGhost\n", ""));
        assertThat(composed(cluster))
                .singleElement()
                .asString()
                .matches("action DeliverGhost: at Partition.tla:\\d+, not in what the whole takes");
    }

    @Test
    void anActionThatTheClusterTakesUnderAnothersNameIsTold(@TempDir Path directory) throws IOException {
        SpecNames cluster = alteredCluster(
                directory, text -> text.replace("== P!ApplyBrokerChange(b)", "== P!ApplyMinIsrChange(b)"));
        assertThat(composed(cluster))
                .singleElement()
                .asString()
                .matches("action ApplyBrokerChange: at Cluster.tla:\\d+ it takes \\[P!ApplyMinIsrChange\\],"
                        + " not that at Partition.tla:\\d+");
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
    void aGuardOfTheSpecificationAloneIsTold() {
        Map<String, SpecNames.Use> acting = new TreeMap<>(quorum().guards());
        acting.put(
                "one-more", new SpecNames.Use(new TreeSet<>(Set.of("Quorum.tla:1")), new TreeSet<>(Set.of("Resign"))));
        SpecNames quorum = quorum();
        SpecNames more = new SpecNames(
                quorum.variables(),
                quorum.definitions(),
                quorum.actions(),
                quorum.parts(),
                new TreeMap<>(acting),
                quorum.listed());
        assertThat(guards(partition(), more))
                .containsExactly(
                        "guard one-more: at Quorum.tla:1, not in Guards of Types.tla",
                        "guard one-more: at Quorum.tla:1, not in spec/guards.tsv",
                        "guard one-more: at Quorum.tla:1, not in a mutant of the manifest");
    }

    /** The vocabulary with another row for this guard. */
    private static Vocabulary with(String guard, UnaryOperator<Vocabulary.GuardRow> change) {
        return new Vocabulary(
                VOCABULARY.actions(),
                VOCABULARY.guards().stream()
                        .map(row -> row.guard().equals(guard) ? change.apply(row) : row)
                        .toList());
    }

    @Test
    void aGuardOfAnotherActionIsTold() {
        Vocabulary wrong = with(
                "expand-hw",
                row -> new Vocabulary.GuardRow(
                        row.guard(), "HandleFetch", "1", row.rule(), row.violated(), row.inCode(), row.source()));
        assertThat(Binding.places(everywhere(), wrong))
                .singleElement()
                .asString()
                .matches("guard expand-hw: of HandleFetch in spec/guards.tsv, consulted by \\[ProposeExpandIsr\\] at"
                        + " \\[Partition.tla:\\d+:\\d+\\]");
    }

    @Test
    void aGuardAtAnotherPlaceTooIsTold(@TempDir Path directory) throws IOException {
        SpecNames spec = altered(
                directory,
                "Durability",
                "Partition",
                text -> text.replaceFirst("(ConsumerRead\\(b\\) ==\n)", "$1    /\\\\ On(\"expand-hw\") => TRUE\n"));
        assertThat(Binding.places(SpecNames.guards(List.of(spec, quorum(), cluster())), VOCABULARY))
                .anyMatch(
                        line -> line.matches(
                                "guard expand-hw: 1 places in spec/guards.tsv, written at \\[Partition.tla:.*, Partition.tla:.*\\]"));
    }

    @Test
    void aGuardThatIsWrittenNowhereIsTold() {
        Map<String, SpecNames.Use> acting = everywhere();
        acting.remove("expand-hw");
        assertThat(Binding.places(acting, VOCABULARY))
                .containsExactly("guard expand-hw: 1 places in spec/guards.tsv, written nowhere");
    }

    @Test
    void whatTheMutantDoesNotBreakIsTold() {
        Vocabulary wrong = with(
                "expand-hw",
                row -> new Vocabulary.GuardRow(
                        row.guard(), row.action(), "1", row.rule(), "AckedDurable", row.inCode(), row.source()));
        assertThat(Binding.violated(Manifest.read(SPEC).models(), wrong))
                .containsExactly("guard expand-hw: AckedDurable in spec/guards.tsv, ElectableComplete of"
                        + " without-expand-hw in the manifest");
        List<Model> without = Manifest.read(SPEC).models().stream()
                .filter(model -> !model.name().equals("without-expand-hw"))
                .toList();
        assertThat(Binding.violated(without, VOCABULARY))
                .containsExactly("guard expand-hw: ElectableComplete in spec/guards.tsv, nothing of without-expand-hw"
                        + " in the manifest");
    }

    @Test
    void nextOverAStateIsTold(@TempDir Path directory) {
        assertThatThrownBy(() -> altered(
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
        assertThat(variables("Partition", spec.variables(), Tables.variables(SPEC)))
                .hasSize(1)
                .allMatch(line -> line.matches("variable phantoms: at State.tla:\\d+, not in spec/variables.tsv"));
    }
}
