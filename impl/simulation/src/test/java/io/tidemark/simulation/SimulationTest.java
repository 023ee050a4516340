package io.tidemark.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SimulationTest {
    @Test
    void seeds() {
        int from = Integer.getInteger("from", 1);
        for (int seed = from; seed < from + Integer.getInteger("seeds", 20); seed++) {
            Simulation.Result result;
            try {
                result = new Simulation(seed, Shape.three(), new TableCodec()).run(30_000);
            } catch (Throwable t) {
                throw new AssertionError("seed " + seed, t);
            }
            System.out.println(result);
            assertThat(result.acknowledged()).isPositive();
        }
    }
}
