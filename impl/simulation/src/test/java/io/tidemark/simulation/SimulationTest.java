package io.tidemark.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Seeds of the build: {@code -Dtidemark.seeds=FROM..TO} runs others. */
class SimulationTest {
    private static final int FAULTS_MS = 30_000;

    private static Simulation.Result run(long seed, Shape shape) {
        Simulation simulation = new Simulation(seed, shape, seed % 4 == 0);
        try {
            return simulation.run(FAULTS_MS);
        } catch (Throwable broken) {
            throw new AssertionError("seed " + seed + "\n" + simulation.story(), broken);
        }
    }

    @Test
    void whateverFailsNoAcknowledgedRecordIsLostAndTheClusterRecovers() {
        String[] range = System.getProperty("tidemark.seeds", "1..200").split("\\.\\.");
        SortedMap<String, Integer> faults = new TreeMap<>();
        int idle = 0;
        int seeds = 0;
        for (long seed = Long.parseLong(range[0]); seed <= Long.parseLong(range[1]); seed++) {
            Simulation.Result result = run(seed, Shape.three().withFlush(seed % 4 == 3));
            result.faults().forEach((kind, count) -> faults.merge(kind, count, Integer::sum));
            seeds++;
            if (result.acknowledged() == 0) {
                idle++;
            }
        }
        assertThat(idle).as("seeds in which nothing was acknowledged").isLessThanOrEqualTo(seeds / 10);
        assertThat(faults.keySet())
                .containsExactly("freeze", "kill", "message-loss", "partition", "power-loss", "reorder", "restart");
    }

    @Test
    void theSameSeedIsTheSameRun() {
        for (long seed = 1; seed <= 4; seed++) {
            Simulation.Result first = run(seed, Shape.three());
            Simulation.Result second = run(seed, Shape.three());
            assertThat(second).isEqualTo(first);
        }
        assertThat(run(1, Shape.three()).traceHash())
                .isNotEqualTo(run(2, Shape.three()).traceHash());
    }

    @Test
    void acksOfTheLeaderAloneLoseRecordsAndTheyAreCounted() {
        int lost = 0;
        for (long seed = 1; seed <= 10; seed++) {
            lost += run(seed, Shape.three().withAcks(1)).lost();
        }
        assertThat(lost).isPositive();
    }

    @Test
    void oneNodeAloneKeepsWhatItFsynced() {
        Shape alone = new Shape(1, 2, 1, 1, (short) -1, true, false, true, io.tidemark.core.Guards.ALL);
        for (long seed = 1; seed <= 10; seed++) {
            try {
                Simulation.Result result = run(seed, alone);
                assertThat(result.acknowledged()).isPositive();
            } catch (RuntimeException broken) {
                fail("seed " + seed, broken);
            }
        }
    }
}
