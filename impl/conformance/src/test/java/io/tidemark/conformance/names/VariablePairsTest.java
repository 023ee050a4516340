package io.tidemark.conformance.names;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.broker.BrokerState;
import io.tidemark.core.metadata.BrokerRegistration;
import io.tidemark.core.quorum.QuorumStateData;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A variable of the specification and the component of the code that holds it are one pair, not two lists of names. */
class VariablePairsTest {
    /** Where else a variable is, than in a view. */
    private static final Map<String, Class<?>> ELSEWHERE = Map.of(
            "BrokerState", BrokerState.class,
            "BrokerRegistration", BrokerRegistration.class,
            "QuorumStateData", QuorumStateData.class);

    /** Which code a module's variables may be in. */
    private static final Map<String, Set<String>> HOLDERS = Map.of(
            "Partition", Set.of("PartitionView", "ControllerView", "BrokerState", "BrokerRegistration"),
            "Quorum", Set.of("QuorumView", "QuorumStateData"),
            "Cluster", Set.of());

    /** The only variables whose component has another name: the component, or the class that is the variable as a whole. */
    private static final Map<String, String> ALIASES = Map.of(
            "Partition.metaLog", "ControllerView.metaLogEnd",
            "Partition.up", "BrokerState",
            "Quorum.durable", "QuorumStateData");

    /** Each variable is in a component of its own name, or in that which {@link #ALIASES} names for it; and the code has it. */
    private static List<String> pairs(List<Tables.Variable> rows) {
        List<String> wrong = new ArrayList<>();
        for (Tables.Variable row : rows) {
            String name = row.module() + "." + row.variable();
            if (row.code().equals("-")) {
                continue;
            }
            String[] code = row.code().split("\\.", 2);
            Class<?> type = NamesTest.VIEWS.getOrDefault(code[0], ELSEWHERE.get(code[0]));
            if (type == null
                    || (code.length == 2
                            && Stream.of(type.getDeclaredMethods())
                                    .noneMatch(method -> method.getName().equals(code[1])))) {
                wrong.add("variable " + name + ": " + row.code() + " in spec/variables.tsv, not in the code");
            } else if (!HOLDERS.getOrDefault(row.module(), Set.of()).contains(code[0])) {
                wrong.add("variable " + name + ": " + row.code() + " in spec/variables.tsv, which has none of "
                        + row.module());
            } else if (!row.variable().equals("-")
                    && !row.code().equals(ALIASES.getOrDefault(name, code[0] + "." + row.variable()))) {
                wrong.add("variable " + name + ": " + row.code() + " in spec/variables.tsv, expected "
                        + ALIASES.getOrDefault(name, code[0] + "." + row.variable()));
            }
        }
        return wrong;
    }

    @Test
    void eachVariableIsInItsComponent() {
        assertThat(pairs(Tables.variables(NamesTest.SPEC))).isEmpty();
    }

    /** The table with another cell {@code code} in the row of one variable. */
    private static List<Tables.Variable> holding(String module, String variable, String code) {
        return Tables.variables(NamesTest.SPEC).stream()
                .map(row -> row.module().equals(module) && row.variable().equals(variable)
                        ? new Tables.Variable(module, variable, row.kind(), code, row.held(), row.reason())
                        : row)
                .toList();
    }

    @Test
    void aVariableInAnothersComponentIsTold() {
        assertThat(pairs(holding("Partition", "hw", "PartitionView.logStart")))
                .containsExactly("variable Partition.hw: PartitionView.logStart in spec/variables.tsv, expected"
                        + " PartitionView.hw");
        assertThat(pairs(holding("Partition", "metaLog", "ControllerView.metaHw")))
                .containsExactly("variable Partition.metaLog: ControllerView.metaHw in spec/variables.tsv, expected"
                        + " ControllerView.metaLogEnd");
        assertThat(pairs(holding("Quorum", "hw", "PartitionView.hw")))
                .containsExactly(
                        "variable Quorum.hw: PartitionView.hw in spec/variables.tsv, which has none of Quorum");
    }

    @Test
    void aVariableInWhatTheCodeLacksIsTold() {
        assertThat(pairs(holding("Quorum", "durable", "QuorumState")))
                .containsExactly("variable Quorum.durable: QuorumState in spec/variables.tsv, not in the code");
        assertThat(pairs(holding("Partition", "incarnation", "BrokerRegistration.life")))
                .containsExactly("variable Partition.incarnation: BrokerRegistration.life in spec/variables.tsv, not in"
                        + " the code");
    }
}
