package io.tidemark.core.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.Guards;
import org.junit.jupiter.api.Test;

/** Random schedules of whole quorums: safety while everything fails, progress once it stops. Without a guard: {@link QuorumTeeth}. */
class QuorumScheduleTest {
    // A hunt: mvn test -Dtest=QuorumScheduleTest -Dfrom=1000 -Dseeds=2000 -Dsteps=4000
    private static final int FROM = Integer.getInteger("from", 0);
    private static final int SEEDS = Integer.getInteger("seeds", 60);
    private static final int STEPS = Integer.getInteger("steps", 1500);

    @Test
    void staysSafeThenElectsAndCommits() {
        int committed = 0;
        for (int seed = FROM; seed < FROM + SEEDS; seed++) {
            QuorumWorld world = world(seed, Guards.ALL);
            try {
                for (int i = 0; i < STEPS; i++) {
                    world.chaos();
                }
                committed += world.nodes.size() > 1 ? world.committedCount() : 0;
                converge(world);
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError("seed " + seed + ": " + e, e);
            }
        }
        // The schedules are worth something: entries are committed in the middle of the failures.
        assertThat(committed).isGreaterThan(SEEDS);
    }

    /** Within 20 s, in which timers take 1 to 3 s, a leader commits a new record on every replica, and stays. */
    private static void converge(QuorumWorld world) {
        for (int second = 0; second < 20; second++) {
            QuorumReplica leader = world.readyLeader();
            if (leader != null) {
                leader.append();
            }
            for (int millis = 0; millis < 1000; millis += QuorumWorld.CALM_MS) {
                world.calm();
            }
            if (leader != null && agree(world, leader)) {
                int epoch = leader.view().currentEpoch();
                for (int millis = 0; millis < 4_000; millis += QuorumWorld.CALM_MS) {
                    world.calm();
                }
                assertThat(leader.view().role()).isEqualTo(QuorumRole.LEADER);
                assertThat(leader.view().currentEpoch()).isEqualTo(epoch);
                return;
            }
        }
        throw new AssertionError("no progress in 20 s");
    }

    private static boolean agree(QuorumWorld world, QuorumReplica leader) {
        return leader.view().role() == QuorumRole.LEADER
                && world.nodes.stream()
                        .allMatch(node ->
                                node.log.equals(leader.log) && node.view().hw() == leader.log.size());
    }

    private static QuorumWorld world(int seed, Guards guards) {
        return new QuorumWorld(seed, new int[] {3, 3, 5, 4, 1}[seed % 5], seed % 3 == 2 ? 1 : 0, guards);
    }
}
