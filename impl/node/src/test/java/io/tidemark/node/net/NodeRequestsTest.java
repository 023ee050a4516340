package io.tidemark.node.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.tidemark.core.ErrorCode;
import io.tidemark.core.broker.BrokerState;
import io.tidemark.core.controller.ControllerRequest;
import io.tidemark.core.controller.ControllerResponse;
import io.tidemark.core.message.ClientRequest;
import io.tidemark.core.message.ClientResponse;
import io.tidemark.core.message.PartitionRef;
import io.tidemark.core.metadata.MetadataRecord;
import io.tidemark.core.metadata.MetadataState;
import io.tidemark.core.metadata.MetadataView;
import io.tidemark.core.quorum.QuorumMessage;
import io.tidemark.node.config.Features;
import io.tidemark.runtime.NodeApi;
import io.tidemark.runtime.port.Responder;
import io.tidemark.wire.DescribeContext;
import io.tidemark.wire.Frame;
import io.tidemark.wire.Listener;
import io.tidemark.wire.MalformedFrameException;
import io.tidemark.wire.PeerCodec;
import io.tidemark.wire.RequestCodec;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.message.FindCoordinatorRequestData;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.requests.AbstractRequest;
import org.apache.kafka.common.requests.AbstractResponse;
import org.apache.kafka.common.requests.AlterConfigsRequest;
import org.apache.kafka.common.requests.AlterConfigsResponse;
import org.apache.kafka.common.requests.ApiVersionsRequest;
import org.apache.kafka.common.requests.ApiVersionsResponse;
import org.apache.kafka.common.requests.FindCoordinatorRequest;
import org.apache.kafka.common.requests.MetadataRequest;
import org.apache.kafka.common.requests.ProduceRequest;
import org.apache.kafka.common.requests.RequestHeader;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class NodeRequestsTest {
    private final FakeNode node = new FakeNode();
    private final Facts facts = new Facts(() -> 1000L);
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
    private final List<Frame> sent = new ArrayList<>();
    private boolean closed;
    private final RequestHandler.Reply reply = new RequestHandler.Reply() {
        @Override
        public void send(Supplier<@Nullable Frame> encoder) {
            Frame frame = encoder.get();
            if (frame != null) {
                sent.add(frame);
            }
        }

        @Override
        public void close() {
            closed = true;
        }
    };

    /** A node that remembers what it was asked; its metadata is a topic with a config. */
    private static final class FakeNode implements NodeApi {
        private final MetadataState metadata = new MetadataState(1, new TreeMap<>(Map.of("message.max.bytes", "5000")));
        private final List<ClientRequest> clients = new ArrayList<>();
        private final List<Responder<ClientResponse>> responders = new ArrayList<>();
        private int describedQuorum;
        private boolean full;

        FakeNode() {
            metadata.apply(0, new MetadataRecord.Topic("small", new UUID(7, 7)));
            metadata.apply(
                    1, new MetadataRecord.Config(MetadataRecord.Config.TOPIC, "small", "max.message.bytes", "100"));
        }

        @Override
        public boolean quorum(QuorumMessage.Request request, Responder<QuorumMessage.Response> responder) {
            return true;
        }

        @Override
        public boolean controller(ControllerRequest request, Responder<ControllerResponse> responder) {
            return true;
        }

        @Override
        public boolean client(ClientRequest request, Responder<ClientResponse> responder) {
            if (full) {
                return false;
            }
            clients.add(request);
            responders.add(responder);
            return true;
        }

        @Override
        public boolean describeQuorum(Responder<ClientResponse> responder) {
            describedQuorum++;
            return true;
        }

        @Override
        public <T> boolean metadata(Function<MetadataView, T> question, Consumer<T> answer) {
            answer.accept(question.apply(metadata));
            return true;
        }

        @Override
        public void shutDown(Runnable done) {}

        @Override
        public BrokerState brokerState() {
            return BrokerState.RUNNING;
        }
    }

    private NodeRequests requests(Listener listener) {
        Logger logger = (Logger) LoggerFactory.getLogger(NodeRequestsTest.class);
        logger.setAdditive(false);
        logger.setLevel(ch.qos.logback.classic.Level.WARN);
        lines.start();
        logger.addAppender(lines);
        return new NodeRequests(
                node,
                new RequestCodec(facts.of("PLAINTEXT")),
                listener,
                () -> new DescribeContext(
                        1, "c", listener, "PLAINTEXT", 1, 0, true, Features.supported(), (short) 1, List.of()),
                new TopicCreator(node),
                1000,
                new LogLimiter(logger, System::nanoTime));
    }

    private static ByteBuffer frame(AbstractRequest request) {
        return request.serializeWithHeader(new RequestHeader(request.apiKey(), request.version(), "client", 3));
    }

    private boolean offer(NodeRequests requests, ByteBuffer frame) throws MalformedFrameException {
        return requests.decode(frame, "peer").offer(reply);
    }

    private AbstractResponse answer(ApiKeys key, short version) {
        assertThat(sent).hasSize(1);
        ByteBuffer whole = sent.get(0).join(records -> {
            throw new AssertionError("no records");
        });
        whole.getInt();
        return AbstractResponse.parseResponse(whole, new RequestHeader(key, version, "client", 3));
    }

    @Test
    void versionsAreAnsweredFromTheMetadata() throws Exception {
        AbstractRequest request = new ApiVersionsRequest.Builder().build((short) 4);
        assertThat(offer(requests(Listener.BROKER), frame(request))).isTrue();
        ApiVersionsResponse answer = (ApiVersionsResponse) answer(ApiKeys.API_VERSIONS, (short) 4);
        assertThat(answer.data().apiKeys().find(ApiKeys.PRODUCE.id)).isNotNull();
        assertThat(answer.data().apiKeys().find(ApiKeys.JOIN_GROUP.id)).isNull();
        assertThat(answer.data().supportedFeatures().find("metadata.version").maxVersion())
                .isEqualTo((short) 30);
    }

    @Test
    void anApiThatIsNotServedIsNamedWithItsFeature() {
        AbstractRequest request = new FindCoordinatorRequest.Builder(
                        new FindCoordinatorRequestData().setCoordinatorKeys(List.of("g")))
                .build((short) 4);
        NodeRequests requests = requests(Listener.BROKER);
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> offer(requests, frame(request)))
                    .isInstanceOfSatisfying(
                            MalformedFrameException.class,
                            e -> assertThat(e.notServed()).isTrue());
        }
        // Another client and another API are news.
        ByteBuffer other = request.serializeWithHeader(
                new RequestHeader(request.apiKey(), request.version(), "other\n" + "x".repeat(100), 3));
        assertThatThrownBy(() -> offer(requests, other)).isInstanceOf(MalformedFrameException.class);
        ByteBuffer unknown = ByteBuffer.allocate(12).putShort((short) 9999).putShort((short) 0);
        assertThatThrownBy(() -> offer(requests, unknown.putShort(8, (short) 9).clear()))
                .isInstanceOf(MalformedFrameException.class);
        String cure = " (without one: assign(), --partition 0 --offset earliest)";
        String said = "; said once for this client and API";
        assertThat(lines.list)
                .extracting(ILoggingEvent::getFormattedMessage)
                .startsWith(
                        "Client 'client' at peer asked for consumer groups" + cure
                                + ": FindCoordinator version 4 is not served on a" + " broker listener" + said,
                        "Client 'other?" + "x".repeat(58)
                                + "' at peer asked for consumer groups" + cure
                                + ": FindCoordinator version 4 is not served on a"
                                + " broker listener" + said)
                .hasSize(3);
    }

    @Test
    void aConsumersFetchIsCappedAndAFollowersIsNot() throws Exception {
        NodeRequests requests = requests(Listener.BROKER);
        PeerCodec peer = new PeerCodec("peer", "CONTROLLER");
        for (int replica : new int[] {ClientRequest.Fetch.CONSUMER, 2}) {
            Frame frame = peer.encode(
                            new ClientRequest.Fetch(
                                    replica,
                                    replica < 0 ? -1 : 5,
                                    100,
                                    1,
                                    1 << 20,
                                    List.of(new ClientRequest.Fetch.FetchItem(
                                            PartitionRef.byId(new UUID(7, 7), 0), 0, 0, -1, 0, 1 << 20))),
                            1)
                    .frame();
            ByteBuffer bytes = frame.join(records -> ByteBuffer.allocate(0));
            bytes.getInt();
            assertThat(offer(requests, bytes.slice())).isTrue();
        }
        assertThat(node.clients)
                .extracting(request -> ((ClientRequest.Fetch) request).maxBytes())
                .containsExactly(1000, 1 << 20);
    }

    @Test
    void anUnknownTopicIsMadeOnceAtATime() throws Exception {
        NodeRequests requests = requests(Listener.BROKER);
        for (int i = 0; i < 2; i++) {
            offer(requests, frame(new MetadataRequest.Builder(List.of("new"), true).build((short) 12)));
        }
        offer(requests, frame(new MetadataRequest.Builder(List.of("not-allowed"), false).build((short) 12)));
        assertThat(node.clients).singleElement().isInstanceOfSatisfying(ClientRequest.Admin.class, admin -> {
            ControllerRequest.CreateTopics create = (ControllerRequest.CreateTopics) admin.request();
            assertThat(create.topics()).singleElement().satisfies(topic -> {
                assertThat(topic.name()).isEqualTo("new");
                assertThat(topic.partitions()).isEqualTo(-1);
                assertThat(topic.replicationFactor()).isEqualTo((short) -1);
            });
        });
        node.responders
                .get(0)
                .respond(new ClientResponse.Administered(new ControllerResponse.CreatedTopics(List.of())));
        offer(requests, frame(new MetadataRequest.Builder(List.of("new"), true).build((short) 12)));
        assertThat(node.clients).hasSize(2);
    }

    private static AbstractRequest alterConfigs() {
        return new AlterConfigsRequest.Builder(
                        Map.of(
                                new ConfigResource(ConfigResource.Type.TOPIC, "small"),
                                new AlterConfigsRequest.Config(
                                        List.of(new AlterConfigsRequest.ConfigEntry("retention.ms", "5")))),
                        false)
                .build((short) 2);
    }

    @Test
    void theOldAlterConfigsBecomesWhatChanges() throws Exception {
        offer(requests(Listener.BROKER), frame(alterConfigs()));
        assertThat(node.clients).singleElement().isInstanceOfSatisfying(ClientRequest.Admin.class, admin -> {
            ControllerRequest.AlterConfigs alter = (ControllerRequest.AlterConfigs) admin.request();
            assertThat(alter.changes().get(0).ops())
                    .containsExactlyInAnyOrder(
                            new ControllerRequest.ConfigOp(
                                    "max.message.bytes", ControllerRequest.ConfigOp.Op.DELETE, null),
                            new ControllerRequest.ConfigOp("retention.ms", ControllerRequest.ConfigOp.Op.SET, "5"));
        });
    }

    @Test
    void aFullNodeRefusesASecondStepWithAnError() throws Exception {
        node.full = true;
        offer(requests(Listener.BROKER), frame(alterConfigs()));
        AlterConfigsResponse answer = (AlterConfigsResponse) answer(ApiKeys.ALTER_CONFIGS, (short) 2);
        assertThat(answer.errors().values())
                .allSatisfy(error -> assertThat(error.error().code()).isEqualTo((short) 7));
    }

    @Test
    void aFullNodeRefusesAFirstStepToBeOfferedAgain() throws Exception {
        node.full = true;
        ByteBuffer fetch = new PeerCodec("peer", "CONTROLLER")
                .encode(new ClientRequest.Fetch(2, 5, 100, 1, 1000, List.of()), 1)
                .frame()
                .join(records -> ByteBuffer.allocate(0));
        fetch.getInt();
        RequestHandler.Call call = requests(Listener.BROKER).decode(fetch.slice(), "peer");
        assertThat(call.offer(reply)).isFalse();
        node.full = false;
        assertThat(call.offer(reply)).isTrue();
        assertThat(sent).isEmpty();
    }

    @Test
    void aFailedProduceThatNobodyWaitsForClosesTheConnection() throws Exception {
        NodeRequests requests = requests(Listener.BROKER);
        AbstractRequest produce =
                new ProduceRequest(new ProduceRequestData().setAcks((short) 0).setTimeoutMs(1000), (short) 9);
        for (ErrorCode error : List.of(ErrorCode.NONE, ErrorCode.NOT_LEADER_OR_FOLLOWER)) {
            assertThat(offer(requests, frame(produce))).isTrue();
            node.responders
                    .remove(0)
                    .respond(new ClientResponse.Produced(List.of(new ClientResponse.Produced.ProducedItem(
                            new PartitionRef("t", PartitionRef.NO_ID, 0), error, null, -1, -1, -1, -1))));
            assertThat(closed).as(error.name()).isEqualTo(error != ErrorCode.NONE);
        }
        assertThat(sent).as("nothing, not even where all is well").isEmpty();
    }

    @Test
    void aControllerListenerDescribesTheQuorumItself() throws Exception {
        ByteBuffer describe = new PeerCodec("peer", "CONTROLLER")
                .encode(new ClientRequest.DescribeQuorum(), 1)
                .frame()
                .join(records -> ByteBuffer.allocate(0));
        describe.getInt();
        offer(requests(Listener.CONTROLLER), describe.slice());
        assertThat(node.describedQuorum).isEqualTo(1);
        assertThat(node.clients).isEmpty();
    }
}
