package io.tidemark.runtime.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.tidemark.core.ErrorCode;
import io.tidemark.core.log.RecordBytes;
import io.tidemark.core.message.ClientRequest;
import io.tidemark.core.message.ClientResponse;
import io.tidemark.core.message.PartitionRef;
import io.tidemark.core.metadata.MetadataRecord;
import io.tidemark.core.partition.PartitionInput;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProduceCallTest {
    private static final short ALL = -1;
    private static final int TIMEOUT = 1_000;

    private final BrokerFixture broker = BrokerFixture.started();
    private final List<ClientResponse> answers = new ArrayList<>();

    private void produce(int acks, ClientRequest.Produce.ProduceItem... items) {
        produce(broker, acks, items);
    }

    private void produce(BrokerFixture on, int acks, ClientRequest.Produce.ProduceItem... items) {
        new ProduceCall(new ClientRequest.Produce((short) acks, TIMEOUT, List.of(items)), answers::add)
                .start(on.replicas, on.loop);
        on.loop.run();
    }

    private List<ClientResponse.Produced.ProducedItem> answer() {
        assertThat(answers).hasSize(1);
        return ((ClientResponse.Produced) answers.get(0)).items();
    }

    @Test
    void eachPartitionIsAnsweredInTheRequestsOrderWithItsOwnFate() {
        broker.lead(0, 1);
        broker.lead(1, 1);
        broker.follow(2);
        broker.append(1, 3);
        ClientRequest.Produce.ProduceItem invalid = new ClientRequest.Produce.ProduceItem(
                PartitionRef.byName("t", 0), ErrorCode.CORRUPT_MESSAGE, "torn", null, RecordBytes.EMPTY);
        produce(
                1,
                BrokerFixture.produce(1, 2),
                invalid,
                BrokerFixture.produce(2, 1),
                BrokerFixture.produce(9, 1),
                BrokerFixture.produce(0, 1));
        assertThat(answer())
                .extracting(
                        item -> item.partition().partition(),
                        ClientResponse.Produced.ProducedItem::error,
                        ClientResponse.Produced.ProducedItem::message,
                        ClientResponse.Produced.ProducedItem::baseOffset,
                        ClientResponse.Produced.ProducedItem::leader,
                        ClientResponse.Produced.ProducedItem::leaderEpoch)
                .containsExactly(
                        tuple(1, ErrorCode.NONE, null, 3L, 1, 4),
                        tuple(0, ErrorCode.CORRUPT_MESSAGE, "torn", -1L, -1, -1),
                        tuple(2, ErrorCode.NOT_LEADER_OR_FOLLOWER, null, -1L, 2, 4),
                        tuple(9, ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, null, -1L, -1, -1),
                        tuple(0, ErrorCode.NONE, null, 0L, 1, 4));
        assertThat(broker.loop.timers()).as("the time-out is cancelled").isZero();
    }

    @Test
    void acksOfAllWaitForTheFollowers() {
        broker.lead(0, 1, 2);
        produce(ALL, BrokerFixture.produce(0, 2));
        broker.loop.elapse(TIMEOUT - 1);
        assertThat(answers).isEmpty();
        follower(2, 2);
        assertThat(broker.loop.timers()).as("the time-out is cancelled").isZero();
        assertThat(answer())
                .extracting(ClientResponse.Produced.ProducedItem::error)
                .containsExactly(ErrorCode.NONE);
        broker.loop.elapse(TIMEOUT);
        assertThat(answers).hasSize(1);
        assertThat(broker.inputs(PartitionInput.AckTimeout.class)).isEmpty();
    }

    private void follower(int id, long offset) {
        ClientRequest.Fetch.FetchItem item =
                new ClientRequest.Fetch.FetchItem(PartitionRef.byName("t", 0), 4, offset, 4, 0, 1_000);
        new FetchCall(
                        new ClientRequest.Fetch(id, 100 + id, 0, 1, 1_000, List.of(item)),
                        response -> {},
                        broker.replicas,
                        broker.loop)
                .start();
        broker.loop.run();
    }

    @Test
    void theTimeOutAnswersWhatIsOpenAndKeepsWhatIsDone() {
        broker.lead(0, 1, 2);
        broker.lead(1, 1);
        produce(ALL, BrokerFixture.produce(0, 1), BrokerFixture.produce(1, 1));
        assertThat(answers).isEmpty();
        broker.loop.elapse(TIMEOUT);
        assertThat(answer())
                .extracting(ClientResponse.Produced.ProducedItem::error)
                .containsExactly(ErrorCode.REQUEST_TIMED_OUT, ErrorCode.NONE);
        assertThat(broker.host(0).view().logEnd()).as("the record stays").isEqualTo(1);
        follower(2, 1);
        assertThat(answers).hasSize(1);
    }

    @Test
    void aTopicThatIsDeletedIsAnsweredForAtOnce() {
        broker.lead(0, 1, 2);
        broker.lead(1, 1);
        produce(ALL, BrokerFixture.produce(0, 1), BrokerFixture.produce(1, 1));
        assertThat(answers).isEmpty();
        broker.commit(new MetadataRecord.RemoveTopic(BrokerFixture.TOPIC));
        assertThat(answer())
                .extracting(ClientResponse.Produced.ProducedItem::error)
                .containsExactly(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, ErrorCode.NONE);
        assertThat(broker.loop.timers()).as("the time-out is cancelled").isZero();
    }

    @Test
    void aReplicaThatIsPlacedElsewhereIsAnsweredForAtOnce() {
        broker.lead(0, 1, 2);
        produce(ALL, BrokerFixture.produce(0, 1));
        broker.commit(new MetadataRecord.PartitionChange(
                BrokerFixture.TOPIC, 0, List.of(2), 2, List.of(2, 3), null, null, null, null, null, null));
        assertThat(answer())
                .extracting(ClientResponse.Produced.ProducedItem::error)
                .containsExactly(ErrorCode.NOT_LEADER_OR_FOLLOWER);
    }

    @Test
    void whatWaitsForAnFsyncOfADeletedTopicIsAnsweredOnce() {
        BrokerFixture flushing = BrokerFixture.started(true);
        PartitionHost host = flushing.lead(0, 1);
        flushing.fsync();
        produce(flushing, 1, BrokerFixture.produce(0, 1));
        assertThat(host.waiting()).isEqualTo(1);
        flushing.commit(new MetadataRecord.RemoveTopic(BrokerFixture.TOPIC));
        flushing.fsync();
        assertThat(answer())
                .extracting(ClientResponse.Produced.ProducedItem::error)
                .containsExactly(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION);
        assertThat(host.waiting()).isZero();
    }

    @Test
    void withoutAcksNobodyWaitsForAnything() {
        BrokerFixture flushing = BrokerFixture.started(true);
        flushing.lead(0, 1);
        produce(flushing, 0, BrokerFixture.produce(0, 1));
        assertThat(answer())
                .extracting(ClientResponse.Produced.ProducedItem::error)
                .containsExactly(ErrorCode.NONE);
        assertThat(flushing.loop.timers()).isZero();
    }

    @Test
    void whereEveryMessageIsFsyncedTheAnswerWaitsForIt() {
        BrokerFixture flushing = BrokerFixture.started(true);
        flushing.lead(0, 1);
        flushing.fsync();
        produce(flushing, 1, BrokerFixture.produce(0, 1));
        assertThat(answers).isEmpty();
        flushing.fsync();
        assertThat(answer())
                .extracting(ClientResponse.Produced.ProducedItem::error)
                .containsExactly(ErrorCode.NONE);
    }
}
