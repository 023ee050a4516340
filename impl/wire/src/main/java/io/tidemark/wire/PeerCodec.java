package io.tidemark.wire;

import io.tidemark.core.ErrorCode;
import io.tidemark.core.controller.ControllerRequest;
import io.tidemark.core.controller.ControllerResponse;
import io.tidemark.core.message.ClientRequest;
import io.tidemark.core.quorum.QuorumMessage;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import org.apache.kafka.common.message.DescribeQuorumResponseData;
import org.apache.kafka.common.message.EnvelopeRequestData;
import org.apache.kafka.common.message.EnvelopeResponseData;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.message.RequestHeaderData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.security.auth.KafkaPrincipal;
import org.apache.kafka.common.security.authenticator.DefaultKafkaPrincipalBuilder;

/**
 * The client's side of a connection between nodes: quorum messages, a broker's requests to the active controller, what it
 * forwards for its clients (in an Envelope, as Kafka does), a follower's fetch. Versions are not asked for:
 * {@link PeerVersions} has them. Thread-safe; holds nothing of a connection.
 */
public final class PeerCodec {
    private final String clientId;
    private final QuorumCalls toQuorum;
    private final ControllerCalls toController = new ControllerCalls(this::forwarded);
    private final byte[] principal = new DefaultKafkaPrincipalBuilder(null, null).serialize(KafkaPrincipal.ANONYMOUS);
    private final byte[] address = InetAddress.getLoopbackAddress().getAddress();

    /**
     * @param clientId how this node names itself
     * @param controllerListener {@code controller.listener.names}: what answers' leader endpoints are named
     */
    public PeerCodec(String clientId, String controllerListener) {
        this.clientId = clientId;
        this.toQuorum = new QuorumCalls(controllerListener);
    }

    /** A request on its way and how its answer is read. */
    public static final class Call {
        private final Frame frame;
        private final int correlationId;
        private final Outgoing<?> outgoing;

        private Call(Frame frame, int correlationId, Outgoing<?> outgoing) {
            this.frame = frame;
            this.correlationId = correlationId;
            this.outgoing = outgoing;
        }

        public Frame frame() {
            return frame;
        }

        public int correlationId() {
            return correlationId;
        }

        /** The kind of the peer's listener that serves this. */
        public Listener listener() {
            return outgoing.listener();
        }

        /**
         * The neutral answer: a {@code QuorumMessage.Response}, {@code ControllerResponse} or {@code ClientResponse}, as the
         * request was. To be called once.
         *
         * @param answer the frame without its size, between position and limit; records are slices of it
         * @throws MalformedFrameException where it is no answer to this request: the connection is of no more use
         */
        public Object decode(ByteBuffer answer) throws MalformedFrameException {
            return outgoing.read(answer, correlationId);
        }
    }

    /**
     * A request to a peer.
     *
     * @param request a {@code QuorumMessage.Request}, a {@code ControllerRequest}, a {@code ClientRequest.Fetch} or a {@code
     *     ClientRequest.DescribeQuorum}
     * @throws IllegalArgumentException for a request that nodes do not send to one another
     */
    public Call encode(Object request, int correlationId) {
        Outgoing<?> outgoing = outgoing(request);
        return new Call(frame(outgoing, correlationId), correlationId, outgoing);
    }

    private Frame frame(Outgoing<?> outgoing, int correlationId) {
        return FrameWriter.frame(
                new RequestHeaderData()
                        .setRequestApiKey(outgoing.key().id)
                        .setRequestApiVersion(outgoing.version())
                        .setCorrelationId(correlationId)
                        .setClientId(clientId),
                outgoing.key().requestHeaderVersion(outgoing.version()),
                outgoing.request(),
                outgoing.version());
    }

    private Outgoing<?> outgoing(Object request) {
        if (request instanceof QuorumMessage.Request quorum) {
            return quorum.applyTo(toQuorum);
        } else if (request instanceof ClientRequest.Fetch fetch) {
            return new Outgoing<>(
                    Listener.BROKER,
                    ApiKeys.FETCH,
                    FetchMapping.request(fetch),
                    new FetchResponseData(),
                    FetchMapping::neutral);
        } else if (request instanceof ClientRequest.DescribeQuorum) {
            return new Outgoing<>(
                    ApiKeys.DESCRIBE_QUORUM,
                    DescribeQuorumMapping.request(),
                    new DescribeQuorumResponseData(),
                    DescribeQuorumMapping::neutral);
        } else if (request instanceof ControllerRequest controller) {
            return controller.applyTo(toController);
        }
        throw new IllegalArgumentException("not sent to peers: " + request.getClass());
    }

    /** The request as a client would send it, inside an Envelope; an error of the Envelope is the controller's refusal. */
    private Outgoing<EnvelopeResponseData> forwarded(Outgoing<?> inner) {
        ByteBuffer bytes = frame(inner, 0).join(records -> {
            throw new IllegalArgumentException("records in an Envelope");
        });
        EnvelopeRequestData envelope = new EnvelopeRequestData()
                .setRequestData(bytes.position(Integer.BYTES).slice())
                .setRequestPrincipal(principal)
                .setClientHostAddress(address);
        return new Outgoing<>(ApiKeys.ENVELOPE, envelope, new EnvelopeResponseData(), answer -> {
            ByteBuffer nested = answer.responseData();
            if (answer.errorCode() != 0) {
                return new ControllerResponse.Refused(ErrorCode.forCode(answer.errorCode()), null);
            }
            if (nested == null) {
                throw new MalformedFrameException("an Envelope without error and answer");
            }
            return inner.read(nested, 0);
        });
    }
}
