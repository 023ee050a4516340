package io.tidemark.runtime.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.ErrorCode;
import io.tidemark.core.log.BatchLayout;
import io.tidemark.core.log.OffsetAndEpoch;
import io.tidemark.core.message.ClientRequest;
import io.tidemark.core.message.ClientResponse;
import io.tidemark.core.message.PartitionRef;
import io.tidemark.core.metadata.MetadataRecord;
import io.tidemark.core.partition.PartitionInput;
import io.tidemark.runtime.TestBatches;
import io.tidemark.storage.FileHandle;
import io.tidemark.storage.LogConfig;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class FetchCallTest {
    /** Bytes of one of the tests' batches. */
    private static final int BATCH = TestBatches.produced(1).sizeInBytes();

    private static final int WAIT = 500;

    private final BrokerFixture broker = BrokerFixture.started();
    private final List<ClientResponse> answers = new ArrayList<>();

    private static ClientRequest.Fetch.FetchItem item(int partition, long offset, int maxBytes) {
        return new ClientRequest.Fetch.FetchItem(
                PartitionRef.byName("t", partition), 4, offset, offset == 0 ? -1 : 4, 0, maxBytes);
    }

    private void consume(int minBytes, int maxBytes, ClientRequest.Fetch.FetchItem... items) {
        fetch(ClientRequest.Fetch.CONSUMER, -1, minBytes, maxBytes, items);
    }

    private void fetch(int replica, long epoch, int minBytes, int maxBytes, ClientRequest.Fetch.FetchItem... items) {
        new FetchCall(
                        new ClientRequest.Fetch(replica, epoch, WAIT, minBytes, maxBytes, List.of(items)),
                        answers::add,
                        broker.replicas,
                        broker.loop)
                .start();
        broker.loop.run();
    }

    private List<ClientResponse.Fetched.FetchedItem> answer() {
        assertThat(answers).hasSize(1);
        return ((ClientResponse.Fetched) answers.get(0)).items();
    }

    private List<Integer> sizes() {
        return answer().stream().map(item -> item.records().sizeInBytes()).toList();
    }

    /** A disk that flips bits costs whoever reads them, and neither the rest of the log nor another replica. */
    @Test
    void damageIsToldToWhoeverReadsIt() throws IOException {
        broker.logConfig = new LogConfig(2 * BATCH, 0, 1_200, false);
        PartitionHost damaged = broker.lead(0, 1);
        broker.lead(1, 1);
        for (int i = 0; i < 6; i++) {
            broker.append(0, 1);
        }
        broker.append(1, 1);
        broker.fsync();
        try (FileHandle file = broker.disk.open(damaged.log.dir().resolve("00000000000000000000.log"), false)) {
            file.write(ByteBuffer.allocate(1).put(0, (byte) 7), BatchLayout.MAGIC);
        }
        consume(1, 10_000, item(0, 0, BATCH), item(1, 0, BATCH));
        assertThat(answer())
                .extracting(ClientResponse.Fetched.FetchedItem::error)
                .containsExactly(ErrorCode.CORRUPT_MESSAGE, ErrorCode.NONE);
        assertThat(sizes()).containsExactly(0, BATCH);
        answers.clear();
        consume(1, 10_000, item(0, 4, BATCH));
        assertThat(sizes()).containsExactly(BATCH);
    }

    @Test
    void aRequestForNothingIsAnsweredAtOnce() {
        consume(1, 1_000);
        assertThat(answer()).isEmpty();
    }

    @Test
    void theBytesOfAllPartitionsTogetherAreBoundedAndTheFirstBatchComesAnyway() {
        for (int partition = 0; partition < 3; partition++) {
            broker.lead(partition, 1);
            broker.append(partition, 1);
            broker.append(partition, 1);
        }
        consume(1, 3 * BATCH, item(0, 0, 1_000), item(1, 0, 1_000), item(2, 0, 1_000));
        assertThat(sizes()).containsExactly(2 * BATCH, BATCH, 0);
        answers.clear();
        consume(1, 1_000, item(0, 0, BATCH), item(1, 1, 1_000));
        assertThat(sizes()).as("each by its own bound and offset").containsExactly(BATCH, BATCH);
        answers.clear();
        consume(1, 1, item(0, 0, 1), item(1, 0, 1));
        assertThat(sizes()).as("a batch above every bound").startsWith(BATCH).endsWith(0);
    }

    @Test
    void aConsumerWaitsUntilEnoughIsBelowTheHighWatermark() {
        broker.lead(0, 1, 2);
        consume(2 * BATCH, 1_000, item(0, 0, 1_000));
        broker.append(0, 1);
        broker.append(0, 1);
        assertThat(answers).as("in the log, not committed").isEmpty();
        fetch(2, 102, 0, 1_000, item(0, 1, 1_000));
        answers.clear();
        broker.loop.elapse(1);
        assertThat(answers).as("committed, too little").isEmpty();
        List<ClientResponse> before = List.copyOf(answers);
        fetch(2, 102, 0, 1_000, item(0, 2, 1_000));
        answers.removeAll(before);
        assertThat(answers).hasSize(2);
        ClientResponse.Fetched consumed = (ClientResponse.Fetched) answers.get(1);
        assertThat(consumed.items().get(0).records().sizeInBytes()).isEqualTo(2 * BATCH);
        assertThat(consumed.items().get(0).hw()).isEqualTo(2);
        assertThat(broker.host(0).waiting()).isZero();
        assertThat(broker.loop.timers()).as("its wait is cancelled").isZero();
    }

    @Test
    void aFollowerIsWokenByTheLogsEndAndAConsumerIsNot() {
        broker.lead(0, 1, 2, 3);
        fetch(2, 102, 1, 1_000, item(0, 0, 1_000));
        consume(1, 1_000, item(0, 0, 1_000));
        assertThat(broker.host(0).waiting()).isEqualTo(2);
        broker.append(0, 1);
        assertThat(sizes()).containsExactly(BATCH);
        assertThat(broker.host(0).waiting()).isEqualTo(1);
        assertThat(broker.inputs(PartitionInput.ConsumerRead.class)).hasSize(1);
    }

    /** The follower may be dead, or have fetched more, when its fetch has waited. */
    @Test
    void howFarAFollowerHasComeIsCountedWhenItsFetchArrives() {
        broker.lead(0, 1, 2, 3);
        fetch(2, 102, 1, 1_000, item(0, 0, 1_000));
        assertThat(broker.inputs(PartitionInput.HandleFetch.class)).hasSize(1);
        broker.append(0, 1);
        assertThat(sizes()).containsExactly(BATCH);
        assertThat(broker.inputs(PartitionInput.HandleFetch.class)).hasSize(1);
        assertThat(broker.inputs(PartitionInput.FollowerRead.class)).hasSize(1);
    }

    @Test
    void theWaitEndsAtItsTimeHoweverOftenItWasWoken() {
        broker.lead(0, 1);
        consume(10 * BATCH, 10_000, item(0, 0, 10_000));
        for (int i = 0; i < 4; i++) {
            broker.loop.elapse(WAIT / 5);
            broker.append(0, 1);
            assertThat(answers).isEmpty();
        }
        broker.loop.elapse(WAIT / 5 - 1);
        assertThat(answers).isEmpty();
        broker.loop.elapse(1);
        assertThat(sizes()).containsExactly(4 * BATCH);
    }

    @Test
    void anErrorOrADivergenceOfOnePartitionAnswersForAll() {
        broker.lead(0, 1);
        broker.lead(1, 1);
        broker.append(1, 1);
        ClientRequest.Fetch.FetchItem beyond =
                new ClientRequest.Fetch.FetchItem(PartitionRef.byName("t", 1), 4, 9, -1, 0, 1_000);
        consume(10 * BATCH, 1_000, item(0, 0, 1_000), beyond);
        assertThat(answer())
                .extracting(ClientResponse.Fetched.FetchedItem::error)
                .containsExactly(ErrorCode.NONE, ErrorCode.OFFSET_OUT_OF_RANGE);
        answers.clear();
        ClientRequest.Fetch.FetchItem diverging =
                new ClientRequest.Fetch.FetchItem(PartitionRef.byName("t", 1), 4, 1, 3, 0, 1_000);
        fetch(2, 102, 10 * BATCH, 1_000, item(0, 0, 1_000), diverging);
        assertThat(answer().get(1).diverging()).isNotNull();
        assertThat(answer().get(1).records().sizeInBytes()).isZero();
    }

    @Test
    void whoWaitsIsToldWhenTheReplicaLeadsNoMore() {
        broker.lead(0, 1);
        consume(1, 1_000, item(0, 0, 1_000));
        broker.commit(
                new MetadataRecord.Partition(BrokerFixture.TOPIC, 0, BrokerFixture.registration(2, 5, 10, 1, 2, 3)));
        broker.loop.run();
        assertThat(answer()).singleElement().satisfies(item -> {
            assertThat(item.error()).isNotEqualTo(ErrorCode.NONE);
            assertThat(item.leader()).isEqualTo(2);
            assertThat(item.leaderEpoch()).isEqualTo(5);
        });
    }

    @Test
    void whoWaitsIsToldWhenTheTopicIsDeleted() {
        broker.lead(0, 1, 2);
        consume(1, 1_000, item(0, 0, 1_000));
        fetch(2, 102, 1, 1_000, item(0, 0, 1_000));
        assertThat(answers).isEmpty();
        broker.commit(new MetadataRecord.RemoveTopic(BrokerFixture.TOPIC));
        broker.loop.run();
        assertThat(answers)
                .hasSize(2)
                .allSatisfy(answer -> assertThat(((ClientResponse.Fetched) answer).items())
                        .extracting(ClientResponse.Fetched.FetchedItem::error)
                        .containsExactly(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION));
        assertThat(broker.loop.timers()).as("their waits are cancelled").isZero();
    }

    @Test
    void onlyAFollowersValidFetchTellsThatItIsCaughtUp() {
        PartitionHost host = broker.lead(0, 1, 2, 3);
        broker.append(0, 1);
        broker.loop.elapse(100);
        fetch(2, 102, 0, 1_000, item(0, 1, 1_000));
        fetch(3, 102, 0, 1_000, item(0, 1, 1_000));
        consume(0, 1_000, item(0, 0, 1_000));
        broker.append(0, 1);
        assertThat(host.laggards(99)).as("a wrong broker epoch").containsExactly(3);
    }

    /** It may have as much as the leader, of something else. */
    @Test
    void aFollowerWhoseLogPartsFromTheLeadersIsNotCaughtUp() {
        PartitionHost host = broker.lead(0, 1, 2, 3);
        broker.append(0, 1);
        broker.loop.elapse(100);
        fetch(2, 102, 1, 1_000, item(0, 1, 1_000));
        fetch(3, 103, 1, 1_000, new ClientRequest.Fetch.FetchItem(PartitionRef.byName("t", 0), 4, 1, 3, 0, 1_000));
        assertThat(answer())
                .singleElement()
                .satisfies(item -> assertThat(item.diverging()).isEqualTo(new OffsetAndEpoch(0, 3)));
        broker.append(0, 1);
        assertThat(host.laggards(99)).containsExactly(3);
    }

    /** A fetch that was parked tells how far the follower was when it was sent. */
    @Test
    void aFetchThatWaitedDoesNotTellAnewThatTheFollowerIsCaughtUp() {
        PartitionHost host = broker.lead(0, 1, 2, 3);
        fetch(2, 102, 1, 1_000, item(0, 0, 1_000));
        broker.loop.elapse(100);
        assertThat(answers).isEmpty();
        broker.loop.elapse(WAIT - 100);
        assertThat(sizes()).containsExactly(0);
        broker.append(0, 1);
        broker.loop.elapse(100);
        assertThat(host.laggards(WAIT + 99)).containsExactly(2, 3);
    }
}
