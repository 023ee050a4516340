package io.tidemark.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Random schedules of controller and replicas together, while {@code min.insync.replicas} changes and processes are killed
 * (no machine loses power: then acknowledged records can be lost, as docs/durability.md says).
 */
class StoryScheduleTest {
    // A hunt: mvn test -Dtest=StoryScheduleTest -Dseeds=100000
    private static final int SEEDS = Integer.getInteger("seeds", 600);
    private static final int STEPS = 300;

    private int acknowledged;

    private @Nullable String broken(Guards guards, int seed) {
        Random random = new Random(seed);
        StoryCluster cluster = new StoryCluster(guards, 1 + random.nextInt(3));
        try {
            for (int step = 0; step < STEPS; step++) {
                move(cluster, random, 1 + random.nextInt(3));
            }
        } catch (StoryInvariants.Violation violation) {
            return violation.getMessage();
        }
        acknowledged += cluster.acknowledged();
        return null;
    }

    private static void move(StoryCluster cluster, Random random, int id) {
        int what = random.nextInt(100);
        if (what < 20) {
            cluster.applyNext(id);
        } else if (what < 30) {
            cluster.write(id, random.nextInt(4) == 0 ? 1 : -1);
        } else if (what < 50) {
            if (cluster.asksForRecords(id)) {
                cluster.serve(cluster.asks(id));
            }
        } else if (what < 70) {
            if (cluster.isAnswered(id)) {
                cluster.receive(cluster.fetched(id));
            }
        } else if (what < 76) {
            cluster.lag(id, 1 + random.nextInt(3), 1 + random.nextInt(3));
        } else if (what < 84) {
            if (cluster.asksForChange(id)) {
                cluster.decide(cluster.asksToAlter(id));
            }
        } else if (what < 92) {
            cluster.hearDecision(id);
        } else if (what < 94) {
            cluster.controller.minIsr(1 + random.nextInt(3));
        } else if (what < 95) {
            cluster.controller.fence(id);
        } else if (what < 98) {
            cluster.unfence(id);
        } else if (what < 99) {
            cluster.controller.electPreferred();
        } else {
            cluster.controller.fence(id);
            cluster.restart(id);
        }
    }

    @Test
    void nothingAcknowledgedIsLost() {
        for (int seed = 0; seed < SEEDS; seed++) {
            assertThat(broken(Guards.ALL, seed)).as("seed %d", seed).isNull();
        }
        assertThat(acknowledged).isGreaterThan(1000);
    }

    /** With an acknowledgement, or before one: what was below the high watermark counts too. */
    @Test
    void withoutHwAppliedIsrItIs() {
        Guards guards = Guards.without(Guard.HW_APPLIED_ISR);
        String broken = null;
        for (int seed = 0; seed < 10_000 && broken == null; seed++) {
            broken = broken(guards, seed);
        }
        assertThat(broken).containsPattern("^(AckedDurable|ElectableComplete): ");
    }
}
