package io.tidemark.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.ErrorCode;
import io.tidemark.core.log.RecordBytes;
import io.tidemark.core.message.ClientResponse.Fetched;
import io.tidemark.core.message.ClientResponse.Fetched.FetchedItem;
import io.tidemark.core.message.ClientResponse.ListedOffsets;
import io.tidemark.core.message.ClientResponse.ListedOffsets.OffsetAnswer;
import io.tidemark.core.message.ClientResponse.Produced;
import io.tidemark.core.message.ClientResponse.Produced.ProducedItem;
import io.tidemark.core.message.PartitionRef;
import io.tidemark.core.quorum.Endpoint;
import io.tidemark.wire.batch.ProduceRules;
import java.nio.ByteBuffer;
import java.util.List;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.message.ListOffsetsRequestData;
import org.apache.kafka.common.message.ListOffsetsResponseData;
import org.apache.kafka.common.message.ProduceResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.requests.AbstractResponse;
import org.apache.kafka.common.requests.RequestHeader;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What the answers to Produce, Fetch and ListOffsets say, as Kafka's client reads them: in the version where a field begins and in the one
 * before, besides the oldest and the newest that are served. The columns are the fields' {@code versions} in Kafka's schemas.
 */
class AnswersByVersionTest {
    private static final int LOG_APPEND_TIME = 1;
    private static final ProduceRules APPEND_TIME = new ProduceRules(1_048_588, Long.MAX_VALUE, 3_600_000, true, false);

    /** Broker 3 is known, broker 9 is not; partition 0 keeps the producer's time, the others that of the append. */
    private static final NodeFacts FACTS = new NodeFacts() {
        @Override
        public ProduceRules produceRules(PartitionRef partition) {
            return partition.partition() < LOG_APPEND_TIME ? ProduceRules.DEFAULT : APPEND_TIME;
        }

        @Override
        public @Nullable Endpoint broker(int id) {
            return Samples.FACTS.broker(id);
        }

        @Override
        public long nowMs() {
            return Samples.NOW;
        }
    };

    @ParameterizedTest(name = "Produce version {0}")
    @CsvSource({
        // version, byId, logStart, message, leader
        " 3, false, false, false, false",
        " 4, false, false, false, false",
        " 5, false,  true, false, false",
        " 7, false,  true, false, false",
        " 8, false,  true,  true, false",
        " 9, false,  true,  true, false",
        "10, false,  true,  true,  true",
        "12, false,  true,  true,  true",
        "13,  true,  true,  true,  true",
    })
    void produce(short version, boolean byId, boolean logStart, boolean message, boolean leader) throws Exception {
        Produced produced = new Produced(List.of(
                new ProducedItem(ref(0, byId), ErrorCode.NONE, null, 5, 2, 3, 4),
                new ProducedItem(ref(1, byId), ErrorCode.NONE, null, 6, 2, 3, 4),
                new ProducedItem(ref(2, byId), ErrorCode.NOT_LEADER_OR_FOLLOWER, "moved", -1, -1, 3, 4),
                new ProducedItem(ref(3, byId), ErrorCode.NOT_LEADER_OR_FOLLOWER, null, -1, -1, 9, 6),
                new ProducedItem(ref(4, byId), ErrorCode.NOT_LEADER_OR_FOLLOWER, null, -1, -1, -1, -1),
                new ProducedItem(ref(5, byId), ErrorCode.REQUEST_TIMED_OUT, null, -1, -1, 3, 4),
                new ProducedItem(ref(6, byId), ErrorCode.FENCED_LEADER_EPOCH, null, -1, -1, 3, 4)));
        ProduceResponseData answer = (ProduceResponseData)
                read(ApiKeys.PRODUCE, version, Filler.request(ApiKeys.PRODUCE, version), produced);

        assertThat(answer.responses()).hasSize(1);
        ProduceResponseData.TopicProduceResponse topic =
                answer.responses().iterator().next();
        assertThat(topic.name()).isEqualTo(byId ? "" : "t");
        assertThat(topic.topicId()).isEqualTo(byId ? Ids.kafka(Samples.TOPIC_ID) : Uuid.ZERO_UUID);
        assertThat(topic.partitionResponses())
                .extracting(p -> p.index() + ": error " + p.errorCode() + ", base " + p.baseOffset())
                .containsExactly(
                        "0: error 0, base 5",
                        "1: error 0, base 6",
                        "2: error 6, base -1",
                        "3: error 6, base -1",
                        "4: error 6, base -1",
                        "5: error 7, base -1",
                        "6: error 74, base -1");
        assertThat(topic.partitionResponses())
                .extracting(ProduceResponseData.PartitionProduceResponse::logAppendTimeMs)
                .containsExactly(-1L, Samples.NOW, -1L, -1L, -1L, -1L, -1L);
        long start = logStart ? 2 : -1;
        assertThat(topic.partitionResponses())
                .extracting(ProduceResponseData.PartitionProduceResponse::logStartOffset)
                .containsExactly(start, start, -1L, -1L, -1L, -1L, -1L);
        assertThat(topic.partitionResponses())
                .extracting(ProduceResponseData.PartitionProduceResponse::errorMessage)
                .containsExactly(null, null, message ? "moved" : null, null, null, null, null);
        String none = "-1 in -1";
        String three = leader ? "3 in 4" : none;
        assertThat(topic.partitionResponses())
                .extracting(p -> p.currentLeader().leaderId() + " in "
                        + p.currentLeader().leaderEpoch())
                .containsExactly(none, none, three, leader ? "9 in 6" : none, none, none, three);
        assertThat(answer.nodeEndpoints())
                .extracting(node -> node.nodeId() + " " + node.host() + ":" + node.port())
                .isEqualTo(leader ? List.of("3 three:9092") : List.of());
    }

    @ParameterizedTest(name = "Fetch version {0}")
    @CsvSource({
        // version, byId, logStart, error, leader (and diverging epoch), endpoints
        " 4, false, false, false, false, false",
        " 5, false,  true, false, false, false",
        " 6, false,  true, false, false, false",
        " 7, false,  true,  true, false, false",
        "11, false,  true,  true, false, false",
        "12, false,  true,  true,  true, false",
        "13,  true,  true,  true,  true, false",
        "15,  true,  true,  true,  true, false",
        "16,  true,  true,  true,  true,  true",
        "18,  true,  true,  true,  true,  true",
    })
    void fetch(short version, boolean byId, boolean logStart, boolean error, boolean leader, boolean endpoints)
            throws Exception {
        RecordBytes records = Samples.records("r");
        int size = records.buffer().remaining();
        Fetched fetched = new Fetched(
                ErrorCode.FETCH_SESSION_ID_NOT_FOUND,
                List.of(
                        new FetchedItem(ref(0, byId), ErrorCode.NONE, 5, 2, null, 3, 4, records),
                        new FetchedItem(ref(1, byId), ErrorCode.NONE, 5, 2, Samples.END, 3, 4, RecordBytes.EMPTY),
                        refused(ref(2, byId), ErrorCode.NOT_LEADER_OR_FOLLOWER, 3, 4),
                        refused(ref(3, byId), ErrorCode.FENCED_LEADER_EPOCH, 9, 6),
                        refused(ref(4, byId), ErrorCode.NOT_LEADER_OR_FOLLOWER, -1, -1),
                        refused(ref(5, byId), ErrorCode.OFFSET_OUT_OF_RANGE, 3, 4),
                        refused(ref(6, byId), ErrorCode.FENCED_LEADER_EPOCH, 3, 4)));
        FetchRequestData request = (FetchRequestData) Filler.request(ApiKeys.FETCH, version);
        FetchResponseData answer = (FetchResponseData)
                read(ApiKeys.FETCH, version, request.setSessionId(0).setSessionEpoch(0), fetched);

        assertThat(answer.errorCode()).isEqualTo(error ? ErrorCode.FETCH_SESSION_ID_NOT_FOUND.code() : 0);
        assertThat(answer.sessionId()).isZero();
        assertThat(answer.responses()).hasSize(1);
        FetchResponseData.FetchableTopicResponse topic = answer.responses().get(0);
        assertThat(topic.topic()).isEqualTo(byId ? "" : "t");
        assertThat(topic.topicId()).isEqualTo(byId ? Ids.kafka(Samples.TOPIC_ID) : Uuid.ZERO_UUID);
        assertThat(topic.partitions())
                .extracting(p -> p.partitionIndex() + ": error " + p.errorCode() + ", hw " + p.highWatermark()
                        + ", stable " + p.lastStableOffset() + ", start " + p.logStartOffset() + ", bytes "
                        + p.records().sizeInBytes())
                .containsExactly(
                        "0: error 0, hw 5, stable 5, start " + (logStart ? 2 : -1) + ", bytes " + size,
                        "1: error 0, hw 5, stable 5, start " + (logStart ? 2 : -1) + ", bytes 0",
                        "2: error 6, hw -1, stable -1, start -1, bytes 0",
                        "3: error 74, hw -1, stable -1, start -1, bytes 0",
                        "4: error 6, hw -1, stable -1, start -1, bytes 0",
                        "5: error 1, hw -1, stable -1, start -1, bytes 0",
                        "6: error 74, hw -1, stable -1, start -1, bytes 0");
        String none = "-1 in -1";
        assertThat(topic.partitions())
                .extracting(p -> p.divergingEpoch().endOffset() + " in "
                        + p.divergingEpoch().epoch())
                .containsExactly(none, leader ? "40 in 3" : none, none, none, none, none, none);
        String three = leader ? "3 in 4" : none;
        assertThat(topic.partitions())
                .extracting(p -> p.currentLeader().leaderId() + " in "
                        + p.currentLeader().leaderEpoch())
                .containsExactly(none, none, three, leader ? "9 in 6" : none, none, none, three);
        assertThat(answer.nodeEndpoints())
                .extracting(node -> node.nodeId() + " " + node.host() + ":" + node.port())
                .isEqualTo(endpoints ? List.of("3 three:9092") : List.of());
    }

    @ParameterizedTest(name = "ListOffsets version {0}")
    @CsvSource({
        // version, leader epoch, the error that says "not yet"
        " 1, false,  5",
        " 3, false,  5",
        " 4,  true,  5",
        " 5,  true, 78",
        "11,  true, 78",
    })
    void listOffsets(short version, boolean epoch, short notYet) throws Exception {
        ListedOffsets listed = new ListedOffsets(List.of(
                new OffsetAnswer(ref(0, false), ErrorCode.NONE, 100, 5, 4),
                new OffsetAnswer(ref(1, false), ErrorCode.NONE, -1, -1, -1),
                new OffsetAnswer(ref(2, false), ErrorCode.OFFSET_NOT_AVAILABLE, -1, -1, -1),
                new OffsetAnswer(ref(3, false), ErrorCode.FENCED_LEADER_EPOCH, -1, -1, -1)));
        ListOffsetsRequestData.ListOffsetsTopic asked = new ListOffsetsRequestData.ListOffsetsTopic().setName("t");
        for (int partition = 0; partition < 4; partition++) {
            asked.partitions()
                    .add(new ListOffsetsRequestData.ListOffsetsPartition()
                            .setPartitionIndex(partition)
                            .setTimestamp(50));
        }
        ListOffsetsResponseData answer = (ListOffsetsResponseData) read(
                ApiKeys.LIST_OFFSETS,
                version,
                new ListOffsetsRequestData().setReplicaId(-1).setTopics(List.of(asked)),
                listed);

        assertThat(answer.topics()).hasSize(1);
        assertThat(answer.topics().get(0).name()).isEqualTo("t");
        assertThat(answer.topics().get(0).partitions())
                .extracting(p -> p.partitionIndex() + ": error " + p.errorCode() + ", offset " + p.offset() + " at "
                        + p.timestamp() + " in " + p.leaderEpoch())
                .containsExactly(
                        "0: error 0, offset 5 at 100 in " + (epoch ? 4 : -1),
                        "1: error 0, offset -1 at -1 in -1",
                        "2: error " + notYet + ", offset -1 at -1 in -1",
                        "3: error 74, offset -1 at -1 in -1");
    }

    private static PartitionRef ref(int partition, boolean byId) {
        return byId ? PartitionRef.byId(Samples.TOPIC_ID, partition) : PartitionRef.byName("t", partition);
    }

    private static FetchedItem refused(PartitionRef partition, ErrorCode error, int leader, int leaderEpoch) {
        return new FetchedItem(partition, error, -1, -1, null, leader, leaderEpoch, RecordBytes.EMPTY);
    }

    /** The answer as a client reads it that asked in this version. */
    private static ApiMessage read(ApiKeys api, short version, ApiMessage request, Object answer) throws Exception {
        RequestCodec codec = new RequestCodec(FACTS);
        RequestCodec.Decoded decoded = codec.decode(Filler.frame(api, version, request, 42), Listener.BROKER);
        ByteBuffer frame = Samples.bytes(codec.encode(decoded.exchange(), answer));
        return AbstractResponse.parseResponse(frame, new RequestHeader(api, version, "a-client", 42))
                .data();
    }
}
