package io.tidemark.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.Guard;
import io.tidemark.core.Guards;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The invariants have teeth: with a guard switched off, some seed shows a violation. */
class MutantsTest {
    private static final int SEEDS = Integer.getInteger("tidemark.mutantSeeds", 40);

    @ParameterizedTest
    @EnumSource(names = {"ACK_AFTER_HW", "HW_MAXIMAL_ISR", "VOTE_UP_TO_DATE"})
    void isCaught(Guard guard) {
        for (long seed = 1; seed <= SEEDS; seed++) {
            try {
                new Simulation(seed, Shape.three().withGuards(Guards.without(guard)), false).run(30_000);
            } catch (Invariants.Violation caught) {
                assertThat(caught.invariant())
                        .isIn(
                                "AckedDurable",
                                "ElectableComplete",
                                "LogMatching",
                                "LeaderCompleteness",
                                "StateMachineSafety");
                return;
            }
        }
        assertThat(guard)
                .as("nobody noticed in " + SEEDS + " seeds that it was off")
                .isNull();
    }
}
