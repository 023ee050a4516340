package io.tidemark.runtime.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.ErrorCode;
import io.tidemark.core.log.BatchLayout;
import io.tidemark.core.log.OffsetAndEpoch;
import io.tidemark.core.log.RecordBytes;
import io.tidemark.core.message.ClientRequest;
import io.tidemark.core.message.ClientResponse;
import io.tidemark.core.message.PartitionRef;
import io.tidemark.core.partition.FetchAsked;
import io.tidemark.core.partition.PartitionInput;
import io.tidemark.core.quorum.Endpoint;
import io.tidemark.runtime.LogLines;
import io.tidemark.runtime.ManualNetwork.Sent;
import io.tidemark.runtime.NodeSettings;
import io.tidemark.runtime.TestBatches;
import io.tidemark.runtime.TestSettings;
import io.tidemark.storage.BatchFormat;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ReplicaFetcherTest {
    private final BrokerFixture broker = BrokerFixture.started();
    private final NodeSettings settings = TestSettings.node();
    private final int backOff = settings.brokerTimes().replicaFetchBackoffMs();
    private final int longPoll = settings.brokerTimes().replicaFetchWaitMaxMs();
    private final LogLines lines = new LogLines(ReplicaFetcher.class);
    private @Nullable Endpoint leader = new Endpoint("PLAINTEXT", "127.0.0.1", 9092);
    private final ReplicaFetcher fetcher =
            new ReplicaFetcher(2, settings, broker.loop, broker.network, id -> leader, () -> BrokerFixture.EPOCH);

    /** A fetch that names no life could be taken for one of an earlier life's. */
    @Test
    void withoutABrokerEpochNothingIsAsked() {
        long[] epoch = {-1};
        ReplicaFetcher unregistered =
                new ReplicaFetcher(2, settings, broker.loop, broker.network, id -> leader, () -> epoch[0]);
        unregistered.put(broker.host(0), asked(0));
        broker.loop.elapse(3L * backOff);
        assertThat(broker.network.sent()).isEmpty();
        epoch[0] = BrokerFixture.EPOCH;
        broker.loop.elapse(backOff);
        assertThat(fetch(broker.network.take()).replicaEpoch()).isEqualTo(BrokerFixture.EPOCH);
    }

    @AfterEach
    void listenNoMore() {
        lines.close();
    }

    @BeforeEach
    void followTwo() {
        broker.follow(0);
        broker.follow(1);
        broker.fetches.clear();
    }

    private FetchAsked asked(int partition) {
        return Objects.requireNonNull(broker.host(partition).view().asked());
    }

    private void put(int... partitions) {
        for (int partition : partitions) {
            fetcher.put(broker.host(partition), asked(partition));
        }
        broker.loop.run();
    }

    private static ClientRequest.Fetch fetch(Sent sent) {
        return (ClientRequest.Fetch) sent.request();
    }

    private static List<Integer> partitions(Sent sent) {
        return fetch(sent).items().stream()
                .map(item -> item.partition().partition())
                .toList();
    }

    /** Answers all that was asked, each with these records. */
    private void answer(Sent sent, ErrorCode error, RecordBytes records, long hw) {
        List<ClientResponse.Fetched.FetchedItem> items = new ArrayList<>();
        for (ClientRequest.Fetch.FetchItem item : fetch(sent).items()) {
            items.add(new ClientResponse.Fetched.FetchedItem(item.partition(), error, hw, 0, null, -1, -1, records));
        }
        sent.answer(new ClientResponse.Fetched(ErrorCode.NONE, items));
        broker.loop.run();
    }

    /** Broker 2's first batch of epoch 4, as a follower gets it. */
    private static RecordBytes fetched() {
        RecordBytes bytes = TestBatches.produced(1);
        BatchFormat.assign(bytes.buffer(), 0, 0, 4);
        return bytes;
    }

    @Test
    void oneRequestAsksForAllFollowersAndItsAnswersComeToEach() {
        put(0, 1);
        Sent sent = broker.network.take();
        assertThat(partitions(sent)).containsExactly(0, 1);
        assertThat(fetch(sent).replicaId()).isEqualTo(1);
        assertThat(fetch(sent).replicaEpoch()).isEqualTo(BrokerFixture.EPOCH);
        assertThat(fetch(sent).maxWaitMs()).isEqualTo(longPoll);
        answer(sent, ErrorCode.NONE, fetched(), 1);
        for (int partition = 0; partition < 2; partition++) {
            assertThat(broker.host(partition).view().logEnd()).isEqualTo(1);
            assertThat(broker.host(partition).view().hw()).isEqualTo(1);
        }
        assertThat(broker.fetches).extracting(FetchAsked::offset).containsExactly(1L, 1L);
    }

    @Test
    void theAnswerToAFetchThatIsNotLiveIsNoInput() {
        put(0, 1);
        Sent sent = broker.network.take();
        fetcher.remove(broker.host(0));
        // The same content, asked anew: only the new request's answer counts for it.
        fetcher.put(broker.host(1), asked(1));
        answer(sent, ErrorCode.NONE, fetched(), 1);
        assertThat(broker.inputs(PartitionInput.HandleFetchResponse.class)).isEmpty();
        Sent again = broker.network.take();
        assertThat(partitions(again)).containsExactly(1);
        answer(again, ErrorCode.NONE, fetched(), 1);
        assertThat(broker.inputs(PartitionInput.HandleFetchResponse.class)).hasSize(1);
    }

    /** The name may be another topic's on a broker whose metadata is older, or newer: the id tells them apart. */
    @Test
    void itAsksByTheTopicsIdAndTakesNoAnswerThatNamesAnother() {
        put(0);
        Sent sent = broker.network.take();
        PartitionRef asked = fetch(sent).items().get(0).partition();
        assertThat(asked).isEqualTo(new PartitionRef("t", BrokerFixture.TOPIC, 0));
        for (PartitionRef other :
                List.of(new PartitionRef("t", new UUID(8, 8), 0), new PartitionRef("t", BrokerFixture.TOPIC, 1))) {
            sent.answer(new ClientResponse.Fetched(
                    ErrorCode.NONE,
                    List.of(new ClientResponse.Fetched.FetchedItem(
                            other, ErrorCode.NONE, 1, 0, null, -1, -1, fetched()))));
            broker.loop.elapse(backOff - 1);
            assertThat(broker.network.sent())
                    .as("it waits before it asks again")
                    .isEmpty();
            broker.loop.elapse(1);
            sent = broker.network.take();
        }
        assertThat(broker.inputs(PartitionInput.HandleFetchResponse.class)).isEmpty();
        assertThat(broker.host(0).view().logEnd()).isZero();
        answer(sent, ErrorCode.NONE, fetched(), 1);
        assertThat(broker.host(0).view().logEnd()).isEqualTo(1);
    }

    @Test
    void aPartitionWithAnErrorBacksOffAndTheOthersDoNotWaitForIt() {
        put(0);
        answer(broker.network.take(), ErrorCode.NOT_LEADER_OR_FOLLOWER, RecordBytes.EMPTY, -1);
        put(0, 1);
        Sent other = broker.network.take();
        assertThat(partitions(other)).containsExactly(1);
        assertThat(fetch(other).maxWaitMs())
                .as("no long poll beyond the back-off")
                .isEqualTo(Math.min(backOff, longPoll));
        fetcher.remove(broker.host(1));
        answer(other, ErrorCode.NONE, RecordBytes.EMPTY, 0);
        broker.loop.elapse(backOff - 1);
        assertThat(broker.network.sent()).isEmpty();
        broker.loop.elapse(1);
        assertThat(partitions(broker.network.take())).containsExactly(0);
    }

    @Test
    void damagedBytesAreAskedForAgainAndToldOnce() {
        RecordBytes damaged = fetched();
        damaged.buffer().put(BatchLayout.HEADER_SIZE, (byte) 1);
        put(0);
        for (int i = 0; i < 3; i++) {
            answer(broker.network.take(), ErrorCode.NONE, damaged, 1);
            // A request that asks for the same as before does not begin anew with it.
            fetcher.put(broker.host(0), asked(0));
            broker.loop.elapse(backOff);
        }
        assertThat(broker.inputs(PartitionInput.HandleFetchResponse.class)).isEmpty();
        assertThat(lines.get())
                .singleElement()
                .asString()
                .startsWith("t-0: what leader 2 sent is damaged, asking again: ");
        answer(broker.network.take(), ErrorCode.NONE, fetched(), 1);
        assertThat(broker.host(0).view().logEnd()).isEqualTo(1);
        put(0);
        // What was asked before is on its way, and its answer counts no more.
        answer(broker.network.take(), ErrorCode.NONE, RecordBytes.EMPTY, 1);
        answer(broker.network.take(), ErrorCode.NONE, damaged, 1);
        assertThat(lines.get()).as("of what comes next it is told again").hasSize(2);
    }

    /** What a replica may not take: behind a hole of the leader's log, or of epochs that damage has changed (no checksum has them). */
    enum Refused {
        GAP,
        EPOCH_ABOVE,
        DIVERGES_NOWHERE
    }

    /** The leader has nothing else to give, and asking it at once would never end. */
    @ParameterizedTest
    @EnumSource
    void whatIsNotTakenIsAskedForAgainAfterTheBackOff(Refused how) {
        put(0);
        for (int i = 0; i < 3; i++) {
            refuse(broker.network.take(), how);
            assertThat(broker.host(0).view().logEnd()).isZero();
            broker.loop.elapse(backOff - 1);
            assertThat(broker.network.sent()).isEmpty();
            broker.loop.elapse(1);
        }
        assertThat(broker.inputs(PartitionInput.HandleFetchResponse.class))
                .as("the core is asked, and refuses")
                .hasSize(3);
        assertThat(lines.get())
                .singleElement()
                .asString()
                .startsWith("t-0: what leader 2 sent does not continue the log at offset 0 after leader epoch ");
        answer(broker.network.take(), ErrorCode.NONE, fetched(), 1);
        assertThat(broker.host(0).view().logEnd()).isEqualTo(1);
    }

    @Test
    void anOffsetThatIsOutOfRangeIsToldOnce() {
        put(0);
        for (int i = 0; i < 3; i++) {
            answer(broker.network.take(), ErrorCode.OFFSET_OUT_OF_RANGE, RecordBytes.EMPTY, 0);
            broker.loop.elapse(backOff);
        }
        assertThat(lines.get()).singleElement().asString().startsWith("t-0: leader 2 has nothing at offset 0 ");
    }

    private void refuse(Sent sent, Refused how) {
        RecordBytes records = fetched();
        switch (how) {
            case GAP -> BatchFormat.assign(records.buffer(), 0, 4, 4);
            case EPOCH_ABOVE -> BatchFormat.assign(records.buffer(), 0, 0, 99);
            case DIVERGES_NOWHERE -> records = RecordBytes.EMPTY;
        }
        OffsetAndEpoch diverging = how == Refused.DIVERGES_NOWHERE ? new OffsetAndEpoch(0, 4) : null;
        PartitionRef partition = fetch(sent).items().get(0).partition();
        sent.answer(new ClientResponse.Fetched(
                ErrorCode.NONE,
                List.of(new ClientResponse.Fetched.FetchedItem(
                        partition, ErrorCode.NONE, 0, 0, diverging, -1, -1, records))));
        broker.loop.run();
    }

    @Test
    void withoutAnAnswerOrAnAddressItTriesAgainAfterTheBackOff() {
        put(0);
        broker.network.take().answer(null);
        broker.loop.elapse(backOff - 1);
        assertThat(broker.network.sent()).isEmpty();
        leader = null;
        broker.loop.elapse(5L * backOff);
        assertThat(broker.network.sent()).isEmpty();
        leader = new Endpoint("PLAINTEXT", "127.0.0.1", 9999);
        broker.loop.elapse(backOff);
        assertThat(broker.network.take().to().port()).isEqualTo(9999);
    }

    @Test
    void anAnswerThatIsNotToTheQuestionIsNone() {
        put(0, 1);
        Sent sent = broker.network.take();
        sent.answer(new ClientResponse.Fetched(ErrorCode.NONE, List.of()));
        broker.loop.elapse(backOff);
        assertThat(partitions(broker.network.take())).containsExactly(0, 1);
        assertThat(broker.inputs(PartitionInput.HandleFetchResponse.class)).isEmpty();
    }
}
