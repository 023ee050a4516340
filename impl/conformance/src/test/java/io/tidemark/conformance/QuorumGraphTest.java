package io.tidemark.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.conformance.quorum.QuorumStart;
import io.tidemark.conformance.quorum.QuorumSubject;
import io.tidemark.core.Guard;
import io.tidemark.core.Requires;
import io.tidemark.spec.model.ConfigChange;
import io.tidemark.spec.model.Expectation;
import io.tidemark.spec.model.Model;
import io.tidemark.spec.model.ModelConfig;
import io.tidemark.spec.model.ModelKind;
import io.tidemark.spec.model.ModelSet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * All states that models of the quorum reach: the code's graph is the specification's, and code that lacks a guard has another.
 */
class QuorumGraphTest {
    @TempDir
    Path directory;

    /** A leader appends once, and somebody crashes: smaller than any row of the manifest that has both. */
    private Model led() throws IOException {
        Path module = Files.writeString(directory.resolve("Small.tla"), """
                ---- MODULE Small ----
                EXTENDS MCQuorum
                CONSTANT n1
                Disturbances == [None EXCEPT !.append = 1, !.crash = 1]
                FromHere == Led(n1, Controller) /\\ [][Next]_vars
                ====
                """);
        ModelConfig config = ModelConfig.read(GraphRows.SPEC.resolve("models/MCQuorumCrash.cfg"))
                .with(List.of(ConfigChange.parse("SPECIFICATION=FromHere")));
        return new Model(
                "Small",
                ModelKind.MODEL,
                ModelSet.USER,
                module,
                config,
                null,
                List.of(),
                Expectation.HOLDS,
                null,
                "",
                module.toString());
    }

    @Test
    void aLeaderThatAppendsAndACrash() throws IOException {
        Exploration.Report report = Exploration.of(GraphRows.SPEC, led(), Set.of(), states -> true);
        assertThat(report.difference()).isNull();
        assertThat(report.result()).as(report.reason()).isEqualTo(Exploration.Result.EQUAL);
        assertThat(report.states()).isGreaterThan(400);
        assertThat(report.edges()).containsKeys("Crash", "RestartNode", "AppendMetadata", "HandleMetadataFetch");
    }

    @Test
    void aCoreThatCountsWhatIsNotOnDiskParts() throws IOException {
        Exploration.Report report = Exploration.of(GraphRows.SPEC, led(), Set.of(Guard.QUORUM_FLUSH), states -> true);
        assertThat(report.result()).isEqualTo(Exploration.Result.DIFFERS);
        assertThat(report.difference()).contains(" after Init", "  from: ");
    }

    /** Mutants of what messages wait for: of the log, of quorum-state, of anything. */
    static Stream<Arguments> hasty() {
        UnaryOperator<Requires> nothing = requires -> Requires.NOTHING;
        UnaryOperator<Requires> stateAlone =
                requires -> requires instanceof Requires.QuorumStateAndFlushed ? Requires.QUORUM_STATE : requires;
        UnaryOperator<Requires> logAlone = requires -> requires instanceof Requires.QuorumStateAndFlushed both
                ? new Requires.Flushed(both.endOffset())
                : requires;
        return Stream.of(
                Arguments.of("requests that wait for nothing", HastyCores.requests(nothing)),
                Arguments.of("requests that wait for quorum-state alone", HastyCores.requests(stateAlone)),
                Arguments.of("requests that wait for the log alone", HastyCores.requests(logAlone)),
                Arguments.of("answers that wait for nothing", HastyCores.fetchAnswers(nothing)));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("hasty")
    void aCoreWhoseMessagesWaitForLessParts(String name, UnaryOperator<QuorumStart.Cores> hasty) throws IOException {
        Model led = led();
        Exploration.Report report = Exploration.of(
                GraphRows.SPEC, led, new QuorumSubject(led.config().constants(), hasty), states -> true);
        assertThat(report.result()).as(name).isEqualTo(Exploration.Result.DIFFERS);
    }

    @Test
    void whatIsNotInTheCodeIsNotSearched() throws IOException {
        Model small = led();
        Model constrained = small.with(
                small.config().with(List.of(ConfigChange.parse("ACTION_CONSTRAINTS=FusedRpc"))), small.expected());
        Exploration.Report report = Exploration.of(GraphRows.SPEC, constrained, Set.of(), states -> true);
        assertThat(report.result()).isEqualTo(Exploration.Result.UNKNOWN);
        assertThat(report.reason()).contains("FusedRpc");
    }

    @Test
    void aSearchThatIsEndedSaysSo() throws IOException {
        Exploration.Report report = Exploration.of(GraphRows.SPEC, led(), Set.of(), states -> false);
        assertThat(report.result()).isEqualTo(Exploration.Result.UNKNOWN);
    }

    static Stream<String> models() {
        return GraphRows.models("MCQuorum", List.of("MCQuorumPreVote"));
    }

    static Stream<String> mutants() {
        return GraphRows.mutants("MCQuorum");
    }

    @ParameterizedTest
    @MethodSource("models")
    void theGraphsAreEqual(String name) {
        GraphRows.assertEqual(name);
    }

    @ParameterizedTest
    @MethodSource("mutants")
    void codeThatLacksAGuardParts(String name) {
        GraphRows.assertDifferent(name);
    }
}
