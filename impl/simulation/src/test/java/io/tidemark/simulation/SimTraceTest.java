package io.tidemark.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SimTraceTest {
    private static Plan plan(long seed) {
        return Plan.of(seed, Shape.three(), Aim.all(), 2_000);
    }

    @Test
    void theSameSeedIsTheSameTrace() {
        List<String> first = SimTrace.of(plan(1));
        assertThat(first).hasSizeGreaterThan(1_000).isEqualTo(SimTrace.of(plan(1)));
        assertThat(SimTrace.of(plan(2))).isNotEqualTo(first);
        assertThat(first.get(0)).contains("\"events\":" + (first.size() - 1));
    }

    /** Who watches changes nothing. */
    @Test
    void aTraceLeavesTheRunAsItIs() {
        Plan plan = plan(3);
        List<String> lines = new ArrayList<>();
        SimTrace trace = new SimTrace(plan, lines::add);
        Simulation.Result watched = trace.watched(false).run();
        assertThat(lines).isNotEmpty();
        assertThat(watched).isEqualTo(Simulation.of(plan).run());
    }
}
