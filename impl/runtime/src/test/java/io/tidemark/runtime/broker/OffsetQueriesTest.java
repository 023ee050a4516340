package io.tidemark.runtime.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.ErrorCode;
import io.tidemark.core.log.BatchHeader;
import io.tidemark.core.log.BatchLayout;
import io.tidemark.core.log.ProducerEntry;
import io.tidemark.core.log.RecordScanner;
import io.tidemark.core.log.TimestampOffset;
import io.tidemark.core.message.ClientRequest.DescribeProducers;
import io.tidemark.core.message.ClientRequest.Fetch;
import io.tidemark.core.message.ClientRequest.ListOffsets;
import io.tidemark.core.message.ClientRequest.OffsetForLeaderEpoch;
import io.tidemark.core.message.ClientResponse.EpochEnds.EpochEnd;
import io.tidemark.core.message.ClientResponse.ListedOffsets.OffsetAnswer;
import io.tidemark.core.message.ClientResponse.Producers.ProducersItem;
import io.tidemark.core.message.PartitionRef;
import io.tidemark.core.metadata.MetadataRecord;
import io.tidemark.runtime.TestBatches;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class OffsetQueriesTest {
    private static final int CONSUMER = -1;
    private static final int DEBUGGING_CONSUMER = -2;
    private static final int FOLLOWER = 2;
    private static final PartitionRef PARTITION = PartitionRef.byName("t", 0);
    private static final OffsetAnswer NOTHING = refused(ErrorCode.NONE);

    /** Every record of a batch has the batch's timestamp. */
    private static final RecordScanner SCANNER = new RecordScanner() {
        @Override
        public @Nullable TimestampOffset firstAtOrAfter(
                BatchHeader header, ByteBuffer batch, long timestamp, long fromOffset) {
            return header.maxTimestamp() < timestamp
                    ? null
                    : new TimestampOffset(
                            header.maxTimestamp(), Math.max(header.baseOffset(), fromOffset), header.leaderEpoch());
        }

        @Override
        public @Nullable TimestampOffset maxTimestamp(BatchHeader header, ByteBuffer batch) {
            return firstAtOrAfter(header, batch, header.maxTimestamp(), header.baseOffset());
        }
    };

    private final BrokerFixture broker = BrokerFixture.started();
    private final OffsetQueries queries = new OffsetQueries(broker.replicas, SCANNER);

    private void append(int count, long timestamp) {
        broker.append(
                0,
                TestBatches.with(
                        TestBatches.produced(count).buffer(),
                        header -> header.putLong(BatchLayout.MAX_TIMESTAMP, timestamp)));
        broker.fsync();
    }

    private OffsetAnswer ask(int replicaId, int epoch, long timestamp) {
        return queries.listOffsets(
                        new ListOffsets(replicaId, List.of(new ListOffsets.OffsetItem(PARTITION, epoch, timestamp))))
                .items()
                .get(0);
    }

    /** A follower holds what lies below the offset. */
    private void fetch(int follower, long offset) {
        Fetch.FetchItem item = new Fetch.FetchItem(PARTITION, 4, offset, 4, 0, 1_000);
        new FetchCall(
                        new Fetch(follower, 100 + follower, 0, 1, 1_000, List.of(item)),
                        answer -> {},
                        broker.replicas,
                        broker.loop)
                .start();
        broker.loop.run();
    }

    private static OffsetAnswer found(long timestamp, long offset) {
        return new OffsetAnswer(PARTITION, ErrorCode.NONE, timestamp, offset, 4);
    }

    private static OffsetAnswer refused(ErrorCode error) {
        return new OffsetAnswer(PARTITION, error, -1, -1, -1);
    }

    @Test
    void recordsThatCannotBeReadAreTold() {
        broker.lead(0, 1);
        append(1, 100);
        RecordScanner damaged = new RecordScanner() {
            @Override
            public @Nullable TimestampOffset firstAtOrAfter(
                    BatchHeader header, ByteBuffer batch, long timestamp, long fromOffset) {
                throw new IllegalArgumentException("no such record");
            }

            @Override
            public @Nullable TimestampOffset maxTimestamp(BatchHeader header, ByteBuffer batch) {
                throw new IllegalArgumentException("no such record");
            }
        };
        OffsetQueries asked = new OffsetQueries(broker.replicas, damaged);
        for (long timestamp : new long[] {50, ListOffsets.MAX_TIMESTAMP}) {
            assertThat(asked.listOffsets(new ListOffsets(
                                    CONSUMER, List.of(new ListOffsets.OffsetItem(PARTITION, 4, timestamp))))
                            .items())
                    .containsExactly(refused(ErrorCode.CORRUPT_MESSAGE));
        }
    }

    @Test
    void aTimeIsTheFirstRecordThatIsNotBeforeIt() {
        broker.lead(0, 1);
        append(1, 100);
        append(2, 300);
        append(1, 200);
        assertThat(ask(CONSUMER, 4, 100)).isEqualTo(found(100, 0));
        assertThat(ask(CONSUMER, 4, 101)).isEqualTo(found(300, 1));
        assertThat(ask(CONSUMER, 4, 301)).isEqualTo(NOTHING);
        assertThat(ask(CONSUMER, 4, ListOffsets.MAX_TIMESTAMP)).isEqualTo(found(300, 1));
        assertThat(ask(CONSUMER, 4, ListOffsets.EARLIEST)).isEqualTo(found(-1, 0));
        assertThat(ask(CONSUMER, 4, ListOffsets.LATEST)).isEqualTo(found(-1, 4));
    }

    @Test
    void aConsumerLearnsNothingOfWhatIsNotCommitted() {
        broker.lead(0, 1, 2, 3);
        append(2, 100);
        assertThat(ask(CONSUMER, 4, ListOffsets.LATEST)).isEqualTo(found(-1, 0));
        assertThat(ask(CONSUMER, 4, 50)).isEqualTo(NOTHING);
        assertThat(ask(CONSUMER, 4, ListOffsets.MAX_TIMESTAMP)).isEqualTo(NOTHING);
        assertThat(ask(FOLLOWER, 4, ListOffsets.LATEST)).isEqualTo(found(-1, 2));
        assertThat(ask(FOLLOWER, 4, 50)).isEqualTo(found(100, 0));
    }

    /** KIP-207: only what the high watermark has passed cannot change any more. */
    @Test
    void afterAnElectionAConsumerIsToldOnlyWhatLiesBelowTheHighWatermark() {
        broker.lead(0, 1, 2, 3);
        append(1, 100);
        append(1, 200);
        fetch(2, 1);
        fetch(3, 1);
        broker.commit(
                new MetadataRecord.Partition(BrokerFixture.TOPIC, 0, BrokerFixture.registration(1, 5, 10, 1, 2, 3)));
        assertThat(broker.host(0).view().hw()).isEqualTo(1);
        assertThat(broker.host(0).view().epochStart()).isEqualTo(2);

        assertThat(ask(CONSUMER, 5, ListOffsets.LATEST)).isEqualTo(refused(ErrorCode.OFFSET_NOT_AVAILABLE));
        assertThat(ask(CONSUMER, 5, 50)).isEqualTo(found(100, 0));
        assertThat(ask(CONSUMER, 5, 101)).isEqualTo(refused(ErrorCode.OFFSET_NOT_AVAILABLE));
        assertThat(ask(CONSUMER, 5, 201)).isEqualTo(refused(ErrorCode.OFFSET_NOT_AVAILABLE));
        assertThat(ask(CONSUMER, 5, ListOffsets.MAX_TIMESTAMP)).isEqualTo(refused(ErrorCode.OFFSET_NOT_AVAILABLE));
        assertThat(ask(CONSUMER, 5, ListOffsets.EARLIEST)).isEqualTo(found(-1, 0));
        assertThat(ask(FOLLOWER, 5, ListOffsets.LATEST).offset()).isEqualTo(2);
        assertThat(ask(FOLLOWER, 5, 101)).isEqualTo(found(200, 1));
        assertThat(ask(FOLLOWER, 5, 201)).isEqualTo(NOTHING);
    }

    @Test
    void whoDebugsSeesTheWholeLog() {
        broker.lead(0, 1, 2, 3);
        append(2, 100);
        assertThat(ask(DEBUGGING_CONSUMER, 4, ListOffsets.LATEST)).isEqualTo(found(-1, 2));
        assertThat(ask(DEBUGGING_CONSUMER, 4, 50)).isEqualTo(found(100, 0));
    }

    @Test
    void whoKnowsAnotherEpochOrAsksAFollowerIsSentAway() {
        broker.lead(0, 1);
        assertThat(ask(CONSUMER, 3, 0)).isEqualTo(refused(ErrorCode.FENCED_LEADER_EPOCH));
        assertThat(ask(CONSUMER, 5, 0)).isEqualTo(refused(ErrorCode.UNKNOWN_LEADER_EPOCH));
        assertThat(ask(CONSUMER, -1, 0)).isEqualTo(NOTHING);
        broker.commit(
                new MetadataRecord.Partition(BrokerFixture.TOPIC, 0, BrokerFixture.registration(2, 5, 10, 1, 2, 3)));
        assertThat(ask(CONSUMER, 5, 0)).isEqualTo(refused(ErrorCode.NOT_LEADER_OR_FOLLOWER));
        assertThat(ask(DEBUGGING_CONSUMER, 5, 0)).isEqualTo(NOTHING);
    }

    @Test
    void theEndOfAnEpochIsWhereTheNextOneBegan() {
        broker.lead(0, 1);
        append(2, 100);
        broker.commit(new MetadataRecord.Partition(BrokerFixture.TOPIC, 0, BrokerFixture.registration(1, 6, 10, 1)));
        append(3, 100);
        List<OffsetForLeaderEpoch.EpochItem> items = List.of(
                new OffsetForLeaderEpoch.EpochItem(PARTITION, 6, 4),
                new OffsetForLeaderEpoch.EpochItem(PARTITION, 6, 5),
                new OffsetForLeaderEpoch.EpochItem(PARTITION, 6, 6),
                new OffsetForLeaderEpoch.EpochItem(PARTITION, 5, 4),
                new OffsetForLeaderEpoch.EpochItem(PartitionRef.byName("u", 0), 6, 4));
        assertThat(queries.epochEnds(new OffsetForLeaderEpoch(CONSUMER, items)).items())
                .containsExactly(
                        new EpochEnd(PARTITION, ErrorCode.NONE, 4, 2),
                        new EpochEnd(PARTITION, ErrorCode.NONE, 4, 2),
                        new EpochEnd(PARTITION, ErrorCode.NONE, 6, 5),
                        new EpochEnd(PARTITION, ErrorCode.FENCED_LEADER_EPOCH, -1, -1),
                        new EpochEnd(PartitionRef.byName("u", 0), ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, -1, -1));
    }

    @Test
    void producersAreTheIdempotentOnes() {
        broker.lead(0, 1);
        append(1, 100);
        broker.append(
                0,
                TestBatches.with(
                        TestBatches.produced(3).buffer(),
                        header -> header.putLong(BatchLayout.PRODUCER_ID, 9)
                                .putShort(BatchLayout.PRODUCER_EPOCH, (short) 2)
                                .putInt(BatchLayout.BASE_SEQUENCE, 0)));
        PartitionRef unknown = PartitionRef.byName("u", 0);
        assertThat(queries.producers(new DescribeProducers(List.of(PARTITION, unknown)))
                        .items())
                .containsExactly(
                        new ProducersItem(
                                PARTITION,
                                ErrorCode.NONE,
                                List.of(new ProducerEntry(
                                        9, (short) 2, 1_000, List.of(new ProducerEntry.Batch(0, 2, 1, 3, 1_000))))),
                        new ProducersItem(unknown, ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, List.of()));
    }
}
