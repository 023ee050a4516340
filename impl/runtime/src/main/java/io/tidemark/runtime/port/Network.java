package io.tidemark.runtime.port;

import io.tidemark.core.quorum.Endpoint;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Requests to other nodes. Answers to requests that arrive are given through the arriving call's {@code Responder}. */
public interface Network {
    /**
     * Sends one request. Requests of one channel to one endpoint are answered in order and share a connection, so a
     * request that may be parked has a channel of its own.
     *
     * @param request a {@link io.tidemark.core.quorum.QuorumMessage.Request}, a {@link
     *     io.tidemark.core.controller.ControllerRequest}, or a {@link io.tidemark.core.message.ClientRequest}
     * @param timeoutMs after which the request has failed
     * @param done called exactly once on {@code loop}: with the answer of the request's kind, or with null where none
     *     came (refused, reset, timed out, not understood)
     */
    void request(
            Endpoint to,
            Channel channel,
            Object request,
            int timeoutMs,
            EventLoop loop,
            Consumer<@Nullable Object> done);

    /** What a connection is used for. */
    enum Channel {
        /** Votes and the like. */
        QUORUM,
        /** The fetch from the metadata log. */
        METADATA_FETCH,
        /** Registration, heartbeats, AlterPartition. */
        CONTROLLER,
        /** What a broker forwards for its clients. */
        FORWARD,
        /** The fetch from a partition leader. */
        REPLICA_FETCH
    }
}
