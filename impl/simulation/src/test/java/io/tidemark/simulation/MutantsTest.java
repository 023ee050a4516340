package io.tidemark.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.Guard;
import io.tidemark.core.Guards;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The invariants have teeth: with a guard switched off, a seed of a few shows the violation. The seeds are pinned to where
 * that was seen; a change of schedules moves them. {@link DirectedTest} has those that random faults hardly hit.
 */
class MutantsTest {
    @ParameterizedTest
    @CsvSource({
        "ACK_AFTER_HW, 1, 2, AckedCommitted",
        "ACK_DUPLICATE_AFTER_HW, 1, 2, AckedCommitted",
        "CONTROLLER_COMMITTED_ANSWERS, 48, 48, OneLeaderPerEpoch",
        "ELECT_ACTIVE, 6, 6, Converges",
        "ELECT_ELR_WHEN_ISR_EMPTY, 8, 8, ElectionHasGround",
        "ELECT_ISR_ONLY, 1, 2, ElectionHasGround",
        "EXPAND_HW, 19, 19, ElectableComplete",
        "HW_MAXIMAL_ISR, 59, 59, ElectableComplete",
        "HW_MIN_ISR, 13, 13, ElectableComplete",
        "QUORUM_DIVERGENCE, 7, 7, Converges",
        "REGISTRATION_UNCLEAN, 4, 5, ElectableComplete",
        "RESP_DIVERGENCE_FIRST, 1, 1, LogMatching",
        "TRUNCATE_BY_EPOCH, 4, 6, Converges",
        "VOTE_ONCE, 3, 6, OneLeaderPerEpoch",
        "VOTE_UP_TO_DATE, 2, 2, LeaderCompleteness",
    })
    void isCaught(Guard guard, long from, long to, String invariant) {
        for (long seed = from; seed <= to; seed++) {
            try {
                Shape shape = SimulationTest.shape(seed).withGuards(Guards.without(guard));
                new Simulation(seed, shape, false).run(30_000);
            } catch (Invariants.Violation caught) {
                assertThat(caught.invariant()).as("seed " + seed).isEqualTo(invariant);
                return;
            }
        }
        assertThat(guard)
                .as("nobody noticed in seeds " + from + ".." + to + " that it was off")
                .isNull();
    }
}
