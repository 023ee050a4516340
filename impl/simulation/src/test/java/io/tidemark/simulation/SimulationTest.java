package io.tidemark.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Seeds of the build: {@code -Dtidemark.seeds=FROM..TO} runs others. */
class SimulationTest {
    @Test
    void whateverFailsOnlyWhatTheSettingsAllowIsLostAndTheClusterRecovers() {
        String[] range = System.getProperty("tidemark.seeds", "1..300").split("\\.\\.");
        Seeds seeds = new Seeds();
        for (long seed = Long.parseLong(range[0]); seed <= Long.parseLong(range[1]); seed++) {
            seeds.add(Seeds.run(seed));
        }
        System.out.println(seeds);
        seeds.areEnough();
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
