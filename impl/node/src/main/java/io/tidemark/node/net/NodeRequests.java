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
            return reply -> decoded.body().applyTo(new Offer(decoded.exchange(), reply));
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

    /** One request on its way to who answers it; each method is false where that one has no room. */
    private final class Offer implements Body.Handler<Boolean> {
        private final RequestCodec.Exchange exchange;
        private final Reply reply;

        Offer(RequestCodec.Exchange exchange, Reply reply) {
            this.exchange = exchange;
            this.reply = reply;
        }

        @Override
        public Boolean quorum(Body.Quorum body) {
            return api.quorum(body.request(), this::answer);
        }

        @Override
        public Boolean controller(Body.Controller body) {
            return api.controller(body.request(), this::answer);
        }

        @Override
        public Boolean client(Body.Client body) {
            if (listener == Listener.CONTROLLER) {
                if (body.request() instanceof ClientRequest.DescribeQuorum) {
                    return api.describeQuorum(this::answer);
                }
                throw new IllegalArgumentException(
                        "a controller's listener serves no " + body.request().getClass());
            }
            return api.client(capped(body.request()), this::answer);
        }

        @Override
        public Boolean question(Body.Question body) {
            DescribeContext asked = context.get();
            return api.metadata(view -> body.question().answer(view, asked), answer -> {
                if (!answer.topicsToCreate().isEmpty()) {
                    topics.create(answer.topicsToCreate());
                }
                answer(answer);
            });
        }

        @Override
        public Boolean derived(Body.Derived body) {
            return api.metadata(body.request(), request -> known(request, body.timeoutMs()));
        }

        @Override
        public Boolean immediate(Body.Immediate body) {
            answer(body.answer());
            return true;
        }

        /** The second step of a request whose meaning depends on the metadata; it comes from a loop, which never waits. */
        private void known(ControllerRequest request, int timeoutMs) {
            boolean accepted = listener == Listener.CONTROLLER
                    ? api.controller(request, this::answer)
                    : api.client(new ClientRequest.Admin(request, timeoutMs), this::answer);
            if (!accepted) {
                answer(BUSY);
            }
        }

        private void answer(Object answer) {
            if (exchange.expectsAnswer()) {
                reply.send(() -> codec.encode(exchange, answer));
            } else if (answer instanceof ClientResponse.Produced produced && produced.failed()) {
                // Its producer waits for no answer: it learns by this that it has to look for the leader anew.
                reply.close();
            } else {
                reply.send(() -> null);
            }
        }
    }
}
