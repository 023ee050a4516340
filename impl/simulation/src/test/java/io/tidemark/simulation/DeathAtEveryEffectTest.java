package io.tidemark.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A process dies before and after every effect that it has on its disk, alone and with its machine. */
class DeathAtEveryEffectTest {
    private static final long SEED = 5;

    private static Simulation simulation(boolean flush) {
        return new Simulation(SEED, Shape.three().with(shape -> shape.flushMessages = flush ? 1 : 0), false);
    }

    @ParameterizedTest
    @CsvSource({"START,80", "STOP,25", "RECOVERY,25"})
    void thereAreEffectsToDieAt(Simulation.Moment moment, long atLeast) {
        assertThat(simulation(false).runWithDeath(moment, 1, 0, false, false)).isGreaterThan(atLeast);
    }

    /** What comes before an effect of a stop or a recovery is what comes after the one before it: one side will do. */
    @ParameterizedTest
    @CsvSource({
        "START,false,false,false",
        "START,true,false,false",
        "START,false,true,true",
        "START,true,true,true",
        "STOP,false,true,false",
        "STOP,false,true,true",
        "RECOVERY,false,true,false",
        "RECOVERY,false,true,true"
    })
    void nothingAcknowledgedIsLost(Simulation.Moment moment, boolean after, boolean power, boolean flush) {
        long effects = simulation(flush).runWithDeath(moment, 1, 0, false, false);
        long died = 0;
        for (long effect = 1; effect <= effects; effect++) {
            Simulation simulation = simulation(flush);
            try {
                if (simulation.runWithDeath(moment, 1, effect, after, power) == effect) {
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
