package io.tidemark.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class TraceTest {
    @Test
    void theSameSeedIsTheSameTrace() {
        Shape shape = Shape.three();
        List<String> first = Simulation.traced(1, 2_000, shape);
        assertThat(first).hasSizeGreaterThan(1_000).isEqualTo(Simulation.traced(1, 2_000, shape));
        assertThat(Simulation.traced(2, 2_000, shape)).isNotEqualTo(first);
    }

    /** Who watches changes nothing. */
    @Test
    void aTraceLeavesTheRunAsItIs() {
        Simulation watched = new Simulation(3, Shape.three(), false);
        watched.nodes().forEach(node -> node.trace(new io.tidemark.runtime.trace.TraceLog(line -> {})));
        assertThat(watched.run(2_000)).isEqualTo(new Simulation(3, Shape.three(), false).run(2_000));
    }
}
