package io.tidemark.node;

import io.tidemark.core.broker.BrokerState;
import io.tidemark.core.controller.ControllerRequest;
import io.tidemark.core.controller.ControllerResponse;
import io.tidemark.core.message.ClientRequest;
import io.tidemark.core.message.ClientResponse;
import io.tidemark.core.metadata.MetadataView;
import io.tidemark.core.quorum.QuorumMessage;
import io.tidemark.runtime.NodeApi;
import io.tidemark.runtime.port.Responder;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;

/** A node whose answers to its followers are long under way. */
class SlowReplication implements Alteration {
    private static final long DELAY_MS = 250;

    private final ScheduledExecutorService wire = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "slow-wire");
        thread.setDaemon(true);
        return thread;
    });

    /** Where the answer to a consumer's fetch goes. */
    Responder<ClientResponse> toConsumer(ClientRequest.Fetch fetch, Responder<ClientResponse> responder) {
        return responder;
    }

    private Responder<ClientResponse> toFollower(Responder<ClientResponse> responder) {
        return answer -> {
            ScheduledFuture<?> unused = wire.schedule(() -> responder.respond(answer), DELAY_MS, TimeUnit.MILLISECONDS);
        };
    }

    @Override
    public NodeApi api(NodeApi runtime) {
        return new NodeApi() {
            @Override
            public boolean client(ClientRequest request, Responder<ClientResponse> responder) {
                if (!(request instanceof ClientRequest.Fetch fetch)) {
                    return runtime.client(request, responder);
                }
                return runtime.client(
                        request, fetch.replicaId() >= 0 ? toFollower(responder) : toConsumer(fetch, responder));
            }

            @Override
            public boolean quorum(QuorumMessage.Request request, Responder<QuorumMessage.Response> responder) {
                return runtime.quorum(request, responder);
            }

            @Override
            public boolean controller(ControllerRequest request, Responder<ControllerResponse> responder) {
                return runtime.controller(request, responder);
            }

            @Override
            public boolean describeQuorum(Responder<ClientResponse> responder) {
                return runtime.describeQuorum(responder);
            }

            @Override
            public <T> boolean metadata(Function<MetadataView, T> question, Consumer<T> answer) {
                return runtime.metadata(question, answer);
            }

            @Override
            public void shutDown(Runnable done) {
                runtime.shutDown(done);
            }

            @Override
            public BrokerState brokerState() {
                return runtime.brokerState();
            }
        };
    }
}
