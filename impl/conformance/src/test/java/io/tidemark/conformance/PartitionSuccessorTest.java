package io.tidemark.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.conformance.names.SpecReader;
import io.tidemark.conformance.names.Tables;
import io.tidemark.core.Guard;
import io.tidemark.core.SpecAction;
import java.io.IOException;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** States of the partition's models, built in the cores of replica, controller and broker: where both go by the same input. */
class PartitionSuccessorTest {
    private static final Trials TRIALS = new Trials(SpecReader.read(PartitionModels.SPEC.resolve("Durability.tla")));

    @BeforeAll
    static void walk() throws IOException {
        for (PartitionModels.Settings settings : PartitionModels.WALKS) {
            TRIALS.walk(settings.walked());
        }
        for (PartitionModels.Scenario scenario : PartitionModels.SCENARIOS.values()) {
            TRIALS.bite(scenario.settings().walked(), scenario.steps());
        }
        System.out.println(TRIALS.successors.table());
    }

    @Test
    void codeAndSpecificationGoToTheSameStates() {
        assertThat(TRIALS.successors.disagreements()).isEmpty();
    }

    static Stream<SpecAction> actions() {
        return Stream.concat(
                Tables.compared(PartitionModels.SPEC, "Controller"),
                Tables.compared(PartitionModels.SPEC, "Partition"));
    }

    @ParameterizedTest
    @MethodSource("actions")
    void inEnoughStates(SpecAction action) {
        TRIALS.successors.assertCompared(action);
    }

    @Test
    void theStatesDifferInAllVariablesButThoseThatTheTableNames() throws IOException {
        assertThat(TRIALS.ranges.fixed()).isEqualTo(Trials.heldFixed(PartitionModels.SPEC, "Partition"));
    }

    /**
     * What no state of the models tells. ap-sender-epoch: a leader's request is always of its present life while it lives, and
     * when a new life is registered the partition epoch rises, so that ap-partition-epoch refuses what is late; to that nobody
     * waits for an answer, whose error alone would differ.
     */
    private static final Set<Guard> NOT_SEEN = EnumSet.of(Guard.AP_SENDER_EPOCH);

    @Test
    void whatIsSaidNotToBeSeenIsNot() {
        assertThat(NOT_SEEN).noneMatch(TRIALS.teeth::missed);
    }

    static Set<Guard> guards() {
        Set<Guard> guards = TRIALS.teeth.guards();
        guards.removeAll(NOT_SEEN);
        return guards;
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
