package io.tidemark.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.conformance.names.SpecReader;
import io.tidemark.conformance.names.Tables;
import io.tidemark.conformance.quorum.QuorumAdapters;
import io.tidemark.conformance.states.SpecModel;
import io.tidemark.core.Guard;
import io.tidemark.core.SpecAction;
import io.tidemark.spec.model.ConfigChange;
import io.tidemark.spec.model.ModelConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** States of the quorum's models, built in the code's core: where both go by the same input. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class QuorumSuccessorTest {
    private static final Path SPEC = Path.of(System.getProperty("tidemark.root", "../.."), "spec");

    private static final Set<String> DISTURBANCES = Set.of(
            "Crash", "WipeDisk", "LoseMessage", "Resign", "CheckQuorumTimeout", "ElectionTimeout", "FetchTimeout");

    private static final Trials TRIALS = new Trials(SpecReader.read(SPEC.resolve("Quorum.tla")));

    @BeforeAll
    static void walk(@TempDir Path directory) throws IOException {
        String much = "!.timeout = 9, !.append = 3, !.crash = 2, !.lose = 5, !.ghost = 9, !.resign = 3";
        TRIALS.walk(model(directory, "Elections", "Init", much, 100, DISTURBANCES));
        String leading = "!.timeout = 3, !.append = 30, !.lose = 2, !.ghost = 9, !.resign = 2";
        TRIALS.walk(model(directory, "Decisions", "Led(n1, Controller)", leading, 40, DISTURBANCES));
        String leaving = "!.timeout = 9, !.append = 2, !.ghost = 9, !.resign = 9";
        TRIALS.walk(model(directory, "Late", "Led(n1, {n2})", leaving, 40, Set.of()));
        String wiped = "!.timeout = 9, !.append = 3, !.crash = 3, !.wipe = 2, !.ghost = 3";
        TRIALS.bite(model(directory, "Wiped", "Init", wiped, 60, DISTURBANCES), Guard.VOTE_KEY);
        System.out.println(TRIALS.successors.table());
    }

    /** As the model of a crash, with more of everything and nothing fused. */
    private static Trials.Walked model(
            Path directory, String name, String init, String budget, int length, Set<String> disturbances)
            throws IOException {
        Path module = directory.resolve(name + ".tla");
        Files.writeString(module, """
                ---- MODULE %s ----
                EXTENDS MCQuorum
                CONSTANTS n1, n2
                Disturbances == [None EXCEPT %s]
                Wide == %s /\\ [][Next]_vars
                ====
                """.formatted(name, budget, init));
        ModelConfig config = ModelConfig.read(SPEC.resolve("models/MCQuorumCrash.cfg"))
                .with(List.of(
                        ConfigChange.parse("SPECIFICATION=Wide"),
                        ConfigChange.parse("SYMMETRY="),
                        ConfigChange.parse("ACTION_CONSTRAINTS=")))
                .checking(List.of(), List.of());
        SpecModel model = SpecModel.read(SPEC, module, config.render());
        return new Trials.Walked(name, model, 1, 2 * Trials.STEPS, length, disturbances, QuorumAdapters::all);
    }

    @Test
    void codeAndSpecificationGoToTheSameStates() {
        assertThat(TRIALS.successors.disagreements()).isEmpty();
    }

    static Stream<SpecAction> actions() {
        return Tables.compared(SPEC, "Quorum");
    }

    @ParameterizedTest
    @MethodSource("actions")
    void inEnoughStates(SpecAction action) {
        TRIALS.successors.assertCompared(action);
    }

    @Test
    void theStatesDifferInAllVariablesButThoseThatTheTableNames() throws IOException {
        assertThat(TRIALS.ranges.fixed()).isEqualTo(Trials.heldFixed(SPEC, "Quorum"));
    }

    static Set<Guard> guards() {
        return TRIALS.teeth.guards();
    }

    /** The comparison has teeth: a core without a guard goes elsewhere than the specification. */
    @ParameterizedTest
    @MethodSource("guards")
    void aGuardThatTheCodeLacksIsMissed(Guard guard) {
        assertThat(TRIALS.teeth.told(guard))
                .as("what tells that %s is off", guard)
                .isNotNull();
    }
}
