package io.tidemark.simulation;

import static org.assertj.core.api.Assertions.fail;

import io.tidemark.core.Guard;
import io.tidemark.core.Guards;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The invariants have teeth: with a guard switched off, one of the first seeds shows the violation. {@link DirectedTest} has
 * those that random faults hardly hit.
 */
class MutantsTest {
    private static final int SEEDS = 300;

    @ParameterizedTest
    @CsvSource({
        "ACK_AFTER_HW, AckedCommitted",
        "ACK_DUPLICATE_AFTER_HW, AckedCommitted",
        "ELECT_ACTIVE, LeadersActive",
        "ELECT_ELR_WHEN_ISR_EMPTY, ElectionHasGround",
        "ELECT_ISR_ONLY, ElectionHasGround",
        "REGISTRATION_UNCLEAN, ElectableComplete",
        "RESP_DIVERGENCE_FIRST, LogMatching",
        "TRUNCATE_BY_EPOCH, Converges",
        "VOTE_ONCE, OneLeaderPerEpoch",
        "VOTE_UP_TO_DATE, LeaderCompleteness",
    })
    void isCaught(Guard guard, String invariant) {
        SortedMap<String, Long> others = new TreeMap<>();
        for (long seed = 1; seed <= SEEDS; seed++) {
            try {
                Simulation.of(Plan.of(
                                seed, Shape.of(seed).withGuards(Guards.without(guard)), Aim.all(), Plan.DEFAULT_FOR_MS))
                        .run();
            } catch (Violation caught) {
                if (caught.invariant().equals(invariant)) {
                    return;
                }
                others.putIfAbsent(caught.invariant(), seed);
            }
        }
        fail("without %s no seed of 1..%d breaks %s, but these break: %s", guard, SEEDS, invariant, others);
    }
}
