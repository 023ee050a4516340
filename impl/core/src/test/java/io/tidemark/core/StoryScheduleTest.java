package io.tidemark.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Random schedules of controller and replicas together, while {@code min.insync.replicas} changes, requests are delayed and
 * sent again, processes are killed, and machines lose power as long as another member of the ISR is there to lead (else
 * acknowledged records can be lost, as docs/durability.md says).
 */
class StoryScheduleTest {
    // A hunt: mvn test -Dtest=StoryScheduleTest -Dseeds=100000
    private static final int SEEDS = Integer.getInteger("seeds", 600);
    private static final int STEPS = 300;

    private int acknowledged;
    private int healed;

    /** One schedule. */
    private final class Run {
        final Random random;
        final StoryCluster cluster;
        final List<StoryCluster.Fetch> late = new ArrayList<>();

        Run(Guards guards, int seed) {
            random = new Random(seed);
            cluster = new StoryCluster(guards, 1 + random.nextInt(3), random.nextInt(4) == 0);
        }

        private int any() {
            return 1 + random.nextInt(3);
        }

        void move() {
            int id = any();
            int what = random.nextInt(100);
            if (!cluster.isUp(id)) {
                if (what < 20) {
                    cluster.restart(id);
                }
            } else if (what < 19) {
                cluster.applyNext(id);
            } else if (what < 24) {
                cluster.write(id, random.nextInt(4) == 0 ? 1 : -1);
            } else if (what < 28) {
                cluster.writeOnce(id);
            } else if (what < 47) {
                fetch(id);
            } else if (what < 66) {
                if (cluster.isAnswered(id)) {
                    cluster.receive(cluster.fetched(id));
                }
            } else if (what < 68) {
                cluster.flush(id);
            } else if (what < 74) {
                cluster.lag(id, any(), any());
            } else if (what < 82) {
                change(id);
            } else if (what < 91) {
                cluster.hearDecision(id);
            } else {
                disturb(id, what);
            }
        }

        private void fetch(int id) {
            if (!late.isEmpty() && random.nextInt(8) == 0) {
                cluster.serve(late.remove(0));
            } else if (cluster.asksForRecords(id)) {
                if (late.size() < 4 && random.nextInt(8) == 0) {
                    late.add(cluster.asks(id));
                }
                cluster.serve(cluster.asks(id));
            }
        }

        private void change(int id) {
            if (cluster.strays() && random.nextInt(3) == 0) {
                cluster.strayArrives();
            } else if (cluster.asksForChange(id)) {
                if (!cluster.strays() && random.nextInt(4) == 0) {
                    cluster.delayAlter(id);
                } else {
                    cluster.decide(cluster.asksToAlter(id));
                }
            }
        }

        private void disturb(int id, int what) {
            if (what < 93) {
                cluster.controller.minIsr(any());
            } else if (what < 94) {
                cluster.controller.fence(id);
            } else if (what < 97) {
                cluster.unfence(id);
            } else if (what < 98) {
                cluster.controller.electPreferred();
            } else if (what < 99) {
                cluster.controller.fence(id);
                cluster.restart(id);
            } else if (cluster.controller.anotherIsInSync(id)) {
                cluster.controller.fence(id);
                cluster.losePowerAnd(id, random.nextInt(1 + cluster.unflushed(id)));
            }
        }

        /** Nothing fails any more: within the bound all are in the ISR with equal logs, and nothing waits. */
        void heal() {
            while (cluster.strays()) {
                cluster.strayArrives();
            }
            for (int round = 0; round < 40 && !cluster.healed(); round++) {
                for (int id = 1; id <= 3; id++) {
                    if (!cluster.isUp(id)) {
                        cluster.restart(id);
                    }
                    cluster.unfence(id);
                    cluster.applyAll(1, 2, 3);
                    if (cluster.controller.nobodyElectable()) {
                        return;
                    }
                    if (round < 2) {
                        cluster.write(id);
                    }
                    cluster.flush(id);
                    if (cluster.asksForRecords(id)) {
                        cluster.fetch(id);
                    }
                    cluster.alter(id);
                }
            }
            if (!cluster.healed()) {
                throw new StoryInvariants.Violation("Healed", "not within the bound: " + cluster.controller.part());
            }
            healed++;
        }
    }

    private @Nullable String broken(Guards guards, int seed) {
        Run run = new Run(guards, seed);
        try {
            for (int step = 0; step < STEPS; step++) {
                run.move();
            }
            if (guards == Guards.ALL) {
                run.heal();
            }
        } catch (StoryInvariants.Violation violation) {
            return violation.getMessage();
        }
        acknowledged += run.cluster.acknowledged();
        return null;
    }

    @Test
    void nothingAcknowledgedIsLostAndAllHeals() {
        for (int seed = 0; seed < SEEDS; seed++) {
            assertThat(broken(Guards.ALL, seed)).as("seed %d", seed).isNull();
        }
        assertThat(acknowledged).isGreaterThan(1000);
        assertThat(healed).isGreaterThan(SEEDS / 2);
    }

    /**
     * Random schedules find these by themselves, with an acknowledgement or before one: what was below the high watermark
     * counts too.
     */
    @ParameterizedTest
    @EnumSource(names = {"HW_APPLIED_ISR", "HW_MAXIMAL_ISR", "EXPAND_HW", "ACK_AFTER_HW", "ACK_DUPLICATE_AFTER_HW"})
    void withoutAGuardItIs(Guard off) {
        String broken = null;
        for (int seed = 0; seed < 10_000 && broken == null; seed++) {
            broken = broken(Guards.without(off), seed);
        }
        assertThat(broken).containsPattern("^(AckedDurable|ElectableComplete): ");
    }
}
