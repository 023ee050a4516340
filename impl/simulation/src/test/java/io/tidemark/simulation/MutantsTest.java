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
        "ELECT_ACTIVE, 2, 2, LogMatching",
        "ELECT_ISR_ONLY, 1, 2, ElectionHasGround",
        "REGISTRATION_UNCLEAN, 1, 4, ElectableComplete",
        "VOTE_UP_TO_DATE, 1, 4, LeaderCompleteness",
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
