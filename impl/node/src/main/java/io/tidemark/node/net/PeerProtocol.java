package io.tidemark.node.net;

import io.tidemark.runtime.port.Network;
import io.tidemark.wire.Frame;
import io.tidemark.wire.MalformedFrameException;
import java.nio.ByteBuffer;

/** How requests to other nodes look on the wire. Called on network threads. */
interface PeerProtocol {
    /**
     * A request of one of the kinds that {@link Network#request} names, right before it is written.
     *
     * @param connection the address of this end of the connection
     */
    Outgoing encode(Network.Channel channel, Object request, int correlationId, String connection);

    /** A request as it is sent, and what its answer means. */
    interface Outgoing {
        Frame frame();

        /**
         * The answer of the request's kind.
         *
         * @param frame without its length
         */
        Object decode(ByteBuffer frame) throws MalformedFrameException;
    }
}
