package io.tidemark.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A process dies before and after every effect that it has on its disk, alone and with its machine. */
class DeathAtEveryEffectTest {
    private static final long SEED = 5;

    private static Simulation simulation(boolean flush) {
        return new Simulation(SEED, Shape.three().withFlush(flush), false);
    }

    @Test
    void thereAreEffectsToDieAt() {
        assertThat(simulation(false).runWithDeath(1, 0, false, false)).isGreaterThan(80);
    }

    @ParameterizedTest
    @CsvSource({"false,false", "true,false", "false,true", "true,true"})
    void nothingAcknowledgedIsLost(boolean after, boolean power) {
        boolean flush = power;
        long effects = simulation(flush).runWithDeath(1, 0, false, false);
        long died = 0;
        for (long effect = 1; effect <= effects; effect++) {
            Simulation simulation = simulation(flush);
            try {
                if (simulation.runWithDeath(1, effect, after, power) == effect) {
                    died++;
                }
            } catch (Throwable broken) {
                throw new AssertionError("effect " + effect + "\n" + simulation.story(), broken);
            }
            assertThat(simulation.acknowledged()).isPositive();
        }
        // The count was taken with the loops' own jitter: the last few effects may not come any more.
        assertThat(died).isGreaterThan(effects * 9 / 10);
    }
}
