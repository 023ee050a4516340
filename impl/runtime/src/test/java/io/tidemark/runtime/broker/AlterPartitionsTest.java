package io.tidemark.runtime.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.ErrorCode;
import io.tidemark.core.controller.ControllerRequest;
import io.tidemark.core.controller.ControllerResponse;
import io.tidemark.core.metadata.LeaderRecovery;
import io.tidemark.core.metadata.MetadataRecord;
import io.tidemark.core.partition.AlterPartitionAnswer;
import io.tidemark.core.partition.IsrState;
import io.tidemark.core.partition.PartitionInput;
import io.tidemark.runtime.ManualNetwork.Sent;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class AlterPartitionsTest {
    private static final long RETRY = 50;
    private static final long STRAY = 10_000;
    private static final long PROMPT = 1_000;

    private final BrokerFixture broker = BrokerFixture.started();

    @BeforeEach
    void leadTwo() {
        for (int partition = 0; partition < 2; partition++) {
            broker.lead(partition, 1, 2, 3);
            broker.append(partition, 1);
        }
    }

    /** The leader finds that these lag. */
    private void shrink(int partition, Integer... laggards) {
        broker.host(partition).apply(new PartitionInput.ReplicaLagTimeout(new TreeSet<>(Arrays.asList(laggards))));
        broker.loop.run();
    }

    private IsrState isrState(int partition) {
        return broker.host(partition).view().isrState();
    }

    private static List<Integer> partitions(Sent sent) {
        return ((ControllerRequest.AlterPartition) sent.request())
                .partitions().stream()
                        .map(ControllerRequest.AlterPartition.PartitionItem::partition)
                        .toList();
    }

    private void answer(Sent sent, ControllerResponse.AlteredPartitions.PartitionAnswer... answers) {
        sent.answer(new ControllerResponse.AlteredPartitions(List.of(answers)));
        broker.loop.run();
    }

    private static ControllerResponse.AlteredPartitions.PartitionAnswer failed(int partition, ErrorCode error) {
        return new ControllerResponse.AlteredPartitions.PartitionAnswer(
                BrokerFixture.TOPIC, partition, AlterPartitionAnswer.failed(error));
    }

    private static ControllerResponse.AlteredPartitions.PartitionAnswer granted(int partition, Integer... isr) {
        return new ControllerResponse.AlteredPartitions.PartitionAnswer(
                BrokerFixture.TOPIC,
                partition,
                new AlterPartitionAnswer(ErrorCode.NONE, 1, 4, 10, List.of(isr), LeaderRecovery.RECOVERED));
    }

    private ErrorCode lastError() {
        List<PartitionInput.HandleAlterPartitionResponse> taken =
                broker.inputs(PartitionInput.HandleAlterPartitionResponse.class);
        return taken.get(taken.size() - 1).answer().error();
    }

    @Test
    void whatComesMeanwhileGoesIntoTheNextRequest() {
        shrink(0, 3);
        Sent first = broker.network.take();
        assertThat(partitions(first)).containsExactly(0);
        assertThat(first.timeoutMs()).isEqualTo(1_000);
        assertThat(((ControllerRequest.AlterPartition) first.request()).brokerEpoch())
                .isEqualTo(BrokerFixture.EPOCH);
        shrink(1, 2);
        assertThat(broker.network.sent()).as("one in flight").isEmpty();
        answer(first, granted(0, 1, 2));
        assertThat(isrState(0)).isEqualTo(new IsrState.Committed(List.of(1, 2)));
        Sent second = broker.network.take();
        assertThat(partitions(second)).as("what is settled is not sent again").containsExactly(1);
        answer(second, granted(1, 1, 3));
        broker.loop.elapse(10 * RETRY);
        assertThat(broker.network.sent()).isEmpty();
    }

    @Test
    void whatTheAnswerDoesNotSettleIsSentAgainUnchangedAfterTheBackOff() {
        shrink(0, 3);
        Sent first = broker.network.take();
        first.answer(new ControllerResponse.Refused(ErrorCode.NOT_CONTROLLER, null));
        broker.loop.elapse(RETRY - 1);
        assertThat(lastError()).isEqualTo(ErrorCode.NOT_CONTROLLER);
        assertThat(broker.network.sent()).isEmpty();
        broker.loop.elapse(1);
        Sent second = broker.network.take();
        assertThat(second.request()).isEqualTo(first.request());
        answer(second);
        assertThat(lastError()).as("an answer that does not name it").isEqualTo(ErrorCode.UNKNOWN_SERVER_ERROR);
        broker.loop.elapse(RETRY);
        answer(broker.network.take(), granted(0, 1, 2));
        assertThat(isrState(0)).isEqualTo(new IsrState.Committed(List.of(1, 2)));
    }

    /** Kafka does not ask again: what the controller knows is on its way in the metadata log. */
    @Test
    void whatTheMetadataLogWillOvertakeIsNotHurried() {
        shrink(0, 3);
        answer(broker.network.take(), failed(0, ErrorCode.INVALID_UPDATE_VERSION));
        broker.loop.elapse(10 * RETRY - 1);
        assertThat(broker.network.sent()).isEmpty();
        shrink(1, 2);
        assertThat(partitions(broker.network.take()))
                .as("another change does not wait")
                .containsExactly(0, 1);
    }

    /** From an attempt's answer on: refused attempt after attempt, none believed. */
    private void refuse(long forMs) {
        for (long ms = 0; ms < forMs; ms += RETRY) {
            broker.loop.elapse(RETRY);
            answer(broker.network.take(), failed(0, ErrorCode.INELIGIBLE_REPLICA));
            if (ms + RETRY < forMs) {
                assertThat(isrState(0)).as("after %d ms", ms + RETRY).isInstanceOf(IsrState.PendingShrink.class);
            }
        }
    }

    private void believed() {
        assertThat(lastError()).isEqualTo(ErrorCode.INELIGIBLE_REPLICA);
        assertThat(isrState(0)).isEqualTo(new IsrState.Committed(List.of(1, 2, 3)));
    }

    /** The frozen controller may still grant the first attempt when it continues. */
    @Test
    void aRefusalIsBelievedOnlyWhenNoUnansweredAttemptCanArrive() {
        shrink(0, 3);
        broker.network.take().answer(null);
        broker.loop.run();
        assertThat(lastError()).isEqualTo(ErrorCode.REQUEST_TIMED_OUT);
        refuse(STRAY);
        believed();
    }

    /** It lay in the same frozen controller's socket, and says nothing of what lies in another. */
    @Test
    void aRefusalOfWhatWasSentWhileAStrayWasPossibleIsNotBelieved() {
        shrink(0, 3);
        broker.network.take().answer(null);
        broker.loop.elapse(RETRY);
        Sent second = broker.network.take();
        broker.loop.elapse(STRAY + 3_000);
        answer(second, failed(0, ErrorCode.INELIGIBLE_REPLICA));
        assertThat(isrState(0)).isInstanceOf(IsrState.PendingShrink.class);
        refuse(STRAY);
        believed();
    }

    @Test
    void aPauseBetweenTwoAnswersBeginsTheTimeAnew() {
        shrink(0, 3);
        broker.network.take().answer(null);
        broker.loop.run();
        refuse(STRAY - 2 * PROMPT);
        broker.loop.elapse(RETRY);
        Sent prompt = broker.network.take();
        broker.loop.elapse(PROMPT - RETRY);
        answer(prompt, failed(0, ErrorCode.INELIGIBLE_REPLICA));
        broker.loop.elapse(RETRY);
        Sent late = broker.network.take();
        broker.loop.elapse(PROMPT - RETRY + 1);
        answer(late, failed(0, ErrorCode.INELIGIBLE_REPLICA));
        assertThat(isrState(0)).isInstanceOf(IsrState.PendingShrink.class);
        refuse(STRAY);
        believed();
    }

    @Test
    void anAnswerThatTakesItsTimeIsNoPause() {
        shrink(0, 3);
        broker.network.take().answer(null);
        broker.loop.run();
        refuse(STRAY - PROMPT);
        assertThat(isrState(0)).isInstanceOf(IsrState.PendingShrink.class);
        broker.loop.elapse(RETRY);
        Sent slow = broker.network.take();
        broker.loop.elapse(PROMPT - RETRY);
        answer(slow, failed(0, ErrorCode.INELIGIBLE_REPLICA));
        assertThat(isrState(0)).as("sent before").isInstanceOf(IsrState.PendingShrink.class);
        refuse(RETRY);
        believed();
    }

    @Test
    void whereNoAttemptWentUnansweredALateRefusalIsBelieved() {
        broker.loop.elapse(STRAY);
        shrink(0, 3);
        Sent first = broker.network.take();
        broker.loop.elapse(10 * PROMPT);
        answer(first, failed(0, ErrorCode.INELIGIBLE_REPLICA));
        believed();
    }

    @Test
    void withoutAControllerItGoesOnAsking() {
        broker.controller(-1);
        shrink(0, 3);
        broker.loop.elapse(20 * RETRY);
        assertThat(broker.network.sent()).isEmpty();
        broker.controller(3);
        broker.loop.elapse(2 * RETRY);
        Sent sent = broker.network.take();
        assertThat(sent.to().port()).isEqualTo(9003);
        answer(sent, granted(0, 1, 2));
        assertThat(isrState(0)).isEqualTo(new IsrState.Committed(List.of(1, 2)));
    }

    @Test
    void whatWasNotSentForWantOfAControllerIsNoStray() {
        broker.controller(-1);
        shrink(0, 3);
        broker.loop.elapse(20 * RETRY);
        broker.controller(3);
        broker.loop.elapse(2 * RETRY);
        answer(broker.network.take(), failed(0, ErrorCode.INELIGIBLE_REPLICA));
        believed();
    }

    @Test
    void theAnswerToAChangeThatMetadataOvertookIsNoInput() {
        shrink(0, 3);
        Sent overtaken = broker.network.take();
        broker.commit(
                new MetadataRecord.Partition(BrokerFixture.TOPIC, 0, BrokerFixture.registration(1, 4, 10, 1, 2, 3)));
        answer(overtaken, granted(0, 1, 2));
        assertThat(broker.inputs(PartitionInput.HandleAlterPartitionResponse.class))
                .isEmpty();
        // Nor does it count for the change that took the other's place.
        shrink(0, 3);
        Sent stale = broker.network.take();
        broker.commit(
                new MetadataRecord.Partition(BrokerFixture.TOPIC, 0, BrokerFixture.registration(1, 4, 11, 1, 2, 3)));
        shrink(0, 2);
        answer(stale, failed(0, ErrorCode.INELIGIBLE_REPLICA));
        assertThat(broker.inputs(PartitionInput.HandleAlterPartitionResponse.class))
                .isEmpty();
        assertThat(isrState(0)).isInstanceOf(IsrState.PendingShrink.class);
        answer(broker.network.take(), granted(0, 1, 3));
        assertThat(broker.inputs(PartitionInput.HandleAlterPartitionResponse.class))
                .hasSize(1);
    }
}
