package io.tidemark.core.controller;

import static io.tidemark.core.controller.ControllerHarness.appended;
import static io.tidemark.core.controller.ControllerHarness.assertRefused;
import static io.tidemark.core.controller.ControllerHarness.change;
import static io.tidemark.core.controller.ControllerHarness.incarnation;
import static io.tidemark.core.controller.ControllerHarness.response;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.ErrorCode;
import io.tidemark.core.SpecAction;
import io.tidemark.core.Step;
import io.tidemark.core.metadata.LeaderRecovery;
import io.tidemark.core.metadata.MetadataRecord;
import io.tidemark.core.metadata.TopicPartition;
import java.util.List;
import org.junit.jupiter.api.Test;

class HandleBrokerHeartbeatTest {
    @Test
    void aBrokerIsUnfencedOnceItHasAppliedItsOwnRegistration() {
        ControllerHarness harness = ControllerHarness.running(true, 0);
        harness.register(1, incarnation(1, 1), -1);
        long epoch = harness.epoch(1);

        Step<ControllerEffect> early = harness.heartbeat(1, epoch - 1, false, false);
        assertThat(early)
                .isEqualTo(Step.stutter(List.of(
                        new ControllerEffect.SetSession(1),
                        harness.answer(new ControllerResponse.Heartbeat(false, true, false)))));

        long end = harness.core.view().metaLogEnd();
        Step<ControllerEffect> step = harness.heartbeat(1, epoch, false, false);
        assertThat(step)
                .isEqualTo(Step.of(
                        SpecAction.HandleBrokerHeartbeat,
                        List.of(
                                new ControllerEffect.Append(
                                        1,
                                        end,
                                        List.of(new MetadataRecord.BrokerRegistrationChange(1, epoch, false, null))),
                                new ControllerEffect.SetSession(1),
                                harness.answer(new ControllerResponse.Heartbeat(true, false, false)))));
    }

    @Test
    void aBrokerThatDoesNotWantToRunStaysFenced() {
        ControllerHarness harness = ControllerHarness.running(true, 0);
        harness.register(1, incarnation(1, 1), -1);

        Step<ControllerEffect> still = harness.heartbeat(1, 99, true, false);
        assertThat(appended(still)).isEmpty();
        assertThat(response(still)).isEqualTo(new ControllerResponse.Heartbeat(true, true, false));
        harness.heartbeat(1);
        Step<ControllerEffect> step = harness.heartbeat(1, 99, true, false);
        assertThat(step.action()).isEqualTo(SpecAction.HandleBrokerHeartbeat);
        assertThat(harness.broker(1).fenced()).isTrue();
    }

    @Test
    void aStaleEpochIsRefused() {
        ControllerHarness harness = ControllerHarness.running(true, 1);

        Step<ControllerEffect> step = harness.request(new ControllerRequest.BrokerHeartbeat(1, 0, 99, false, false));
        assertRefused(step, ErrorCode.STALE_BROKER_EPOCH);
        assertThat(step)
                .as("a broker that shuts down may stop by this: the registration that it is stale against must stay")
                .isEqualTo(Step.stutter(List.of(harness.answer(response(step)))));
        assertRefused(
                harness.request(new ControllerRequest.BrokerHeartbeat(9, 0, 99, false, false)),
                ErrorCode.STALE_BROKER_EPOCH);
    }

    @Test
    void unfencingElectsWhereNobodyLeads() {
        ControllerHarness harness = ControllerHarness.running(true, 3);
        TopicPartition id = harness.topic("t", 1, 2, 3);
        harness.sessionTimeout(3);
        harness.sessionTimeout(2);
        harness.sessionTimeout(1);
        assertThat(harness.part(id).leader()).isEqualTo(-1);
        assertThat(harness.part(id).elr()).containsExactly(1, 2);

        Step<ControllerEffect> step = harness.heartbeat(2);

        assertThat(appended(step).get(1)).isEqualTo(change(id, List.of(2), 2, List.of(1), List.of(), null));
        assertThat(harness.part(id).recovery()).isEqualTo(LeaderRecovery.RECOVERED);
    }

    @Test
    void theLastKnownLeaderIsElectedUncleanlyWhateverTheConfigSays() {
        ControllerHarness harness = ControllerHarness.running(true, 3);
        TopicPartition id = harness.topic("t", 1, 2, 3);
        harness.sessionTimeout(3);
        harness.sessionTimeout(2);
        harness.sessionTimeout(1);
        harness.register(2, incarnation(2, 2), -1);
        harness.register(1, incarnation(1, 2), -1);
        assertThat(harness.part(id).elr()).isEmpty();
        harness.heartbeat(2);
        assertThat(harness.part(id).leader()).isEqualTo(-1);

        Step<ControllerEffect> step = harness.heartbeat(1);

        assertThat(appended(step).get(1))
                .isEqualTo(change(id, List.of(1), 1, null, List.of(), LeaderRecovery.RECOVERING));
    }

    @Test
    void aControlledShutdownMovesLeadersAndWaitsUntilEveryActiveBrokerKnows() {
        ControllerHarness harness = ControllerHarness.running(true, 3);
        TopicPartition id = harness.topic("t", 1, 2, 3);
        for (int broker = 1; broker <= 3; broker++) {
            harness.heartbeat(broker);
        }
        long epoch = harness.epoch(1);

        Step<ControllerEffect> first = harness.heartbeat(1, 99, false, true);
        assertThat(appended(first))
                .containsExactly(
                        new MetadataRecord.BrokerRegistrationChange(1, epoch, null, true),
                        change(id, List.of(2, 3), 2, null, null, null));
        assertThat(response(first)).isEqualTo(new ControllerResponse.Heartbeat(true, false, false));
        long moved = harness.core.view().metaLogEnd() - 1;

        harness.heartbeat(2, moved, false, false);
        Step<ControllerEffect> second = harness.heartbeat(1, 99, false, true);
        assertThat(second.action()).isNull();
        assertThat(response(second)).isEqualTo(new ControllerResponse.Heartbeat(true, false, false));

        harness.heartbeat(3, moved, false, false);
        Step<ControllerEffect> third = harness.heartbeat(1, 99, false, true);
        assertThat(third.action()).isEqualTo(SpecAction.HandleBrokerHeartbeat);
        assertThat(third.effects()).contains(new ControllerEffect.CancelSession(1));
        assertThat(response(third)).isEqualTo(new ControllerResponse.Heartbeat(true, true, true));
        assertThat(harness.broker(1).fenced()).isTrue();
        assertThat(harness.register(1, incarnation(1, 2), epoch).action()).isNotNull();
        assertThat(harness.broker(1).shuttingDown()).isFalse();
    }

    /** That it is in no ISR any more comes first, also where nobody lags and it leads nothing. */
    @Test
    void aShutdownBeginsBeforeItEnds() {
        ControllerHarness harness = ControllerHarness.running(true, 2);
        TopicPartition id = harness.topic("t", 2, 1);
        harness.heartbeat(2);
        long epoch = harness.epoch(1);

        Step<ControllerEffect> step = harness.heartbeat(1, 99, false, true);

        assertThat(appended(step))
                .containsExactly(
                        new MetadataRecord.BrokerRegistrationChange(1, epoch, null, true),
                        change(id, List.of(2), null, List.of(1), null, null));
        assertThat(response(step)).isEqualTo(new ControllerResponse.Heartbeat(true, false, false));
    }

    /** What is decided after it was moved out is no business of a broker that leaves. */
    @Test
    void aShutdownWaitsForWhatMovedItOutAndForNothingLater() {
        ControllerHarness harness = ControllerHarness.running(true, 3);
        harness.topic("t", 1, 2, 3);
        harness.heartbeat(1, 99, false, true);
        long moved = harness.core.view().metadata().appliedOffset();
        harness.heartbeat(2, moved, false, false);
        harness.topic("u", 2, 3);
        assertThat(response(harness.heartbeat(1, 99, false, true)))
                .isEqualTo(new ControllerResponse.Heartbeat(true, false, false));

        harness.heartbeat(3, moved, false, false);
        // One that was overtaken on its way takes nothing back.
        harness.heartbeat(3, moved - 1, false, false);
        assertThat(response(harness.heartbeat(1, 99, false, true)))
                .isEqualTo(new ControllerResponse.Heartbeat(true, true, true));
    }

    /** Nobody asks one that leaves for anything: what it has not applied holds up nobody. */
    @Test
    void aShutdownDoesNotWaitForAnotherOne() {
        ControllerHarness harness = ControllerHarness.running(true, 3);
        harness.topic("t", 1, 2, 3);
        harness.heartbeat(3, 0, false, true);
        harness.heartbeat(1, 99, false, true);
        harness.heartbeat(2, 99, false, false);

        assertThat(response(harness.heartbeat(1, 99, false, true)))
                .isEqualTo(new ControllerResponse.Heartbeat(true, true, true));
        assertThat(harness.broker(3).fenced()).isFalse();
    }

    @Test
    void aShutdownThatHasBegunGoesOnWhateverTheBrokerSaysLater() {
        ControllerHarness harness = ControllerHarness.running(true, 2);
        harness.topic("t", 1, 2);
        harness.heartbeat(1, 99, false, true);
        harness.heartbeat(2, 99, false, false);

        assertThat(response(harness.heartbeat(1, 99, false, false)))
                .isEqualTo(new ControllerResponse.Heartbeat(true, true, true));
    }

    @Test
    void whoWantsToBeFencedAndToShutDownGoesAtOnce() {
        ControllerHarness harness = ControllerHarness.running(true, 2);
        TopicPartition id = harness.topic("t", 1, 2);
        long epoch = harness.epoch(1);

        Step<ControllerEffect> step = harness.heartbeat(1, 0, true, true);

        assertThat(appended(step))
                .containsExactly(
                        change(id, List.of(2), 2, List.of(1), null, null),
                        new MetadataRecord.BrokerRegistrationChange(1, epoch, true, null));
        assertThat(response(step)).isEqualTo(new ControllerResponse.Heartbeat(false, true, true));
        assertThat(step.effects()).contains(new ControllerEffect.CancelSession(1));
    }

    @Test
    void aShutdownThatAPredecessorBeganIsFinished() {
        ControllerHarness harness = ControllerHarness.running(true, 2);
        harness.topic("t", 1, 2);
        harness.heartbeat(1, 99, false, true);
        harness.failOver();

        assertThat(response(harness.heartbeat(1, 99, false, true)))
                .isEqualTo(new ControllerResponse.Heartbeat(true, false, false));
        harness.heartbeat(2, 0, false, false);
        assertThat(response(harness.heartbeat(1, 99, false, true)))
                .as("broker 2 has not heard of it")
                .isEqualTo(new ControllerResponse.Heartbeat(true, false, false));
        // What a broker can have applied: the log's end is a control record of the new leader.
        harness.heartbeat(2, harness.core.view().metadata().appliedOffset(), false, false);
        assertThat(response(harness.heartbeat(1, 99, false, true)))
                .isEqualTo(new ControllerResponse.Heartbeat(true, true, true));
    }

    @Test
    void aFencedBrokerMayShutDownAtOnce() {
        ControllerHarness harness = ControllerHarness.running(true, 0);
        harness.register(1, incarnation(1, 1), -1);

        Step<ControllerEffect> step = harness.heartbeat(1, 0, false, true);

        assertThat(appended(step)).isEmpty();
        assertThat(response(step)).isEqualTo(new ControllerResponse.Heartbeat(false, true, true));
    }

    @Test
    void theOnlyReplicasShutdownLeavesThePartitionWithoutALeader() {
        ControllerHarness elr = ControllerHarness.running(true, 1);
        TopicPartition id = elr.topic("t", 1);
        elr.heartbeat(1, 99, false, true);
        assertThat(elr.part(id).isr()).isEmpty();
        assertThat(elr.part(id).elr()).containsExactly(1);
        assertThat(elr.part(id).lastKnownElr()).containsExactly(1);

        ControllerHarness classic = ControllerHarness.running(false, 1);
        classic.topic("t", 1);
        classic.heartbeat(1, 99, false, true);
        assertThat(classic.part(id).isr()).containsExactly(1);
        assertThat(classic.part(id).leader()).isEqualTo(-1);
        assertThat(response(classic.heartbeat(1, 99, false, true)))
                .isEqualTo(new ControllerResponse.Heartbeat(true, true, true));
    }
}
