package io.tidemark.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class SummaryTest {
    private static Simulation.Result result(int acknowledged, int effective) {
        return new Simulation.Result(
                Plan.of(1),
                "00000000000000aa",
                10,
                1_000,
                acknowledged,
                0,
                0,
                List.of(new Effects.Count(Fault.KILL, 2, effective)),
                new TreeMap<>(),
                new TreeMap<>(),
                new TreeMap<>());
    }

    /** A seed that is run again alone may be an idle one of many, but alone it shows nothing. */
    @Test
    void oneOfTenSeedsMayBeIdleButNotTwo() {
        Summary summary = new Summary();
        summary.add(result(0, 1));
        assertThat(summary.missing()).containsExactly("nothing was acknowledged in 1 of 1 seeds");
        for (int i = 0; i < 9; i++) {
            summary.add(result(1, 1));
        }
        assertThat(summary.missing()).isEmpty();
        for (int i = 0; i < 2; i++) {
            summary.add(result(0, 1));
        }
        assertThat(summary.missing()).containsExactly("nothing was acknowledged in 3 of 12 seeds");
    }

    @Test
    void aFaultThatNeverHadAnEffectIsTold() {
        Summary summary = new Summary();
        summary.add(result(1, 0));
        assertThat(summary.missing()).containsExactly("kill began 2 times and never had an effect");
        summary.add(result(1, 1));
        assertThat(summary.missing()).isEmpty();
        assertThat(summary.faults()).containsExactly(new Effects.Count(Fault.KILL, 4, 1));
    }

    @Test
    void theHashOfOneRunIsItsOwnAndOfTwoItIsOfBoth() {
        Summary summary = new Summary();
        summary.add(result(1, 1));
        assertThat(summary.traceHash()).isEqualTo("00000000000000aa");
        summary.add(result(1, 1));
        assertThat(summary.traceHash()).isNotEqualTo("00000000000000aa");
        assertThat(summary.steps()).isEqualTo(20);
        assertThat(summary.simulatedMs()).isEqualTo(2_000);
    }

    /** What a run did until it failed was done; what it lost nobody counted. */
    @Test
    void aRunThatFailedCountsUntilThen() {
        Summary summary = new Summary();
        summary.add(result(1, 1));
        String hash = summary.traceHash();
        summary.addFailed(result(5, 2));
        assertThat(summary.runs()).isEqualTo(2);
        assertThat(summary.failed()).isOne();
        assertThat(summary.compared()).isOne();
        assertThat(summary.acknowledged()).isEqualTo(6);
        assertThat(summary.faults()).containsExactly(new Effects.Count(Fault.KILL, 4, 3));
        assertThat(summary.steps()).isEqualTo(20);
        assertThat(summary.traceHash()).isEqualTo(hash);
    }

    @Test
    void actionsThatNoRunTookAreNamed() {
        Summary summary = new Summary();
        Simulation.Result run = Seeds.run(1);
        summary.add(run);
        assertThat(summary.taken()).isEqualTo(run.taken()).containsKey("HandleProduce");
        assertThat(summary.untaken()).doesNotContain("HandleProduce");
    }
}
