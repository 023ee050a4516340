package io.tidemark.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.controller.ControllerRequest;
import io.tidemark.core.message.ClientRequest;
import io.tidemark.core.metadata.BrokerRegistration;
import io.tidemark.core.metadata.MetadataView;
import io.tidemark.core.metadata.PartitionRegistration;
import io.tidemark.core.metadata.TopicPartition;
import io.tidemark.core.quorum.QuorumMessage;
import io.tidemark.runtime.NodeApi;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/** A cluster, one partition of it that the active controller's node does not lead, and who is who. */
final class Stage {
    final Simulation simulation;
    final World world;
    final int controller;
    final TopicPartition partition;
    final int leader;
    final int other;
    int asked;
    /** What was acknowledged before the moment in question. */
    long before;
    /** Attempts of the leader to change the ISR, in the order sent. */
    final List<Runnable> held = new ArrayList<>();

    Stage(Shape shape) {
        simulation = new Simulation(5, shape, true);
        world = simulation.world();
        simulation.begin();
        controller = simulation.node(1).quorumLeader();
        asked = controller;
        int index = 0;
        while (registration(new TopicPartition(simulation.topicId(), index)).leader() == controller) {
            index++;
        }
        partition = new TopicPartition(simulation.topicId(), index);
        leader = registration(partition).leader();
        other = 6 - leader - controller;
        // A replica lags once there is something that it lacks.
        simulation.clients().start(simulation.topicId());
    }

    <T> T ask(Function<MetadataView, T> question) {
        NodeApi api = simulation.node(asked).api();
        assertThat(api).isNotNull();
        List<T> answers = new ArrayList<>();
        api.metadata(question, answers::add);
        world.runUntil(world.nowMs() + 1);
        return answers.get(0);
    }

    PartitionRegistration registration(TopicPartition id) {
        return ask(view -> {
            PartitionRegistration found = view.partition(id);
            assertThat(found).isNotNull();
            return found;
        });
    }

    List<Integer> isr() {
        return registration(partition).isr();
    }

    boolean active(int broker) {
        return ask(view -> view.active(broker));
    }

    long brokerEpoch(int broker) {
        return ask(view -> {
            BrokerRegistration found = view.broker(broker);
            assertThat(found).isNotNull();
            return found.epoch();
        });
    }

    void until(String what, BooleanSupplier condition) {
        long deadline = world.nowMs() + 20_000;
        while (!condition.getAsBoolean()) {
            assertThat(world.nowMs()).as(what).isLessThan(deadline);
            world.runUntil(world.nowMs() + 10);
        }
    }

    void run(long ms) {
        world.runUntil(world.nowMs() + ms);
    }

    /** Whether it is the leader's attempt to give the partition an ISR of so many members. */
    boolean isAttempt(int from, Object request, int members) {
        return from == leader
                && request instanceof ControllerRequest.AlterPartition alter
                && alter.partitions().stream()
                        .anyMatch(item -> item.topicId().equals(partition.topicId())
                                && item.partition() == partition.partition()
                                && item.asked().newIsr().size() == members);
    }

    boolean leaderLearns(int from, Object request) {
        return from == leader && request instanceof QuorumMessage.MetadataFetch;
    }

    long acknowledged() {
        return simulation.clients().acked().stream()
                .filter(acked -> acked.partition().equals(partition))
                .count();
    }

    static boolean isVote(Object request) {
        return request instanceof QuorumMessage.Vote;
    }

    static boolean isFetch(Object request) {
        return request instanceof ClientRequest.Fetch;
    }

    void hand(SimNetwork.Hand hand) {
        simulation.network().hand(hand);
    }

    void handsOff() {
        hand((from, to, request, arrival) -> false);
    }
}
