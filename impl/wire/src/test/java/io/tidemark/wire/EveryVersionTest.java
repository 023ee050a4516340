package io.tidemark.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.core.ErrorCode;
import io.tidemark.core.controller.ControllerRequest;
import io.tidemark.core.controller.ControllerResponse;
import io.tidemark.core.log.ProducerEntry;
import io.tidemark.core.log.RecordBytes;
import io.tidemark.core.message.ClientRequest;
import io.tidemark.core.message.ClientResponse;
import io.tidemark.core.message.PartitionRef;
import io.tidemark.core.metadata.LeaderRecovery;
import io.tidemark.core.partition.AlterPartitionAnswer;
import io.tidemark.core.quorum.QuorumMessage;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.BeginQuorumEpochRequestData;
import org.apache.kafka.common.message.DescribeQuorumRequestData;
import org.apache.kafka.common.message.EndQuorumEpochRequestData;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.message.InitProducerIdRequestData;
import org.apache.kafka.common.message.ListConfigResourcesRequestData;
import org.apache.kafka.common.message.ListOffsetsRequestData;
import org.apache.kafka.common.message.VoteRequestData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.requests.AbstractResponse;
import org.apache.kafka.common.requests.RequestHeader;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Every API in every version that is advertised: Kafka's client writes, we understand; we answer, Kafka's client reads. */
class EveryVersionTest {
    private final RequestCodec codec = new RequestCodec(Samples.FACTS);

    @TestFactory
    Stream<DynamicTest> kafkasClientIsUnderstoodAndUnderstands() {
        List<DynamicTest> tests = new ArrayList<>();
        for (Listener listener : Listener.values()) {
            ApiCatalog.served(listener).forEach((key, range) -> {
                for (short version = range.min(); version <= range.max(); version++) {
                    short v = version;
                    ApiKeys api = ApiKeys.forId(key);
                    if (api != ApiKeys.ENVELOPE) {
                        tests.add(DynamicTest.dynamicTest(
                                listener + " " + api + " v" + v, () -> roundTrip(listener, api, v)));
                    }
                }
            });
        }
        return tests.stream();
    }

    private void roundTrip(Listener listener, ApiKeys api, short version) throws Exception {
        ApiMessage request = Filler.request(api, version);
        makeSensible(request, listener);
        RequestCodec.Decoded decoded = codec.decode(Filler.frame(api, version, request, 42), listener);
        assertThat(decoded.header()).isEqualTo(new RequestCodec.Header(api.id, version, 42, "a-client"));
        for (Object answer : answers(decoded.body(), listener)) {
            ByteBuffer frame = Samples.bytes(codec.encode(decoded.exchange(), answer));
            AbstractResponse response =
                    AbstractResponse.parseResponse(frame, new RequestHeader(api, version, "a-client", 42));
            assertThat(frame.remaining()).isZero();
            assertThat(response.data().apiKey()).isEqualTo(api.id);
            assertThat(response.errorCounts()).isNotNull();
        }
    }

    /** Where a field that is filled would make the request one that is refused at once. */
    private static void makeSensible(ApiMessage request, Listener listener) {
        if (request instanceof FetchRequestData fetch) {
            fetch.setSessionId(0).setSessionEpoch(0);
            if (listener == Listener.CONTROLLER) {
                fetch.topics()
                        .get(0)
                        .setTopic(Ids.METADATA_TOPIC)
                        .setTopicId(Ids.METADATA_TOPIC_ID)
                        .partitions()
                        .get(0)
                        .setPartition(0);
            }
        } else if (request instanceof VoteRequestData vote) {
            vote.topics().get(0).setTopicName(Ids.METADATA_TOPIC);
        } else if (request instanceof BeginQuorumEpochRequestData begin) {
            begin.topics().get(0).setTopicName(Ids.METADATA_TOPIC);
        } else if (request instanceof EndQuorumEpochRequestData end) {
            end.topics().get(0).setTopicName(Ids.METADATA_TOPIC);
        } else if (request instanceof DescribeQuorumRequestData quorum) {
            quorum.topics()
                    .get(0)
                    .setTopicName(Ids.METADATA_TOPIC)
                    .partitions()
                    .get(0)
                    .setPartitionIndex(0);
        } else if (request instanceof InitProducerIdRequestData init) {
            init.setTransactionalId(null);
        }
    }

    private static List<Object> answers(Body body, Listener listener) {
        if (body instanceof Body.Quorum quorum) {
            return quorum(quorum.request());
        } else if (body instanceof Body.Controller controller) {
            return controller(controller.request());
        } else if (body instanceof Body.Derived derived) {
            return controller(derived.request().apply(new Cluster().state));
        } else if (body instanceof Body.Question question) {
            return List.of(question.question().answer(new Cluster().state, Cluster.context(listener)));
        } else if (body instanceof Body.Client client && client.request() instanceof ClientRequest.Admin admin) {
            List<Object> answers = new ArrayList<>();
            controller(admin.request())
                    .forEach(a -> answers.add(new ClientResponse.Administered((ControllerResponse) a)));
            return answers;
        } else if (body instanceof Body.Client client) {
            return client(client.request());
        }
        throw new AssertionError("refused at once: " + body);
    }

    private static List<Object> quorum(QuorumMessage.Request request) {
        List<Object> answers = new ArrayList<>();
        for (ErrorCode error : Samples.someErrors()) {
            if (request instanceof QuorumMessage.Vote) {
                answers.add(new QuorumMessage.VoteResult(error, 4, 1, Samples.ENDPOINTS, true, false));
            } else if (request instanceof QuorumMessage.BeginQuorumEpoch) {
                answers.add(new QuorumMessage.BeginQuorumEpochResult(error, 4, 1, Samples.ENDPOINTS));
            } else if (request instanceof QuorumMessage.EndQuorumEpoch) {
                answers.add(new QuorumMessage.EndQuorumEpochResult(error, 4, 1, Samples.ENDPOINTS));
            } else {
                answers.add(new QuorumMessage.MetadataFetchResult(
                        error, 4, 1, Samples.ENDPOINTS, 5, 0, Samples.END, Samples.END, Samples.records("x")));
            }
        }
        return answers;
    }

    private static List<Object> controller(ControllerRequest request) {
        List<Object> answers = new ArrayList<>();
        answers.add(new ControllerResponse.Refused(ErrorCode.NOT_CONTROLLER, "not me"));
        ErrorCode error = ErrorCode.INVALID_REQUEST;
        if (request instanceof ControllerRequest.RegisterBroker) {
            answers.add(new ControllerResponse.RegisteredBroker(5));
        } else if (request instanceof ControllerRequest.BrokerHeartbeat) {
            answers.add(new ControllerResponse.Heartbeat(true, true, true));
        } else if (request instanceof ControllerRequest.AlterPartition) {
            answers.add(new ControllerResponse.AlteredPartitions(
                    List.of(new ControllerResponse.AlteredPartitions.PartitionAnswer(
                            Samples.TOPIC_ID,
                            1,
                            new AlterPartitionAnswer(
                                    ErrorCode.NONE, 1, 2, 3, List.of(1), LeaderRecovery.RECOVERING)))));
        } else if (request instanceof ControllerRequest.AllocateProducerIds) {
            answers.add(new ControllerResponse.ProducerIdBlock(4000, 1000));
        } else if (request instanceof ControllerRequest.RegisterController) {
            answers.add(new ControllerResponse.RegisteredController());
        } else if (request instanceof ControllerRequest.CreateTopics) {
            TreeMap<String, String> configs = new TreeMap<>();
            configs.put("k", "v");
            answers.add(new ControllerResponse.CreatedTopics(List.of(
                    new ControllerResponse.CreatedTopics.CreatedTopic(
                            "x", Samples.TOPIC_ID, ErrorCode.NONE, null, 3, (short) 2, configs),
                    new ControllerResponse.CreatedTopics.CreatedTopic(
                            "y", PartitionRef.NO_ID, error, "m", -1, (short) -1, new TreeMap<>()))));
        } else if (request instanceof ControllerRequest.DeleteTopics) {
            answers.add(new ControllerResponse.DeletedTopics(
                    List.of(new ControllerResponse.DeletedTopics.DeletedTopic("x", Samples.TOPIC_ID, error, "m"))));
        } else if (request instanceof ControllerRequest.CreatePartitions) {
            answers.add(new ControllerResponse.CreatedPartitions(
                    List.of(new ControllerResponse.CreatedPartitions.GrowthResult("x", error, "m"))));
        } else if (request instanceof ControllerRequest.AlterConfigs) {
            answers.add(new ControllerResponse.AlteredConfigs(
                    List.of(new ControllerResponse.AlteredConfigs.ConfigResult((byte) 2, "x", error, "m"))));
        } else if (request instanceof ControllerRequest.UpdateFeatures) {
            answers.add(new ControllerResponse.UpdatedFeatures(
                    List.of(new ControllerResponse.UpdatedFeatures.FeatureResult("x", error, "m"))));
        } else if (request instanceof ControllerRequest.ElectLeaders) {
            answers.add(new ControllerResponse.ElectedLeaders(
                    List.of(new ControllerResponse.ElectedLeaders.ElectionResult("x", 1, error, "m"))));
        } else {
            throw new AssertionError("no answer to " + request);
        }
        return answers;
    }

    private static List<Object> client(ClientRequest request) {
        List<Object> answers = new ArrayList<>();
        for (ErrorCode error : List.of(ErrorCode.NONE, ErrorCode.NOT_LEADER_OR_FOLLOWER)) {
            if (request instanceof ClientRequest.Produce produce) {
                answers.add(new ClientResponse.Produced(produce.items().stream()
                        .map(i -> new ClientResponse.Produced.ProducedItem(i.partition(), error, "m", 5, 0, 3, 4))
                        .toList()));
            } else if (request instanceof ClientRequest.Fetch fetch) {
                answers.add(new ClientResponse.Fetched(
                        ErrorCode.NONE,
                        fetch.items().stream()
                                .map(i -> new ClientResponse.Fetched.FetchedItem(
                                        i.partition(), error, 5, 0, Samples.END, 3, 4, Samples.records("r")))
                                .toList()));
            } else if (request instanceof ClientRequest.ListOffsets list) {
                answers.add(new ClientResponse.ListedOffsets(list.items().stream()
                        .map(i -> new ClientResponse.ListedOffsets.OffsetAnswer(i.partition(), error, 4, 5, 6))
                        .toList()));
            } else if (request instanceof ClientRequest.OffsetForLeaderEpoch ask) {
                answers.add(new ClientResponse.EpochEnds(ask.items().stream()
                        .map(i -> new ClientResponse.EpochEnds.EpochEnd(i.partition(), error, 4, 5))
                        .toList()));
            } else if (request instanceof ClientRequest.InitProducerId) {
                answers.add(new ClientResponse.ProducerId(error, 4000, (short) 0));
            } else if (request instanceof ClientRequest.DescribeProducers ask) {
                ProducerEntry entry =
                        new ProducerEntry(1, (short) 2, 3, List.of(new ProducerEntry.Batch(0, 4, 10, 14, 3)));
                answers.add(new ClientResponse.Producers(ask.partitions().stream()
                        .map(p -> new ClientResponse.Producers.ProducersItem(p, error, List.of(entry)))
                        .toList()));
            } else if (request instanceof ClientRequest.DescribeQuorum) {
                answers.add(new ClientResponse.Quorum(
                        error,
                        1,
                        2,
                        3,
                        List.of(new ClientResponse.Quorum.Replica(Samples.KEY, 1, 2, 3, Samples.ENDPOINTS)),
                        List.of()));
            } else {
                throw new AssertionError("no answer to " + request);
            }
        }
        return answers;
    }

    @Test
    void whatIsServedIsWhatWasAgreed() {
        Set<String> broker = new TreeSet<>();
        ApiCatalog.served(Listener.BROKER)
                .forEach((key, r) -> broker.add(ApiKeys.forId(key) + " " + r.min() + "-" + r.max()));
        assertThat(broker)
                .contains("PRODUCE 3-13", "FETCH 4-18", "LIST_OFFSETS 1-11", "METADATA 0-13", "INIT_PRODUCER_ID 0-5")
                .noneMatch(api -> api.startsWith("LIST_PARTITION_REASSIGNMENTS") || api.startsWith("FIND_COORDINATOR"));
        assertThat(ApiCatalog.served(Listener.CONTROLLER).keySet())
                .contains(ApiKeys.VOTE.id, ApiKeys.ENVELOPE.id, ApiKeys.DESCRIBE_CLUSTER.id)
                .doesNotContain(ApiKeys.PRODUCE.id, ApiKeys.METADATA.id);
    }

    @Test
    void anUnknownVersionOfApiVersionsIsAnsweredInVersion0() throws Exception {
        ByteBuffer frame =
                Filler.frame(ApiKeys.API_VERSIONS, (short) 4, Filler.request(ApiKeys.API_VERSIONS, (short) 4), 9);
        frame.putShort(2, (short) 127);
        RequestCodec.Decoded decoded = codec.decode(frame, Listener.BROKER);
        ByteBuffer answer = Samples.bytes(codec.encode(decoded.exchange(), ((Body.Immediate) decoded.body()).answer()));
        AbstractResponse response = AbstractResponse.parseResponse(
                answer, new RequestHeader(ApiKeys.API_VERSIONS, (short) 0, "a-client", 9));
        assertThat(response.data())
                .isInstanceOfSatisfying(org.apache.kafka.common.message.ApiVersionsResponseData.class, versions -> {
                    assertThat(versions.errorCode()).isEqualTo((short) 35);
                    assertThat(versions.apiKeys()).hasSizeGreaterThan(15);
                });
    }

    @Test
    void whatIsNotServedClosesTheConnectionAndIsNamed() {
        ByteBuffer frame = Filler.frame(
                ApiKeys.FIND_COORDINATOR, (short) 4, Filler.request(ApiKeys.FIND_COORDINATOR, (short) 4), 9);
        assertThatThrownBy(() -> codec.decode(frame, Listener.BROKER))
                .isInstanceOfSatisfying(
                        MalformedFrameException.class,
                        e -> assertThat(e.notServed()).isTrue())
                .hasMessage("FindCoordinator version 4 is not served on a broker listener");
    }

    @Test
    void aTransactionalIdEndsTheProducer() throws Exception {
        ByteBuffer frame = Filler.frame(
                ApiKeys.INIT_PRODUCER_ID,
                (short) 5,
                new InitProducerIdRequestData().setTransactionalId("t").setTransactionTimeoutMs(5),
                9);
        assertThat(codec.decode(frame, Listener.BROKER).body()).isInstanceOfSatisfying(Body.Immediate.class, now -> {
            assertThat(now.answer().toString()).contains("errorCode=35");
        });
    }

    @Test
    void aFetchSessionIsDeclined() throws Exception {
        FetchRequestData first = new FetchRequestData().setSessionId(0).setSessionEpoch(0);
        assertThat(codec.decode(Filler.frame(ApiKeys.FETCH, (short) 12, first, 1), Listener.BROKER)
                        .body())
                .isInstanceOf(Body.Client.class);
        FetchRequestData next = new FetchRequestData().setSessionId(5).setSessionEpoch(1);
        assertThat(codec.decode(Filler.frame(ApiKeys.FETCH, (short) 12, next, 1), Listener.BROKER)
                        .body()
                        .toString())
                .contains("errorCode=70");
    }

    @Test
    void aPartitionNamedTwiceIsAnsweredInItsPlace() throws Exception {
        ListOffsetsRequestData request = new ListOffsetsRequestData()
                .setReplicaId(-1)
                .setTopics(List.of(new ListOffsetsRequestData.ListOffsetsTopic()
                        .setName("t")
                        .setPartitions(List.of(asked(0, -1), asked(1, -1), asked(0, -2), asked(2, -7)))));
        RequestCodec.Decoded decoded =
                codec.decode(Filler.frame(ApiKeys.LIST_OFFSETS, (short) 9, request, 1), Listener.BROKER);
        ClientRequest.ListOffsets list = (ClientRequest.ListOffsets) ((Body.Client) decoded.body()).request();
        assertThat(list.items()).extracting(i -> i.partition().partition()).containsExactly(1);
        ByteBuffer answer = Samples.bytes(codec.encode(
                decoded.exchange(),
                new ClientResponse.ListedOffsets(List.of(new ClientResponse.ListedOffsets.OffsetAnswer(
                        list.items().get(0).partition(), ErrorCode.NONE, -1, 77, 2)))));
        assertThat(AbstractResponse.parseResponse(
                                answer, new RequestHeader(ApiKeys.LIST_OFFSETS, (short) 9, "a-client", 1))
                        .toString())
                .contains("partitionIndex=0, errorCode=42", "offset=77", "partitionIndex=2, errorCode=35");
    }

    private static ListOffsetsRequestData.ListOffsetsPartition asked(int partition, long timestamp) {
        return new ListOffsetsRequestData.ListOffsetsPartition()
                .setPartitionIndex(partition)
                .setTimestamp(timestamp);
    }

    @Test
    void acks0ExpectsNoAnswerAndOtherAcksAreRefused() throws Exception {
        for (short acks : new short[] {0, 5}) {
            var request =
                    (org.apache.kafka.common.message.ProduceRequestData) Filler.request(ApiKeys.PRODUCE, (short) 9);
            request.setAcks(acks);
            RequestCodec.Decoded decoded =
                    codec.decode(Filler.frame(ApiKeys.PRODUCE, (short) 9, request, 1), Listener.BROKER);
            assertThat(decoded.exchange().expectsAnswer()).isEqualTo(acks != 0);
            assertThat(decoded.body() instanceof Body.Immediate).isEqualTo(acks == 5);
        }
    }

    @Test
    void producedRecordsAreSlicesOfTheFrameAndNotKeptForTheAnswer() throws Exception {
        ByteBuffer frame = Filler.frame(ApiKeys.PRODUCE, (short) 13, Filler.request(ApiKeys.PRODUCE, (short) 13), 1);
        RequestCodec.Decoded decoded = codec.decode(frame, Listener.BROKER);
        ClientRequest.Produce.ProduceItem item = ((ClientRequest.Produce) ((Body.Client) decoded.body()).request())
                .items()
                .get(0);
        assertThat(item.error()).isEqualTo(ErrorCode.NONE);
        assertThat(((RecordBytes) item.records()).buffer().array()).isSameAs(frame.array());
        assertThat(item.partition()).isEqualTo(PartitionRef.byId(Ids.java(new Uuid(3, 4)), 1));
    }

    @Test
    void version0OfListConfigResourcesListsNone() throws Exception {
        RequestCodec.Decoded decoded = codec.decode(
                Filler.frame(ApiKeys.LIST_CONFIG_RESOURCES, (short) 0, new ListConfigResourcesRequestData(), 1),
                Listener.BROKER);
        assertThat(((Body.Question) decoded.body())
                        .question()
                        .answer(new Cluster().state, Cluster.context(Listener.BROKER))
                        .toString())
                .contains("configResources=[]");
    }
}
