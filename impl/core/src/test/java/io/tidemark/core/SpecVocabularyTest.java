package io.tidemark.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.broker.BrokerActions;
import io.tidemark.core.controller.ControllerActions;
import io.tidemark.core.partition.PartitionActions;
import io.tidemark.core.quorum.QuorumActions;
import io.tidemark.core.quorum.QuorumView;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** {@code spec/actions.tsv} and {@code spec/guards.tsv} name what the code names. */
class SpecVocabularyTest {
    private record Row(String module, String action, String kind, String code, String reason) {
        boolean is(String kind, String code) {
            return this.kind.equals(kind) && this.code.equals(code);
        }
    }

    private static final List<Row> ROWS =
            SpecTable.read("actions.tsv", "module", "action", "kind", "code", "reason").stream()
                    .map(cells -> new Row(cells[0], cells[1], cells[2], cells[3], cells[4]))
                    .toList();

    private static List<String> actions(Predicate<Row> which) {
        return ROWS.stream().filter(which).map(Row::action).collect(Collectors.toList());
    }

    @Test
    void everyRowIsWellFormedAndSaysWhy() {
        assertThat(ROWS).allSatisfy(row -> {
            assertThat(row.module()).isIn("Quorum", "Controller", "Partition");
            assertThat(row.kind()).isIn("protocol", "environment", "code-only");
            assertThat(row.code()).isIn(row.kind().equals("environment") ? List.of("-") : List.of("yes", "later"));
        });
        assertThat(ROWS.stream().map(row -> row.module() + "." + row.action())).doesNotHaveDuplicates();
    }

    @Test
    void specActionIsTheProtocolRowsInTheirOrder() {
        assertThat(Arrays.stream(SpecAction.values()).map(Enum::name))
                .containsExactlyElementsOf(actions(row -> row.is("protocol", "yes")));
    }

    @Test
    void actionsInterfacesAreTheRowsOfTheirModules() {
        assertMethods(Stream.of(QuorumActions.class), "Quorum");
        assertMethods(Stream.of(ControllerActions.class, BrokerActions.class), "Controller");
        assertMethods(Stream.of(PartitionActions.class), "Partition");
    }

    private static void assertMethods(Stream<Class<?>> interfaces, String module) {
        List<String> methods = interfaces
                .flatMap(type -> Arrays.stream(type.getDeclaredMethods()))
                .map(Method::getName)
                .collect(Collectors.toList());
        assertThat(methods)
                .as(module)
                .containsExactlyInAnyOrderElementsOf(
                        actions(row -> row.module().equals(module) && row.code().equals("yes")).stream()
                                .map(action -> Character.toLowerCase(action.charAt(0)) + action.substring(1))
                                .collect(Collectors.toList()));
    }

    /** That they have no method either is what {@link #actionsInterfacesAreTheRowsOfTheirModules} says. */
    @Test
    void laterRowsAreNoActionYet() {
        assertThat(actions(row -> row.code().equals("later")))
                .doesNotContainAnyElementsOf(
                        Arrays.stream(SpecAction.values()).map(Enum::name).toList());
    }

    /** Those of later actions are not in the code yet. */
    @Test
    void guardsAreTheRowsOfTheirTableInTheirOrder() {
        List<String> coded = actions(row -> row.is("protocol", "yes"));
        assertThat(Arrays.stream(Guard.values()).map(Guard::specName))
                .containsExactlyElementsOf(GuardRow.ALL.stream()
                        .filter(row -> coded.contains(row.action()))
                        .map(GuardRow::guard)
                        .toList());
    }

    @Test
    void everyGuardBelongsToAProtocolActionAndSaysWhatItPrevents() {
        List<String> coded = actions(row -> row.is("protocol", "yes"));
        assertThat(GuardRow.ALL).allSatisfy(row -> {
            assertThat(actions(action -> action.kind().equals("protocol"))).contains(row.action());
            assertThat(row.rule()).as(row.guard()).endsWith(".");
            assertThat(row.inCode())
                    .as(row.guard())
                    .matches(
                            coded.contains(row.action())
                                    ? "[A-Z][A-Za-z]+|(" + Tooth.LIVENESS + "|" + Tooth.NONE + "): .+"
                                    : "-");
        });
    }

    @Test
    void theQuorumsViewHasTheSpecsVariables() {
        assertThat(Arrays.stream(QuorumView.class.getDeclaredMethods()).map(Method::getName))
                .contains(
                        "currentEpoch",
                        "votedKey",
                        "leaderId",
                        "role",
                        "log",
                        "logStart",
                        "flushed",
                        "hw",
                        "grants",
                        "voterFetch",
                        "dirId");
    }
}
