package io.tidemark.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.controller.ControllerRequest;
import io.tidemark.core.message.ClientRequest;
import io.tidemark.core.metadata.PartitionRegistration;
import io.tidemark.core.metadata.TopicPartition;
import io.tidemark.runtime.NodeApi;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * A broker may find its own registration in the metadata log, and follow by it, before the registration's answer has told
 * it its broker epoch. A fetch without one could not be told from a fetch of an earlier life.
 */
class FetchNamesItsLifeTest {
    private final Simulation simulation = new Simulation(5, Shape.three(), false);
    private final World world = simulation.world();
    private final List<Long> epochs = new ArrayList<>();
    private int registrations;

    @Test
    void aBrokerThatDoesNotKnowItsEpochDoesNotFetch() {
        simulation.begin();
        int controller = simulation.node(1).quorumLeader();
        TopicPartition partition = new TopicPartition(simulation.topicId(), 0);
        int restarted = controller == 1 ? 2 : 1;
        simulation.clients().start(simulation.topicId());
        world.runUntil(world.nowMs() + 500);
        simulation.node(restarted).kill();
        runUntil(() -> !registration(controller, partition).isr().contains(restarted));

        simulation.network().hand((from, to, request, arrival) -> {
            if (from == restarted && request instanceof ControllerRequest.RegisterBroker) {
                registrations++;
                if (registrations == 1) {
                    arrival.run();
                    simulation.network().cut(controller, restarted); // the answer is lost
                }
                return true;
            }
            if (request instanceof ClientRequest.Fetch fetch && fetch.replicaId() == restarted) {
                epochs.add(fetch.replicaEpoch());
            }
            return false;
        });
        simulation.node(restarted).start();
        runUntil(() -> registrations == 1);
        world.runUntil(world.nowMs() + 30);
        simulation.node(controller).kill();
        simulation.network().healAll();
        int survivor = 6 - controller - restarted;
        runUntil(() -> simulation.node(survivor).quorumLeader() == survivor
                || simulation.node(restarted).quorumLeader() == restarted);
        world.runUntil(world.nowMs() + 2_000);
        assertThat(registrations).as("it asks again and again").isGreaterThan(1);
        assertThat(epochs).as("it follows, and does not know its epoch").isEmpty();

        simulation.network().hand((from, to, request, arrival) -> {
            if (request instanceof ClientRequest.Fetch fetch && fetch.replicaId() == restarted) {
                epochs.add(fetch.replicaEpoch());
            }
            return false;
        });
        runUntil(() -> !epochs.isEmpty());
        world.runUntil(world.nowMs() + 5_000);
        assertThat(epochs).allMatch(epoch -> epoch > 0);
        simulation.finish();
    }

    private void runUntil(java.util.function.BooleanSupplier condition) {
        long deadline = world.nowMs() + 30_000;
        while (!condition.getAsBoolean()) {
            assertThat(world.nowMs()).isLessThan(deadline);
            world.runUntil(world.nowMs() + 10);
        }
    }

    private PartitionRegistration registration(int at, TopicPartition partition) {
        NodeApi api = simulation.node(at).api();
        assertThat(api).isNotNull();
        List<PartitionRegistration> found = new ArrayList<>();
        api.metadata(
                view -> {
                    found.add(view.partition(partition));
                    return 0;
                },
                ignored -> {});
        world.runUntil(world.nowMs() + 1);
        return found.get(0);
    }
}
