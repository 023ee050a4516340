package io.tidemark.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.core.Guard;
import io.tidemark.core.Guards;
import io.tidemark.core.controller.ControllerRequest;
import io.tidemark.core.message.ClientRequest;
import io.tidemark.core.metadata.MetadataRecord;
import io.tidemark.core.metadata.MetadataView;
import io.tidemark.core.metadata.PartitionRegistration;
import io.tidemark.core.metadata.TopicConfigs;
import io.tidemark.core.metadata.TopicPartition;
import io.tidemark.core.quorum.QuorumMessage;
import io.tidemark.runtime.NodeApi;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Races that random faults hardly ever hit, played by hand on a whole cluster. */
class DirectedTest {
    /** A cluster, one partition of it that the active controller's node does not lead, and who is who. */
    private static final class Stage {
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
    }

    private static boolean isFetch(Object request) {
        return request instanceof ClientRequest.Fetch;
    }

    /**
     * The first attempt to take a replica into the ISR lies in a buffer; the second is refused because the replica is
     * fenced; the replica is unfenced, and now the first arrives and is granted. Meanwhile the leader must count on it.
     */
    private static Stage aRefusalIsOvertaken(Guards guards) {
        Stage stage = new Stage(Shape.three().withGuards(guards));
        SimNetwork network = stage.simulation.network();
        network.hand((from, to, request, arrival) -> from == stage.other && isFetch(request));
        stage.until("it leaves the ISR", () -> !stage.isr().contains(stage.other));

        network.hand((from, to, request, arrival) -> {
            if (stage.isAttempt(from, request, 3)) {
                stage.held.add(arrival);
                return true;
            }
            return from == stage.other && request instanceof ControllerRequest.BrokerHeartbeat;
        });
        stage.until("it is to join", () -> !stage.held.isEmpty());
        stage.until("it is fenced", () -> !stage.active(stage.other));

        boolean[] retried = new boolean[1];
        network.hand((from, to, request, arrival) -> {
            boolean again = stage.isAttempt(from, request, 3) && retried[0];
            retried[0] |= stage.isAttempt(from, request, 3);
            return again
                    || (from == stage.other
                            && (isFetch(request) || request instanceof ControllerRequest.BrokerHeartbeat));
        });
        if (guards.on(Guard.PENDING_UNTIL_KNOWN)) {
            stage.until("the next attempt is sent", () -> retried[0]);
            stage.run(40);
        }
        assertThat(stage.isr()).as("refused").doesNotContain(stage.other);

        network.hand((from, to, request, arrival) -> stage.isAttempt(from, request, 3)
                || stage.leaderLearns(from, request)
                || (from == stage.other && isFetch(request)));
        stage.until("it is unfenced", () -> stage.active(stage.other));
        stage.held.get(0).run();
        stage.run(20);
        assertThat(stage.isr()).as("the stray attempt is granted").contains(stage.other);

        stage.before = stage.acknowledged();
        stage.run(800);
        return stage;
    }

    private static void onlyTheOtherIsLeft(Stage stage) {
        stage.simulation.node(stage.leader).kill();
        stage.simulation.node(stage.controller).kill();
        stage.asked = stage.other;
        stage.simulation.network().hand((from, to, request, arrival) -> false);
        stage.simulation.node(stage.controller).start();
        stage.until("it leads", () -> stage.registration(stage.partition).leader() == stage.other);
        stage.run(500);
        stage.simulation.finish();
    }

    @Test
    void aRefusalIsNotBelievedWhileAnEarlierAttemptMayArrive() {
        Stage stage = aRefusalIsOvertaken(Guards.ALL);
        assertThat(stage.acknowledged()).isEqualTo(stage.before);
        onlyTheOtherIsLeft(stage);
        assertThat(stage.acknowledged()).isGreaterThan(stage.before);
    }

    @ParameterizedTest
    @EnumSource(names = {"PENDING_UNTIL_KNOWN", "HW_MAXIMAL_ISR"})
    void believedItLosesARecord(Guard off) {
        Stage stage = aRefusalIsOvertaken(Guards.without(off));
        assertThat(stage.acknowledged()).isGreaterThan(stage.before);
        assertThatThrownBy(() -> onlyTheOtherIsLeft(stage))
                .isInstanceOf(Invariants.Violation.class)
                .hasMessageStartingWith("ElectableComplete");
    }

    /**
     * A leader that may acknowledge alone shrinks its ISR to itself; while that is under way, min.insync.replicas is raised.
     * The controller decides by the new value: who left is eligible. The leader has not heard of it.
     */
    private static Stage theShrinkMeetsAHigherMinIsr(Guards guards) {
        Stage stage = new Stage(Shape.three().withMinIsr(1).withGuards(guards));
        SimNetwork network = stage.simulation.network();
        network.hand((from, to, request, arrival) -> {
            if (stage.isAttempt(from, request, 1)) {
                stage.held.add(arrival);
                return true;
            }
            return to == stage.leader && isFetch(request);
        });
        stage.until("the leader is to be alone", () -> !stage.held.isEmpty());
        network.hand((from, to, request, arrival) -> stage.isAttempt(from, request, 1)
                || stage.leaderLearns(from, request)
                || (to == stage.leader && isFetch(request)));
        stage.simulation
                .clients()
                .administer(
                        new ControllerRequest.AlterConfigs(
                                List.of(new ControllerRequest.ConfigChange(
                                        MetadataRecord.Config.TOPIC,
                                        SimClients.TOPIC,
                                        List.of(new ControllerRequest.ConfigOp(
                                                TopicConfigs.MIN_INSYNC_REPLICAS,
                                                ControllerRequest.ConfigOp.Op.SET,
                                                "2")))),
                                false),
                        answer -> {});
        stage.until("it is raised", () -> stage.ask(view -> view.effectiveMinIsr(SimClients.TOPIC) == 2));
        stage.held.get(0).run();
        stage.run(30);
        assertThat(stage.isr()).containsExactly(stage.leader);
        assertThat(stage.registration(stage.partition).elr()).hasSize(2);
        stage.before = stage.acknowledged();
        stage.run(3_000);
        return stage;
    }

    private static void theLeaderDies(Stage stage) {
        stage.simulation.node(stage.leader).kill();
        stage.simulation.network().hand((from, to, request, arrival) -> false);
        stage.until(
                "another leads",
                () -> stage.registration(stage.partition).hasLeader()
                        && stage.registration(stage.partition).leader() != stage.leader);
        stage.run(500);
        stage.simulation.finish();
    }

    @Test
    void whoLeftTheIsrByAHigherMinIsrStillCounts() {
        Stage stage = theShrinkMeetsAHigherMinIsr(Guards.ALL);
        assertThat(stage.acknowledged()).isEqualTo(stage.before);
        theLeaderDies(stage);
        assertThat(stage.acknowledged()).isGreaterThan(stage.before);
    }

    @Test
    void notCountedItLosesARecord() {
        Stage stage = theShrinkMeetsAHigherMinIsr(Guards.without(Guard.HW_APPLIED_ISR));
        assertThat(stage.acknowledged()).isGreaterThan(stage.before);
        assertThatThrownBy(() -> theLeaderDies(stage))
                .isInstanceOf(Invariants.Violation.class)
                .hasMessageStartingWith("ElectableComplete");
    }
}
