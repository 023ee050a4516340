package io.tidemark.core.controller;

import static io.tidemark.core.controller.ControllerHarness.appended;
import static io.tidemark.core.controller.ControllerHarness.assertRefused;
import static io.tidemark.core.controller.ControllerHarness.change;
import static io.tidemark.core.controller.ControllerHarness.incarnation;
import static io.tidemark.core.controller.ControllerHarness.response;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.ErrorCode;
import io.tidemark.core.Guard;
import io.tidemark.core.Guards;
import io.tidemark.core.SpecAction;
import io.tidemark.core.Step;
import io.tidemark.core.metadata.LeaderRecovery;
import io.tidemark.core.metadata.PartitionRegistration;
import io.tidemark.core.metadata.TopicPartition;
import io.tidemark.core.partition.AlterPartitionAnswer;
import io.tidemark.core.partition.AlterPartitionAsked;
import io.tidemark.core.partition.AlterPartitionAsked.Member;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class HandleAlterPartitionTest {
    private static final LeaderRecovery RECOVERED = LeaderRecovery.RECOVERED;

    private ControllerHarness harness;
    private TopicPartition id;

    private void start(boolean elr, Guards guards) {
        harness = ControllerHarness.running(elr, 4, guards);
        id = harness.topic("t", 1, 2, 3);
    }

    @Test
    void aShrinkRaisesThePartitionEpochAndNotTheLeaderEpoch() {
        start(true, Guards.ALL);
        long end = harness.core.view().metaLogEnd();

        Step<ControllerEffect> step = harness.request(harness.alter(id, 2, 1));

        AlterPartitionAnswer answer = new AlterPartitionAnswer(ErrorCode.NONE, 1, 0, 1, List.of(1, 2), RECOVERED);
        assertThat(step)
                .isEqualTo(Step.of(
                        SpecAction.HandleAlterPartition,
                        List.of(
                                new ControllerEffect.Append(
                                        1, end, List.of(change(id, List.of(1, 2), null, null, null, null))),
                                harness.answer(answered(answer)))));
    }

    @Test
    void belowMinIsrWhoLeavesBecomesEligibleAndWhoJoinsIsNoMore() {
        start(true, Guards.ALL);

        harness.request(harness.alter(id, 1));
        assertThat(harness.part(id).elr()).containsExactly(2, 3);

        Step<ControllerEffect> step = harness.request(harness.alter(id, 1, 3));
        assertThat(appended(step)).containsExactly(change(id, List.of(1, 3), null, List.of(), null, null));
    }

    @Test
    void withElrOffNobodyBecomesEligible() {
        start(false, Guards.ALL);

        harness.request(harness.alter(id, 1));

        assertThat(harness.part(id).elr()).isEmpty();
    }

    @Test
    void anUnchangedIsrIsAnsweredWithoutARecord() {
        start(true, Guards.ALL);

        Step<ControllerEffect> step = harness.request(harness.alter(id, 3, 2, 1));

        assertThat(step.action()).isNull();
        assertThat(response(step))
                .isEqualTo(answered(new AlterPartitionAnswer(ErrorCode.NONE, 1, 0, 0, List.of(1, 2, 3), RECOVERED)));
    }

    @Test
    void unknownTopicsAndPartitionsHaveTheirErrors() {
        start(true, Guards.ALL);
        AlterPartitionAsked asked = new AlterPartitionAsked(0, 0, harness.members(1), RECOVERED);

        assertPartitionRefused(
                harness.request(harness.alter(1, new TopicPartition(new UUID(9, 9), 0), asked)),
                ErrorCode.UNKNOWN_TOPIC_ID);
        assertPartitionRefused(
                harness.request(harness.alter(1, new TopicPartition(id.topicId(), 1), asked)),
                ErrorCode.UNKNOWN_TOPIC_OR_PARTITION);
    }

    @Test
    void apLeaderEpoch() {
        AlterPartitionAsked[] asked = {asked(-1, 0, RECOVERED, 1, 2), asked(1, 0, RECOVERED, 1, 2)};
        refusedUnlessOff(Guard.AP_LEADER_EPOCH, asked[0], ErrorCode.FENCED_LEADER_EPOCH);
        refusedUnlessOff(Guard.AP_LEADER_EPOCH, asked[1], ErrorCode.NOT_CONTROLLER);
    }

    @Test
    void apPartitionEpoch() {
        refusedUnlessOff(Guard.AP_PARTITION_EPOCH, asked(0, -1, RECOVERED, 1, 2), ErrorCode.INVALID_UPDATE_VERSION);
        refusedUnlessOff(Guard.AP_PARTITION_EPOCH, asked(0, 1, RECOVERED, 1, 2), ErrorCode.NOT_CONTROLLER);
    }

    @Test
    void apRecovering() {
        refusedUnlessOff(Guard.AP_RECOVERING, asked(0, 0, LeaderRecovery.RECOVERING, 1, 2), ErrorCode.INVALID_REQUEST);
        refusedUnlessOff(Guard.AP_RECOVERING, asked(0, 0, LeaderRecovery.RECOVERING, 1), ErrorCode.INVALID_REQUEST);
    }

    @Test
    void apFencedMembers() {
        for (boolean shuttingDown : new boolean[] {false, true}) {
            for (Guards guards : new Guards[] {Guards.ALL, Guards.without(Guard.AP_FENCED_MEMBERS)}) {
                start(true, guards);
                if (shuttingDown) {
                    harness.heartbeat(2, 99, false, true);
                } else {
                    harness.sessionTimeout(2);
                }

                Step<ControllerEffect> step = harness.request(harness.alter(id, 1, 2, 3));

                if (guards == Guards.ALL) {
                    assertPartitionRefused(step, ErrorCode.INELIGIBLE_REPLICA);
                } else {
                    assertThat(harness.part(id).isr()).containsExactly(1, 2, 3);
                }
            }
        }
    }

    @Test
    void apBrokerEpochs() {
        for (Guards guards : new Guards[] {Guards.ALL, Guards.without(Guard.AP_BROKER_EPOCHS)}) {
            start(true, guards);
            long old = harness.epoch(2);
            harness.sessionTimeout(2);
            harness.register(2, incarnation(2, 2), -1);
            harness.heartbeat(2);
            PartitionRegistration partition = harness.part(id);
            List<Member> members = List.of(new Member(1, harness.epoch(1)), new Member(2, old));

            Step<ControllerEffect> step = harness.request(harness.alter(
                    1,
                    id,
                    new AlterPartitionAsked(partition.leaderEpoch(), partition.partitionEpoch(), members, RECOVERED)));

            if (guards == Guards.ALL) {
                assertPartitionRefused(step, ErrorCode.INELIGIBLE_REPLICA);
            } else {
                assertThat(harness.part(id).isr()).containsExactly(1, 2);
            }
        }
    }

    @Test
    void aMemberWithoutAnEpochIsTakenAsRegistered() {
        start(true, Guards.ALL);
        List<Member> members = List.of(new Member(1, -1), new Member(2, -1));

        harness.request(harness.alter(1, id, new AlterPartitionAsked(0, 0, members, RECOVERED)));

        assertThat(harness.part(id).isr()).containsExactly(1, 2);
    }

    @Test
    void apSenderEpoch() {
        for (Guards guards : new Guards[] {Guards.ALL, Guards.without(Guard.AP_SENDER_EPOCH)}) {
            start(true, guards);
            ControllerRequest.AlterPartition good = harness.alter(id, 1, 2);
            ControllerRequest.AlterPartition stale =
                    new ControllerRequest.AlterPartition(1, good.brokerEpoch() - 1, good.partitions());

            Step<ControllerEffect> step = harness.request(stale);

            if (guards == Guards.ALL) {
                assertRefused(step, ErrorCode.STALE_BROKER_EPOCH);
            } else {
                assertThat(harness.part(id).isr()).containsExactly(1, 2);
            }
        }
    }

    @Test
    void onlyTheLeaderMayAskAndOnlyForReplicasWithItself() {
        start(true, Guards.ALL);

        assertPartitionRefused(
                harness.request(harness.alter(2, id, asked(0, 0, RECOVERED, 1, 2))), ErrorCode.INVALID_REQUEST);
        assertPartitionRefused(harness.request(harness.alter(id, 2, 3)), ErrorCode.INVALID_REQUEST);
        assertPartitionRefused(harness.request(harness.alter(id, 1, 4)), ErrorCode.INVALID_REQUEST);
        assertPartitionRefused(harness.request(harness.alter(id, 1, 1, 2)), ErrorCode.INVALID_REQUEST);
    }

    @Test
    void aRecoveredLeaderSaysSo() {
        start(false, Guards.ALL);
        harness.request(harness.alter(id, 1));
        harness.sessionTimeout(1);
        harness.request(
                new ControllerRequest.ElectLeaders(true, List.of(new ControllerRequest.TopicAndPartition("t", 0))));
        assertThat(harness.part(id).recovery()).isEqualTo(LeaderRecovery.RECOVERING);

        Step<ControllerEffect> step = harness.request(harness.alter(id, 2));

        assertThat(appended(step)).containsExactly(change(id, null, null, null, null, RECOVERED));
    }

    @Test
    void severalPartitionsAreOneBatchEachJudgedByItself() {
        start(true, Guards.ALL);
        TopicPartition other = harness.topic("u", 1, 2);
        ControllerRequest.AlterPartition first = harness.alter(id, 1, 2);
        ControllerRequest.AlterPartition second = harness.alter(other, 1, 3);
        ControllerRequest.AlterPartition all = new ControllerRequest.AlterPartition(
                1,
                first.brokerEpoch(),
                List.of(
                        first.partitions().get(0),
                        second.partitions().get(0),
                        first.partitions().get(0)));

        Step<ControllerEffect> step = harness.request(all);

        assertThat(appended(step)).hasSize(1);
        ControllerResponse.AlteredPartitions answer = (ControllerResponse.AlteredPartitions) response(step);
        assertThat(answer.partitions())
                .extracting(partition -> partition.answer().error())
                .containsExactly(ErrorCode.NONE, ErrorCode.INVALID_REQUEST, ErrorCode.INVALID_REQUEST);
    }

    private AlterPartitionAsked asked(int leaderEpoch, int partitionEpoch, LeaderRecovery recovery, Integer... isr) {
        List<Member> members = java.util.Arrays.stream(isr)
                .map(member -> new Member(member, -1))
                .toList();
        return new AlterPartitionAsked(leaderEpoch, partitionEpoch, members, recovery);
    }

    private void refusedUnlessOff(Guard guard, AlterPartitionAsked asked, ErrorCode error) {
        start(true, Guards.ALL);
        PartitionRegistration before = harness.part(id);
        Step<ControllerEffect> step = harness.request(harness.alter(1, id, asked));
        assertPartitionRefused(step, error);
        assertThat(harness.part(id)).isEqualTo(before);

        start(true, Guards.without(guard));
        assertThat(harness.request(harness.alter(1, id, asked)).action()).isEqualTo(SpecAction.HandleAlterPartition);
    }

    private static void assertPartitionRefused(Step<ControllerEffect> step, ErrorCode error) {
        assertThat(step.action()).isNull();
        assertThat(step.effects()).hasSize(1);
        ControllerResponse.AlteredPartitions answer = (ControllerResponse.AlteredPartitions) response(step);
        assertThat(answer.partitions()).hasSize(1);
        assertThat(answer.partitions().get(0).answer()).isEqualTo(AlterPartitionAnswer.failed(error));
    }

    private ControllerResponse answered(AlterPartitionAnswer answer) {
        return new ControllerResponse.AlteredPartitions(
                List.of(new ControllerResponse.AlteredPartitions.PartitionAnswer(id.topicId(), 0, answer)));
    }
}
