package io.tidemark.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Seeds of the build: {@code -Dtidemark.seeds=FROM..TO} runs others. */
class SimulationTest {
    /** A test a seed, and one that together they met what there is to meet. */
    @TestFactory
    Stream<DynamicTest> whateverFailsOnlyWhatTheSettingsAllowIsLostAndTheClusterRecovers() {
        String[] range = System.getProperty("tidemark.seeds", "1..300").split("\\.\\.");
        long first = Long.parseLong(range[0]);
        long last = Long.parseLong(range[1]);
        Seeds seeds = new Seeds();
        return Stream.concat(
                LongStream.rangeClosed(first, last)
                        .mapToObj(seed -> DynamicTest.dynamicTest("seed " + seed, () -> seeds.add(Seeds.run(seed)))),
                Stream.of(DynamicTest.dynamicTest("enough was met", () -> {
                    System.out.println(seeds);
                    seeds.areEnough(last - first + 1);
                })));
    }

    /** Brokers remember the last five batches of a producer: as many as Kafka's has under way. */
    @Test
    void fiveBatchesUnderWayAreKeptInOrderAndOnce() {
        int duplicates = 0;
        for (long seed = 1; seed <= 20; seed++) {
            duplicates += Seeds.run(seed, Shape.three().with(shape -> shape.inFlight = 5))
                    .events()
                    .getOrDefault("duplicate-answered", 0);
        }
        assertThat(duplicates).isPositive();
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
            shape.flushMessages = 1;
        });
        for (long seed = 1; seed <= 10; seed++) {
            assertThat(Seeds.run(seed, alone).acknowledged()).isPositive();
        }
    }
}
