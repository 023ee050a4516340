package io.tidemark.conformance.names;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.conformance.names.Tables.Fault;
import io.tidemark.spec.model.Vocabulary;
import io.tidemark.workload.fault.FaultKind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The environment's actions, the faults of {@code spec/faults.tsv}, and those that the code injects. */
class FaultsTest {
    private static final Path SPEC = Path.of(System.getProperty("tidemark.root", "../.."), "spec");
    private static final String TABLE = "spec/faults.tsv";
    private static final String ACTIONS = "spec/actions.tsv";
    private static final String INTERNAL = "internal: ";

    private static List<Fault> faults() {
        return Tables.faults(SPEC);
    }

    private static List<Vocabulary.ActionRow> actions() {
        return Vocabulary.read(SPEC).actions();
    }

    /** What an action of the environment stands for, told twice. */
    private static List<String> environment(List<Vocabulary.ActionRow> actions, List<Fault> faults) {
        Map<String, Set<String>> byFault = new TreeMap<>();
        faults.forEach(fault -> fault.named()
                .forEach(action ->
                        byFault.computeIfAbsent(action, name -> new TreeSet<>()).add(fault.fault())));
        List<String> wrong = new ArrayList<>();
        Set<String> known = new TreeSet<>();
        for (Vocabulary.ActionRow row : actions) {
            String name = row.module() + "." + row.action();
            known.add(name);
            if (row.kind().equals("environment")) {
                Set<String> here = row.reason().startsWith(INTERNAL)
                        ? Set.of()
                        : new TreeSet<>(List.of(row.reason().split(", ", -1)));
                Set<String> there = byFault.getOrDefault(name, Set.of());
                if (!here.equals(there)) {
                    wrong.add(name + ": " + here + " in " + ACTIONS + ", " + there + " in " + TABLE);
                }
            }
        }
        byFault.forEach((action, names) -> {
            if (!known.contains(action)) {
                wrong.add(action + ": of " + names + " in " + TABLE + ", not in " + ACTIONS);
            }
        });
        for (Fault fault : faults) {
            if (fault.named().isEmpty() && fault.reason().equals("-")) {
                wrong.add(fault.fault() + ": not modelled in " + TABLE + ", and no reason");
            }
        }
        return wrong;
    }

    @Test
    void environmentActionsAndFaultsNameEachOther() throws IOException {
        assertThat(environment(actions(), faults())).isEmpty();
        assertThat(faults().stream().map(Fault::fault)).doesNotHaveDuplicates();
    }

    /** The faults of a command's code, and those whose row says yes in its column. */
    private static List<String> same(
            Stream<String> kinds, String where, List<Fault> faults, Function<Fault, String> column, String name) {
        String table = TABLE + " (" + name + ")";
        SortedMap<String, String> rows = new TreeMap<>();
        faults.stream()
                .filter(fault -> column.apply(fault).equals("yes"))
                .forEach(fault -> rows.put(fault.fault(), table));
        Map<String, String> code = kinds.collect(Collectors.toMap(kind -> kind, kind -> where));
        return Binding.same("fault", code, where, rows, table);
    }

    private static List<String> drill(Stream<String> kinds, List<Fault> faults) {
        return same(kinds, "FaultKind", faults, Fault::drill, "drill");
    }

    @Test
    void theDrillHasTheFaultsThatTheTableSays() throws IOException {
        assertThat(drill(Stream.of(FaultKind.values()).map(FaultKind::label), faults()))
                .isEmpty();
    }

    private static List<String> simulator(Stream<String> kinds, List<Fault> faults) {
        return same(kinds, "Fault", faults, Fault::simulate, "simulate");
    }

    private static Stream<String> simulated() {
        return Stream.of(io.tidemark.simulation.Fault.values()).map(io.tidemark.simulation.Fault::label);
    }

    @Test
    void theSimulatorHasTheFaultsThatTheTableSays() throws IOException {
        assertThat(simulator(simulated(), faults())).isEmpty();
    }

    // What must not pass

    private static List<Fault> with(Fault changed) throws IOException {
        List<Fault> all = new ArrayList<>(faults());
        all.replaceAll(fault -> fault.fault().equals(changed.fault()) ? changed : fault);
        return all;
    }

    @Test
    void aFaultThatAnActionAloneNamesIsTold() throws IOException {
        List<Fault> faults = with(new Fault("wipe-disk", "-", "yes", "Quorum.WipeDisk", "-"));
        assertThat(environment(actions(), faults))
                .containsExactly("Partition.WipeDisk: [wipe-disk] in spec/actions.tsv, [] in spec/faults.tsv");
    }

    @Test
    void anActionThatIsNotAndAReasonThatIsMissingAreTold() throws IOException {
        List<Fault> faults = with(new Fault("isr-lag", "-", "yes", "Partition.LagBehind", "-"));
        faults.add(new Fault("earthquake", "-", "-", "not modelled", "-"));
        assertThat(environment(actions(), faults))
                .containsExactly(
                        "Partition.LagBehind: of [isr-lag] in spec/faults.tsv, not in spec/actions.tsv",
                        "earthquake: not modelled in spec/faults.tsv, and no reason");
    }

    @Test
    void anActionOfTheEnvironmentWithoutFaultsIsTold() throws IOException {
        List<Vocabulary.ActionRow> actions = new ArrayList<>(actions());
        actions.add(new Vocabulary.ActionRow("Partition", "LoseLogs", "environment", "-", "power-loss"));
        actions.add(new Vocabulary.ActionRow("Partition", "Wait", "environment", "-", INTERNAL + "of the model alone"));
        assertThat(environment(actions, faults()))
                .containsExactly("Partition.LoseLogs: [power-loss] in spec/actions.tsv, [] in spec/faults.tsv");
    }

    @Test
    void aFaultOfTheDrillAloneIsTold() throws IOException {
        Stream<String> kinds =
                Stream.of(FaultKind.values()).map(FaultKind::label).map(kind -> kind.equals("kill") ? "slay" : kind);
        assertThat(drill(kinds, faults()))
                .containsExactly(
                        "fault kill: at spec/faults.tsv (drill), not in FaultKind",
                        "fault slay: at FaultKind, not in spec/faults.tsv (drill)");
    }

    @Test
    void aFaultOfTheSimulatorAloneIsTold() throws IOException {
        assertThat(simulator(simulated().map(kind -> kind.equals("power-loss") ? "power-surge" : kind), faults()))
                .containsExactly(
                        "fault power-loss: at spec/faults.tsv (simulate), not in Fault",
                        "fault power-surge: at Fault, not in spec/faults.tsv (simulate)");
    }
}
