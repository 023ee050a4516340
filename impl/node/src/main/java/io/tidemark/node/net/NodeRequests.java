package io.tidemark.node.net;

import io.tidemark.core.ErrorCode;
import io.tidemark.core.controller.ControllerRequest;
import io.tidemark.core.controller.ControllerResponse;
import io.tidemark.core.message.ClientRequest;
import io.tidemark.core.message.ClientResponse;
import io.tidemark.runtime.NodeApi;
import io.tidemark.wire.Body;
import io.tidemark.wire.DescribeContext;
import io.tidemark.wire.Listener;
import io.tidemark.wire.MalformedFrameException;
import io.tidemark.wire.RequestCodec;
import java.nio.ByteBuffer;
import java.util.function.Supplier;

/** Kafka's requests on one listener, handed to the node by who answers them. */
final class NodeRequests implements RequestHandler {
    private static final ControllerResponse BUSY = new ControllerResponse.Refused(
            ErrorCode.REQUEST_TIMED_OUT, "The node has more requests than it can take; try again.");

    private final NodeApi api;
    private final RequestCodec codec;
    private final Listener listener;
    private final Supplier<DescribeContext> context;
    private final TopicCreator topics;
    private final int fetchMaxBytes;
    private final LogLimiter log;

    /**
     * The requests of one listener.
     *
     * @param context what describe calls need, made anew for each
     * @param fetchMaxBytes cap on a consumer's fetch
     */
    NodeRequests(
            NodeApi api,
            RequestCodec codec,
            Listener listener,
            Supplier<DescribeContext> context,
            TopicCreator topics,
            int fetchMaxBytes,
            LogLimiter log) {
        this.api = api;
        this.codec = codec;
        this.listener = listener;
        this.context = context;
        this.topics = topics;
        this.fetchMaxBytes = fetchMaxBytes;
        this.log = log;
    }

    @Override
    public Call decode(ByteBuffer frame, String peer) throws MalformedFrameException {
        int start = frame.position();
        try {
            RequestCodec.Decoded decoded = codec.decode(frame, listener);
            return reply -> offer(decoded, reply);
        } catch (MalformedFrameException e) {
            if (e.notServed()) {
                short key = frame.getShort(start);
                String feature = Unserved.feature(key);
                String client = RequestHeader.clientId(frame, start);
                log.warnOnce(
                        key + " " + client,
                        "Client '" + client + "' at " + peer + " asked for " + feature + ": " + e.getMessage()
                                + "; said once for this client and API");
            }
            throw e;
        }
    }

    private boolean offer(RequestCodec.Decoded decoded, Reply reply) {
        Body body = decoded.body();
        if (body instanceof Body.Immediate immediate) {
            answer(decoded, reply, immediate.answer());
            return true;
        } else if (body instanceof Body.Quorum quorum) {
            return api.quorum(quorum.request(), answer -> answer(decoded, reply, answer));
        } else if (body instanceof Body.Controller controller) {
            return api.controller(controller.request(), answer -> answer(decoded, reply, answer));
        } else if (body instanceof Body.Client client) {
            return client(client.request(), decoded, reply);
        } else if (body instanceof Body.Question question) {
            DescribeContext asked = context.get();
            return api.metadata(view -> question.question().answer(view, asked), answer -> {
                if (!answer.topicsToCreate().isEmpty()) {
                    topics.create(answer.topicsToCreate());
                }
                answer(decoded, reply, answer);
            });
        } else if (body instanceof Body.Derived derived) {
            return api.metadata(derived.request(), request -> derived(request, derived.timeoutMs(), decoded, reply));
        }
        throw new IllegalArgumentException("a body of " + body.getClass());
    }

    private boolean client(ClientRequest request, RequestCodec.Decoded decoded, Reply reply) {
        if (listener == Listener.CONTROLLER) {
            if (request instanceof ClientRequest.DescribeQuorum) {
                return api.describeQuorum(answer -> answer(decoded, reply, answer));
            }
            throw new IllegalArgumentException("a controller's listener serves no " + request.getClass());
        }
        return api.client(capped(request), answer -> answer(decoded, reply, answer));
    }

    private ClientRequest capped(ClientRequest request) {
        return request instanceof ClientRequest.Fetch fetch
                        && fetch.replicaId() == ClientRequest.Fetch.CONSUMER
                        && fetch.maxBytes() > fetchMaxBytes
                ? new ClientRequest.Fetch(
                        fetch.replicaId(),
                        fetch.replicaEpoch(),
                        fetch.maxWaitMs(),
                        fetch.minBytes(),
                        fetchMaxBytes,
                        fetch.items())
                : request;
    }

    /** The second step of a request whose meaning depends on the metadata; it comes from a loop, which never waits. */
    private void derived(ControllerRequest request, int timeoutMs, RequestCodec.Decoded decoded, Reply reply) {
        boolean accepted = listener == Listener.CONTROLLER
                ? api.controller(request, answer -> answer(decoded, reply, answer))
                : api.client(new ClientRequest.Admin(request, timeoutMs), answer -> answer(decoded, reply, answer));
        if (!accepted) {
            answer(decoded, reply, BUSY);
        }
    }

    private void answer(RequestCodec.Decoded decoded, Reply reply, Object answer) {
        if (decoded.exchange().expectsAnswer()) {
            reply.send(() -> codec.encode(decoded.exchange(), answer));
        } else if (answer instanceof ClientResponse.Produced produced && produced.failed()) {
            // Its producer waits for no answer: it learns by this that it has to look for the leader anew.
            reply.close();
        } else {
            reply.send(() -> null);
        }
    }
}
