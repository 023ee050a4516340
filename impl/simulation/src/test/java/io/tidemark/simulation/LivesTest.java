package io.tidemark.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.Step;
import io.tidemark.core.broker.BrokerState;
import io.tidemark.core.controller.ControllerRequest;
import io.tidemark.core.quorum.QuorumCore;
import io.tidemark.core.quorum.QuorumEffect;
import io.tidemark.core.quorum.QuorumInput;
import io.tidemark.core.quorum.QuorumRole;
import io.tidemark.core.quorum.QuorumStateData;
import io.tidemark.runtime.StepListener;
import io.tidemark.storage.QuorumStateFile;
import io.tidemark.storage.memory.Faults;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What one life of a node leaves behind meets the next. */
class LivesTest {
    private static final int SEEDS = 12;

    /**
     * A registration lies in a buffer while its process dies, another registers, and is frozen until its session is over. Then
     * the registration arrives and is accepted: the broker that continues finds itself replaced by its own past, out of the
     * ISR, and registers again once that one's session is over.
     */
    @Test
    void aRegistrationOfAnEarlierLifeTakesThePlaceOfALaterOne() {
        Stage stage = new Stage(Shape.three());
        SimNode node = stage.simulation.node(stage.other);
        stage.hand((from, to, request, arrival) -> {
            boolean registration = from == stage.other && request instanceof ControllerRequest.RegisterBroker;
            if (registration) {
                stage.held.add(arrival);
            }
            return registration;
        });
        node.kill();
        node.start();
        stage.until("it asks to be registered", () -> !stage.held.isEmpty());
        node.kill();
        stage.handsOff();
        node.start();
        stage.until(
                "its next life is in the ISR",
                () -> stage.active(stage.other) && stage.isr().contains(stage.other));
        long epoch = stage.brokerEpoch(stage.other);

        node.freeze();
        stage.until("its session is over", () -> !stage.active(stage.other));
        stage.held.get(0).run();
        stage.until("its past is registered", () -> stage.brokerEpoch(stage.other) > epoch);
        assertThat(stage.isr()).doesNotContain(stage.other);
        long past = stage.brokerEpoch(stage.other);
        List<Long> claims = new ArrayList<>();
        stage.hand((from, to, request, arrival) -> {
            if (from == stage.other && request instanceof ControllerRequest.RegisterBroker register) {
                claims.add(register.previousBrokerEpoch());
            }
            return false;
        });
        node.thaw();
        stage.until("it is registered again", () -> stage.brokerEpoch(stage.other) > past);
        assertThat(claims).as("no clean shutdown is claimed").isNotEmpty().containsOnly(-1L);
        stage.until("it is in the ISR again", () -> stage.isr().contains(stage.other));
        assertThat(node.brokerState()).isEqualTo(BrokerState.RUNNING);
        stage.before = stage.acknowledged();
        stage.run(500);
        stage.simulation.finish();
        assertThat(stage.acknowledged()).isGreaterThan(stage.before);
    }

    /** Where a node began to lead the quorum: its life, and the epoch. */
    private record Led(int node, int epoch) {}

    /**
     * A candidate has its votes, and its machine stops before the disk knows. Its vote for itself is there: where its first
     * record is not, it comes back as the candidate of the same epoch, is given the same votes, and begins the epoch anew.
     * Nobody has heard of the first time. Where the record is there, it is of that epoch no more.
     */
    @Test
    void aLeaderThatNobodyHeardOfBeginsItsEpochAnew() {
        int anew = 0;
        int later = 0;
        for (long seed = 1; seed <= SEEDS; seed++) {
            List<Led> led = new ArrayList<>();
            beginsToLeadAndStops(seed, led);
            Led first = led.get(0);
            Led second = led.get(1);
            anew += second.equals(first) ? 1 : 0;
            later += second.epoch() > first.epoch() ? 1 : 0;
        }
        assertThat(anew + later).isEqualTo(SEEDS);
        assertThat(anew).isPositive();
        assertThat(later).isPositive();
    }

    private static void beginsToLeadAndStops(long seed, List<Led> led) {
        Simulation simulation = Simulation.of(
                new Plan(seed, Shape.three(), false, 0, List.of(), List.of()), false, node -> observer(node, led));
        World world = simulation.world();
        simulation.begin();
        simulation.clients().start(simulation.topicId());
        world.runUntil(world.nowMs() + 500);
        SimNode old = simulation.node(simulation.node(1).quorumLeader());
        led.clear();
        boolean[] struck = new boolean[1];
        for (int id = 1; id <= 3; id++) {
            SimNode node = simulation.node(id);
            node.disk().setFaults(new Faults() {
                @Override
                public void before(Effect effect, Path path) {
                    boolean first = !struck[0] && led.size() == 1 && led.get(0).node() == node.id();
                    if (first && path.toString().contains(QuorumStateFile.NAME)) {
                        struck[0] = true;
                        throw new Incarnation.Death();
                    }
                }
            });
        }
        old.kill();
        CleanMarkTest.until(world, "its machine stops as it begins to lead", () -> struck[0]);
        SimNode elected = simulation.node(led.get(0).node());
        elected.losePower();
        QuorumStateData left = new QuorumStateFile(
                        elected.disk(), SimNode.dataDirectory().resolve("__cluster_metadata-0"))
                .read()
                .orElseThrow();
        assertThat(left.currentEpoch()).isEqualTo(led.get(0).epoch());
        assertThat(left.leaderId()).as("it does not know that it won").isEqualTo(QuorumStateData.NO_LEADER);
        elected.start();
        CleanMarkTest.until(world, "somebody leads again", () -> led.size() == 2);
        old.start();
        world.runUntil(world.nowMs() + 1_000);
        simulation.finish();
        assertThat(simulation.acknowledged()).isPositive();
    }

    /** Sees who begins to lead the quorum, in each life. */
    private static StepListener observer(int node, List<Led> led) {
        return new StepListener() {
            private int epoch = -1;

            @Override
            public void quorum(QuorumCore core, QuorumInput input, Step<QuorumEffect> step) {
                int now = core.view().currentEpoch();
                if (core.view().role() == QuorumRole.LEADER && now != epoch) {
                    epoch = now;
                    led.add(new Led(node, now));
                }
            }
        };
    }
}
