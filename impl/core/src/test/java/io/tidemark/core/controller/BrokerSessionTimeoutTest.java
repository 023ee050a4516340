package io.tidemark.core.controller;

import static io.tidemark.core.controller.ControllerHarness.appended;
import static io.tidemark.core.controller.ControllerHarness.change;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.SpecAction;
import io.tidemark.core.Step;
import io.tidemark.core.metadata.LeaderRecovery;
import io.tidemark.core.metadata.MetadataRecord;
import io.tidemark.core.metadata.TopicPartition;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class BrokerSessionTimeoutTest {
    @Test
    void theBrokerIsFencedAndLeavesEveryIsrInOneBatch() {
        ControllerHarness harness = ControllerHarness.running(true, 3);
        TopicPartition led = harness.topic("a", 1, 2, 3);
        TopicPartition followed = harness.topic("b", 2, 1, 3);
        harness.topic("c", 2, 3);
        long end = harness.core.view().metaLogEnd();

        Step<ControllerEffect> step = harness.sessionTimeout(1);

        assertThat(step)
                .isEqualTo(Step.of(
                        SpecAction.BrokerSessionTimeout,
                        List.of(new ControllerEffect.Append(
                                1,
                                end,
                                List.of(
                                        change(led, List.of(2, 3), 2, null, null, null),
                                        change(followed, List.of(2, 3), null, null, null, null),
                                        new MetadataRecord.BrokerRegistrationChange(
                                                1, harness.epoch(1), true, null))))));
        assertThat(harness.part(led).leaderEpoch()).isEqualTo(1);
        assertThat(harness.part(followed).leaderEpoch()).isEqualTo(0);
        assertThat(harness.part(followed).partitionEpoch()).isEqualTo(1);
    }

    @Test
    void belowMinIsrWhoLeavesStaysEligible() {
        ControllerHarness harness = ControllerHarness.running(true, 3);
        TopicPartition id = harness.topic("a", 1, 2, 3);
        harness.sessionTimeout(3);
        assertThat(harness.part(id).elr()).isEmpty();

        harness.sessionTimeout(2);
        assertThat(harness.part(id).elr()).containsExactly(2);
        harness.sessionTimeout(1);

        assertThat(harness.part(id).isr()).isEmpty();
        assertThat(harness.part(id).elr()).containsExactly(1, 2);
        assertThat(harness.part(id).lastKnownElr()).containsExactly(1);
        assertThat(harness.part(id).leader()).isEqualTo(-1);
    }

    @Test
    void withElrOffTheLastMemberStays() {
        ControllerHarness harness = ControllerHarness.running(false, 3);
        TopicPartition id = harness.topic("a", 1, 2, 3);
        harness.sessionTimeout(3);
        harness.sessionTimeout(2);

        Step<ControllerEffect> step = harness.sessionTimeout(1);

        assertThat(appended(step)).first().isEqualTo(change(id, null, -1, null, null, null));
        assertThat(harness.part(id).isr()).containsExactly(1);
    }

    @Test
    void withUncleanElectionEnabledAnyActiveReplicaLeadsAtOnce() {
        ControllerHarness harness = ControllerHarness.running(false, 3);
        TopicPartition id = harness.topic("a", Map.of("unclean.leader.election.enable", "true"), 1, 2, 3);
        harness.request(harness.alter(id, 1));

        Step<ControllerEffect> step = harness.sessionTimeout(1);

        assertThat(appended(step)).first().isEqualTo(change(id, List.of(2), 2, null, null, LeaderRecovery.RECOVERING));
    }

    @Test
    void aBrokerWithoutASessionIsLeftAlone() {
        ControllerHarness harness = ControllerHarness.running(true, 1);
        harness.sessionTimeout(1);

        assertThat(harness.sessionTimeout(1)).isEqualTo(Step.stutter(List.of()));
        assertThat(harness.sessionTimeout(9)).isEqualTo(Step.stutter(List.of()));
    }

    @Test
    void aZombieThatHeartbeatsAgainIsUnfenced() {
        ControllerHarness harness = ControllerHarness.running(true, 1);
        harness.sessionTimeout(1);

        harness.heartbeat(1);

        assertThat(harness.broker(1).fenced()).isFalse();
    }
}
