package io.tidemark.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SimulationTest {
    @Test
    void seeds() {
        int from = Integer.getInteger("from", 1);
        for (int seed = from; seed < from + Integer.getInteger("seeds", 20); seed++) {
            Simulation.Result result;
            Simulation sim = new Simulation(seed, Shape.three().withFlush(seed % 4 == 3), seed % 4 == 0);
            try {
                result = sim.run(30_000);
            } catch (Throwable t) {
                System.out.println(sim.story());
                throw new AssertionError("seed " + seed, t);
            }
            System.out.println("seed " + seed + " acked " + result.acknowledged() + " " + result.faults());
            assertThat(result.acknowledged()).isPositive();
        }
    }
}
