package io.tidemark.runtime;

import io.tidemark.core.broker.BrokerState;
import io.tidemark.core.controller.ControllerRequest;
import io.tidemark.core.controller.ControllerResponse;
import io.tidemark.core.message.ClientRequest;
import io.tidemark.core.message.ClientResponse;
import io.tidemark.core.metadata.MetadataView;
import io.tidemark.core.quorum.QuorumMessage;
import io.tidemark.runtime.port.Responder;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * What sockets (or a simulated network) hand to a node; every method may be called from any thread. A false return says
 * that the node's queue is full: read no more from that connection until a later try succeeds.
 */
public interface NodeApi {
    /** From the controller listener. */
    boolean quorum(QuorumMessage.Request request, Responder<QuorumMessage.Response> responder);

    /** From the controller listener; answered NOT_CONTROLLER where this node is not the active one. */
    boolean controller(ControllerRequest request, Responder<ControllerResponse> responder);

    /** From a broker listener. With {@code acks=0} the responder is called too; the wire sends nothing then. */
    boolean client(ClientRequest request, Responder<ClientResponse> responder);

    /** DescribeQuorum on the controller listener. */
    boolean describeQuorum(Responder<ClientResponse> responder);

    /**
     * Runs {@code question} on the loop that owns the committed metadata as this node has applied it, and hands its answer
     * to {@code answer} on that loop. The view must not escape.
     */
    <T> boolean metadata(Function<MetadataView, T> question, Consumer<T> answer);

    /** Starts a controlled shutdown; {@code done} is called once the node may end. */
    void shutDown(Runnable done);

    /** Where the broker is in its life. */
    BrokerState brokerState();
}
