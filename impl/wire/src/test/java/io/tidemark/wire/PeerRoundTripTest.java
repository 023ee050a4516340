package io.tidemark.wire;

import static io.tidemark.wire.Samples.DIRECTORY;
import static io.tidemark.wire.Samples.END;
import static io.tidemark.wire.Samples.ENDPOINTS;
import static io.tidemark.wire.Samples.KEY;
import static io.tidemark.wire.Samples.TOPIC_ID;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.core.ErrorCode;
import io.tidemark.core.controller.ControllerRequest;
import io.tidemark.core.controller.ControllerRequest.ConfigOp;
import io.tidemark.core.controller.ControllerResponse;
import io.tidemark.core.controller.ControllerResponse.AlteredConfigs.ConfigResult;
import io.tidemark.core.controller.ControllerResponse.CreatedPartitions.GrowthResult;
import io.tidemark.core.controller.ControllerResponse.CreatedTopics.CreatedTopic;
import io.tidemark.core.controller.ControllerResponse.DeletedTopics.DeletedTopic;
import io.tidemark.core.controller.ControllerResponse.ElectedLeaders.ElectionResult;
import io.tidemark.core.controller.ControllerResponse.UpdatedFeatures.FeatureResult;
import io.tidemark.core.log.RecordBytes;
import io.tidemark.core.message.ClientRequest;
import io.tidemark.core.message.ClientResponse;
import io.tidemark.core.message.PartitionRef;
import io.tidemark.core.metadata.LeaderRecovery;
import io.tidemark.core.partition.AlterPartitionAnswer;
import io.tidemark.core.partition.AlterPartitionAsked;
import io.tidemark.core.quorum.QuorumMessage;
import io.tidemark.core.quorum.ReplicaKey;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import org.apache.kafka.common.protocol.ApiKeys;
import org.junit.jupiter.api.Test;

/** What one node sends is what the other understands, and the same for the answer: nothing is lost between them. */
class PeerRoundTripTest {
    private final PeerCodec peer = new PeerCodec("node-1", Samples.LISTENER);
    private final RequestCodec server = new RequestCodec(Samples.FACTS);

    /** As a listener of the kind that the sender had in mind receives it: in the version that nodes use. */
    private RequestCodec.Decoded received(PeerCodec.Call call, Listener expected) throws MalformedFrameException {
        assertThat(call.listener()).isEqualTo(expected);
        RequestCodec.Decoded decoded = server.decode(Samples.bytes(call.frame()), expected);
        assertThat(decoded.header().apiVersion())
                .isEqualTo(PeerVersions.of(ApiKeys.forId(decoded.header().apiKey())));
        return decoded;
    }

    private void quorum(QuorumMessage.Request request, QuorumMessage.Response... answers) throws Exception {
        for (QuorumMessage.Response answer : answers) {
            PeerCodec.Call call = peer.encode(request, 17);
            RequestCodec.Decoded decoded = received(call, Listener.CONTROLLER);
            assertThat(decoded.body()).isEqualTo(new Body.Quorum(request));
            assertThat(decoded.header().correlationId()).isEqualTo(17);
            assertThat(decoded.header().clientId()).isEqualTo("node-1");
            assertThat(call.decode(Samples.bytes(server.encode(decoded.exchange(), answer))))
                    .isEqualTo(answer);
        }
    }

    private void controller(ControllerRequest request, ControllerResponse... answers) throws Exception {
        for (ControllerResponse answer : answers) {
            PeerCodec.Call call = peer.encode(request, 18);
            RequestCodec.Decoded decoded = received(call, Listener.CONTROLLER);
            assertThat(decoded.body()).isEqualTo(new Body.Controller(request));
            assertThat(call.decode(Samples.bytes(server.encode(decoded.exchange(), answer))))
                    .isEqualTo(answer);
        }
    }

    @Test
    void votes() throws Exception {
        for (boolean preVote : new boolean[] {true, false}) {
            for (ErrorCode error : Samples.someErrors()) {
                quorum(
                        new QuorumMessage.Vote("cluster", 5, new ReplicaKey(1, new UUID(1, 2)), KEY, END, preVote),
                        new QuorumMessage.VoteResult(error, 6, 3, ENDPOINTS, false, preVote),
                        new QuorumMessage.VoteResult(error, 5, -1, List.of(), true, preVote));
            }
        }
    }

    @Test
    void quorumEpochs() throws Exception {
        for (ErrorCode error : Samples.someErrors()) {
            quorum(
                    new QuorumMessage.BeginQuorumEpoch("cluster", 5, 1, KEY, ENDPOINTS),
                    new QuorumMessage.BeginQuorumEpochResult(error, 5, 1, ENDPOINTS),
                    new QuorumMessage.BeginQuorumEpochResult(error, 7, -1, List.of()));
            quorum(
                    new QuorumMessage.EndQuorumEpoch("cluster", 5, 1, List.of(KEY), ENDPOINTS),
                    new QuorumMessage.EndQuorumEpochResult(error, 5, 1, ENDPOINTS));
        }
    }

    @Test
    void metadataFetches() throws Exception {
        RecordBytes records = Samples.records("a", "b");
        for (long hw : new long[] {-1, 0, 40}) {
            quorum(
                    new QuorumMessage.MetadataFetch("cluster", KEY, 5, 40, 3, hw, 500),
                    new QuorumMessage.MetadataFetchResult(ErrorCode.NONE, 5, 1, ENDPOINTS, 39, 0, null, null, records),
                    new QuorumMessage.MetadataFetchResult(
                            ErrorCode.NONE, 5, 1, List.of(), 39, 0, END, null, RecordBytes.EMPTY),
                    new QuorumMessage.MetadataFetchResult(
                            ErrorCode.NONE, 5, 1, List.of(), 39, 30, null, END, RecordBytes.EMPTY),
                    new QuorumMessage.MetadataFetchResult(
                            ErrorCode.FENCED_LEADER_EPOCH, 6, -1, List.of(), -1, -1, null, null, RecordBytes.EMPTY),
                    new QuorumMessage.MetadataFetchResult(
                            ErrorCode.INCONSISTENT_CLUSTER_ID, 6, 3, List.of(), -1, -1, null, null, RecordBytes.EMPTY));
        }
    }

    @Test
    void fetchedRecordsAreSlicesOfTheFrame() throws Exception {
        PeerCodec.Call call = peer.encode(new QuorumMessage.MetadataFetch("c", KEY, 5, 0, 0, -1, 500), 1);
        RequestCodec.Decoded decoded = received(call, Listener.CONTROLLER);
        Frame answer = server.encode(
                decoded.exchange(),
                new QuorumMessage.MetadataFetchResult(
                        ErrorCode.NONE, 5, 1, List.of(), 0, 0, null, null, Samples.records("here")));
        ByteBuffer frame = Samples.bytes(answer);
        QuorumMessage.MetadataFetchResult result = (QuorumMessage.MetadataFetchResult) call.decode(frame);
        assertThat(((RecordBytes) result.records()).buffer().array()).isSameAs(frame.array());
    }

    @Test
    void brokerLifeCycle() throws Exception {
        ControllerResponse.Refused refused = new ControllerResponse.Refused(ErrorCode.NOT_CONTROLLER, null);
        for (String rack : new String[] {null, "r1"}) {
            controller(
                    new ControllerRequest.RegisterBroker(
                            1, "cluster", new UUID(5, 6), ENDPOINTS, Samples.features(), rack, List.of(DIRECTORY), 41),
                    new ControllerResponse.RegisteredBroker(99),
                    refused);
        }
        controller(
                new ControllerRequest.BrokerHeartbeat(1, 99, 1234, true, false),
                new ControllerResponse.Heartbeat(true, false, true),
                new ControllerResponse.Heartbeat(false, true, false),
                refused);
        controller(
                new ControllerRequest.AllocateProducerIds(1, 99),
                new ControllerResponse.ProducerIdBlock(4000, 1000),
                refused);
        controller(
                new ControllerRequest.RegisterController(1, new UUID(5, 6), ENDPOINTS, Samples.features()),
                new ControllerResponse.RegisteredController(),
                new ControllerResponse.Refused(ErrorCode.UNSUPPORTED_VERSION, "why"));
    }

    @Test
    void isrChanges() throws Exception {
        AlterPartitionAsked asked = new AlterPartitionAsked(
                4,
                9,
                List.of(new AlterPartitionAsked.Member(1, 99), new AlterPartitionAsked.Member(2, -1)),
                LeaderRecovery.RECOVERING);
        AlterPartitionAsked other = new AlterPartitionAsked(5, 1, List.of(), LeaderRecovery.RECOVERED);
        controller(
                new ControllerRequest.AlterPartition(
                        1,
                        99,
                        List.of(
                                new ControllerRequest.AlterPartition.PartitionItem(TOPIC_ID, 0, asked),
                                new ControllerRequest.AlterPartition.PartitionItem(TOPIC_ID, 1, other))),
                new ControllerResponse.AlteredPartitions(List.of(
                        new ControllerResponse.AlteredPartitions.PartitionAnswer(
                                TOPIC_ID,
                                0,
                                new AlterPartitionAnswer(
                                        ErrorCode.NONE, 1, 4, 10, List.of(1, 2), LeaderRecovery.RECOVERED)),
                        new ControllerResponse.AlteredPartitions.PartitionAnswer(
                                TOPIC_ID, 1, AlterPartitionAnswer.failed(ErrorCode.INELIGIBLE_REPLICA)))),
                new ControllerResponse.Refused(ErrorCode.STALE_BROKER_EPOCH, null));
    }

    @Test
    void forwardedTopicChanges() throws Exception {
        SortedMap<Integer, List<Integer>> assignments = new TreeMap<>();
        assignments.put(0, List.of(1, 2));
        assignments.put(1, List.of(2, 3));
        SortedMap<String, String> configs = new TreeMap<>();
        configs.put("retention.ms", "5");
        configs.put("unset", null);
        controller(
                new ControllerRequest.CreateTopics(
                        List.of(
                                new ControllerRequest.NewTopic("a", -1, (short) -1, assignments, configs),
                                new ControllerRequest.NewTopic("b", 3, (short) 2, null, new TreeMap<>())),
                        true,
                        List.of(),
                        0),
                new ControllerResponse.CreatedTopics(List.of(
                        new CreatedTopic("a", TOPIC_ID, ErrorCode.NONE, null, 2, (short) 2, new TreeMap<>(configs)),
                        new CreatedTopic(
                                "b",
                                PartitionRef.NO_ID,
                                ErrorCode.TOPIC_ALREADY_EXISTS,
                                "it does",
                                -1,
                                (short) -1,
                                new TreeMap<>()))));
        controller(
                new ControllerRequest.DeleteTopics(List.of(
                        new ControllerRequest.DeleteTopics.TopicSelector("a", null),
                        new ControllerRequest.DeleteTopics.TopicSelector(null, TOPIC_ID))),
                new ControllerResponse.DeletedTopics(List.of(
                        new DeletedTopic("a", TOPIC_ID, ErrorCode.NONE, null),
                        new DeletedTopic(null, TOPIC_ID, ErrorCode.UNKNOWN_TOPIC_ID, "gone"))));
        controller(
                new ControllerRequest.CreatePartitions(
                        List.of(
                                new ControllerRequest.CreatePartitions.Growth("a", 4, null),
                                new ControllerRequest.CreatePartitions.Growth(
                                        "b", 5, List.of(List.of(1, 2), List.of(2, 1)))),
                        false,
                        0),
                new ControllerResponse.CreatedPartitions(List.of(
                        new GrowthResult("a", ErrorCode.NONE, null),
                        new GrowthResult("b", ErrorCode.INVALID_PARTITIONS, "no"))));
    }

    @Test
    void forwardedConfigsFeaturesAndElections() throws Exception {
        controller(
                new ControllerRequest.AlterConfigs(
                        List.of(new ControllerRequest.ConfigChange(
                                (byte) 2,
                                "a",
                                List.of(
                                        new ConfigOp("k", ConfigOp.Op.SET, "v"),
                                        new ConfigOp("l", ConfigOp.Op.DELETE, null),
                                        new ConfigOp("m", ConfigOp.Op.APPEND, "w"),
                                        new ConfigOp("n", ConfigOp.Op.SUBTRACT, "x")))),
                        true),
                new ControllerResponse.AlteredConfigs(
                        List.of(new ConfigResult((byte) 2, "a", ErrorCode.INVALID_CONFIG, "bad"))));
        controller(
                new ControllerRequest.UpdateFeatures(
                        List.of(
                                new ControllerRequest.UpdateFeatures.FeatureUpdate("x", (short) 3, true),
                                new ControllerRequest.UpdateFeatures.FeatureUpdate("y", (short) 0, false)),
                        true),
                new ControllerResponse.UpdatedFeatures(List.of(
                        new FeatureResult("x", ErrorCode.INVALID_UPDATE_VERSION, "no"),
                        new FeatureResult("y", ErrorCode.NONE, null))),
                new ControllerResponse.Refused(ErrorCode.INVALID_REQUEST, "all of it"));
        ControllerResponse.ElectedLeaders elected = new ControllerResponse.ElectedLeaders(List.of(
                new ElectionResult("a", 0, ErrorCode.NONE, null),
                new ElectionResult("a", 1, ErrorCode.ELECTION_NOT_NEEDED, "m")));
        controller(new ControllerRequest.ElectLeaders(true, null), elected);
        controller(
                new ControllerRequest.ElectLeaders(
                        false,
                        List.of(
                                new ControllerRequest.TopicAndPartition("a", 0),
                                new ControllerRequest.TopicAndPartition("a", 1))),
                elected);
    }

    @Test
    void aForwardedRequestThatIsRefusedComesBackRefused() throws Exception {
        controller(
                new ControllerRequest.DeleteTopics(List.of()),
                new ControllerResponse.Refused(ErrorCode.NOT_CONTROLLER, null));
        PeerCodec.Call call = peer.encode(
                new ControllerRequest.DeleteTopics(
                        List.of(new ControllerRequest.DeleteTopics.TopicSelector("a", null))),
                3);
        RequestCodec.Decoded decoded = received(call, Listener.CONTROLLER);
        assertThat(call.decode(Samples.bytes(server.encode(
                        decoded.exchange(), new ControllerResponse.Refused(ErrorCode.REQUEST_TIMED_OUT, "late")))))
                .isEqualTo(new ControllerResponse.DeletedTopics(
                        List.of(new DeletedTopic("a", PartitionRef.NO_ID, ErrorCode.REQUEST_TIMED_OUT, "late"))));
    }

    @Test
    void replicaFetches() throws Exception {
        ClientRequest.Fetch fetch = new ClientRequest.Fetch(
                2,
                99,
                500,
                1,
                1000,
                List.of(
                        new ClientRequest.Fetch.FetchItem(PartitionRef.byId(TOPIC_ID, 0), 4, 100, 3, 7, 500),
                        new ClientRequest.Fetch.FetchItem(PartitionRef.byId(TOPIC_ID, 1), 5, 0, -1, 0, 500),
                        new ClientRequest.Fetch.FetchItem(PartitionRef.byId(DIRECTORY, 1), 5, 0, -1, 0, 500)));
        PeerCodec.Call call = peer.encode(fetch, 4);
        RequestCodec.Decoded decoded = received(call, Listener.BROKER);
        assertThat(decoded.body()).isEqualTo(new Body.Client(fetch));
        ClientResponse.Fetched fetched = new ClientResponse.Fetched(
                ErrorCode.NONE,
                List.of(
                        new ClientResponse.Fetched.FetchedItem(
                                PartitionRef.byId(TOPIC_ID, 0),
                                ErrorCode.NONE,
                                90,
                                7,
                                null,
                                -1,
                                -1,
                                Samples.records("x")),
                        new ClientResponse.Fetched.FetchedItem(
                                PartitionRef.byId(TOPIC_ID, 1),
                                ErrorCode.FENCED_LEADER_EPOCH,
                                -1,
                                -1,
                                null,
                                3,
                                6,
                                RecordBytes.EMPTY),
                        new ClientResponse.Fetched.FetchedItem(
                                PartitionRef.byId(DIRECTORY, 1),
                                ErrorCode.NONE,
                                90,
                                7,
                                END,
                                -1,
                                -1,
                                RecordBytes.EMPTY)));
        assertThat(call.decode(Samples.bytes(server.encode(decoded.exchange(), fetched))))
                .isEqualTo(fetched);
    }

    @Test
    void describesTheQuorum() throws Exception {
        PeerCodec.Call call = peer.encode(new ClientRequest.DescribeQuorum(), 4);
        RequestCodec.Decoded decoded = received(call, Listener.CONTROLLER);
        assertThat(decoded.body()).isEqualTo(new Body.Client(new ClientRequest.DescribeQuorum()));
        ClientResponse.Quorum quorum = new ClientResponse.Quorum(
                ErrorCode.NONE,
                1,
                5,
                100,
                List.of(new ClientResponse.Quorum.Replica(KEY, 100, 5, 6, ENDPOINTS)),
                List.of(new ClientResponse.Quorum.Replica(new ReplicaKey(9, DIRECTORY), 90, -1, -1, List.of())));
        assertThat(call.decode(Samples.bytes(server.encode(decoded.exchange(), quorum))))
                .isEqualTo(quorum);
    }

    @Test
    void anAnswerToAnotherRequestIsRefused() throws Exception {
        PeerCodec.Call asked = peer.encode(new ControllerRequest.BrokerHeartbeat(1, 2, 3, false, false), 5);
        PeerCodec.Call waits = peer.encode(new ControllerRequest.BrokerHeartbeat(1, 2, 3, false, false), 6);
        Frame answer = server.encode(
                received(asked, Listener.CONTROLLER).exchange(), new ControllerResponse.Heartbeat(true, true, true));
        assertThatThrownBy(() -> waits.decode(Samples.bytes(answer)))
                .isInstanceOf(MalformedFrameException.class)
                .hasMessageContaining("request 5 where 6 was due");
    }
}
