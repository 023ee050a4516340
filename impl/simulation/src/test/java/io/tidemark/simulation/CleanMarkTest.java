package io.tidemark.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.controller.ControllerRequest;
import io.tidemark.core.metadata.MetadataRecord;
import io.tidemark.storage.memory.Faults;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A voter stops in order; its partitions' logs are closed and marked clean, and it still fetches metadata. It is killed
 * before an fsync of it, comes back, counts for a commit, and its machine fails; of the two others one has not heard of
 * anything and the other dies.
 */
class CleanMarkTest {
    private static final Path MARK = SimNode.dataDirectory().resolve(".kafka_cleanshutdown");

    private static boolean metadataForce(Faults.Effect effect, Path path) {
        return effect == Faults.Effect.FORCE
                && path.startsWith(SimNode.dataDirectory().resolve("__cluster_metadata-0"))
                && path.toString().endsWith(".log");
    }

    static void until(World world, String what, BooleanSupplier condition) {
        long deadline = world.nowMs() + 20_000;
        while (!condition.getAsBoolean()) {
            assertThat(world.nowMs()).as(what).isLessThan(deadline);
            world.runUntil(world.nowMs() + 1);
        }
    }

    private static void changeMetadata(Simulation simulation) {
        for (int i = 0; i < 5; i++) {
            ControllerRequest.ConfigOp op = new ControllerRequest.ConfigOp(
                    "retention.ms", ControllerRequest.ConfigOp.Op.SET, Integer.toString(100_000 + i));
            simulation
                    .clients()
                    .administer(
                            new ControllerRequest.AlterConfigs(
                                    List.of(new ControllerRequest.ConfigChange(
                                            MetadataRecord.Config.TOPIC, SimClients.TOPIC, List.of(op))),
                                    false),
                            answer -> {});
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void theMarkSaysNothingOfTheMetadataLog(long seed) {
        Simulation simulation = new Simulation(seed, Shape.three(), false);
        World world = simulation.world();
        simulation.begin();
        SimNode leader = simulation.node(simulation.node(1).quorumLeader());
        SimNode voter = simulation.node(leader.id() % 3 + 1);
        SimNode other = simulation.node(6 - leader.id() - voter.id());
        other.freeze();
        world.runUntil(world.nowMs() + 50);
        voter.stop(() -> {});
        until(world, "the mark is written", () -> voter.disk().exists(MARK));

        boolean[] died = new boolean[1];
        voter.disk().setFaults(new Faults() {
            @Override
            public void before(Effect effect, Path path) {
                if (metadataForce(effect, path)) {
                    died[0] = true;
                    voter.disk().setFaults(Faults.NONE);
                    throw new Incarnation.Death();
                }
            }
        });
        changeMetadata(simulation);
        until(world, "it is killed", () -> died[0]);
        assertThat(voter.disk().exists(MARK)).isTrue();

        int[] forced = new int[1];
        voter.disk().setFaults(new Faults() {
            @Override
            public void before(Effect effect, Path path) {
                forced[0] += metadataForce(effect, path) ? 1 : 0;
            }
        });
        until(world, "it is back", voter::alive);
        int beforeItCounts = forced[0];
        world.runUntil(world.nowMs() + 40);
        voter.losePower();
        leader.kill();
        other.thaw();
        world.runUntil(world.nowMs() + 5);
        voter.start();
        world.runUntil(world.nowMs() + 8_000);
        leader.start();
        simulation.clients().start(simulation.topicId());
        world.runUntil(world.nowMs() + 500);
        simulation.finish();
        assertThat(beforeItCounts).as("fsyncs of the metadata log in the start").isEqualTo(1);
        assertThat(simulation.acknowledged()).isPositive();
    }
}
