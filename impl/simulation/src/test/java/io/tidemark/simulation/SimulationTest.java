package io.tidemark.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Seeds of the build: {@code -Dtidemark.seeds=FROM..TO} runs others. */
class SimulationTest {
    private static final SortedMap<String, Integer> NONE = new TreeMap<>();

    @Test
    void whateverFailsOnlyWhatTheSettingsAllowIsLostAndTheClusterRecovers() {
        String[] range = System.getProperty("tidemark.seeds", "1..200").split("\\.\\.");
        Seeds seeds = new Seeds();
        for (long seed = Long.parseLong(range[0]); seed <= Long.parseLong(range[1]); seed++) {
            Shape shape = Seeds.shape(seed);
            seeds.add(shape, Seeds.run(seed, shape));
        }
        System.out.println(seeds);
        seeds.areEnough();
    }

    private static Simulation.Result result(int acknowledged) {
        return new Simulation.Result(1, "", 0, 0, acknowledged, 0, 0, NONE, NONE, new TreeMap<>());
    }

    /** A seed that is run again alone may be an idle one. */
    @Test
    void oneSeedMayBeIdleButNotTwoOfTen() {
        Seeds seeds = new Seeds();
        seeds.add(Shape.three(), result(0));
        seeds.areEnough();
        for (int i = 0; i < 9; i++) {
            seeds.add(Shape.three(), result(i == 0 ? 0 : 1));
        }
        assertThatThrownBy(seeds::areEnough).hasMessageContaining("nothing was acknowledged");
    }

    /** They once showed a violation; changes of schedules may have moved it. */
    @ParameterizedTest
    @ValueSource(longs = {789})
    void seedsThatOnceViolated(long seed) {
        assertThat(Seeds.run(seed, Seeds.shape(seed)).acknowledged()).isPositive();
    }

    /** Brokers remember the last five batches of a producer: as many as Kafka's has under way. */
    @Test
    void fiveBatchesUnderWayAreKeptInOrderAndOnce() {
        int duplicates = 0;
        for (long seed = 1; seed <= 20; seed++) {
            duplicates += Seeds.run(seed, Seeds.shape(seed).with(shape -> shape.inFlight = 5))
                    .tookEffect()
                    .getOrDefault("duplicate-answered", 0);
        }
        assertThat(duplicates).isPositive();
    }

    @Test
    void theSameSeedIsTheSameRun() {
        for (long seed = 1; seed <= 4; seed++) {
            Simulation.Result first = Seeds.run(seed, Shape.three());
            Simulation.Result second = Seeds.run(seed, Shape.three());
            assertThat(second).isEqualTo(first);
        }
        assertThat(Seeds.run(1, Shape.three()).traceHash())
                .isNotEqualTo(Seeds.run(2, Shape.three()).traceHash());
    }

    @Test
    void acksOfTheLeaderAloneLoseRecordsAndTheyAreCounted() {
        int lost = 0;
        for (long seed = 1; seed <= 10; seed++) {
            lost += Seeds.run(seed, Shape.three().with(shape -> shape.acks = 1)).lost();
        }
        assertThat(lost).isPositive();
    }

    @Test
    void oneNodeAloneKeepsWhatItFsynced() {
        Shape alone = Shape.three().with(shape -> {
            shape.controllers = 1;
            shape.partitions = 2;
            shape.replicationFactor = 1;
            shape.minIsr = 1;
            shape.flushEveryMessage = true;
        });
        for (long seed = 1; seed <= 10; seed++) {
            assertThat(Seeds.run(seed, alone).acknowledged()).isPositive();
        }
    }
}
