package io.tidemark.node.net;

import io.tidemark.runtime.port.Network;
import io.tidemark.wire.Frame;
import io.tidemark.wire.MalformedFrameException;
import io.tidemark.wire.PeerCodec;
import java.nio.ByteBuffer;

/** Requests to peers in Kafka's terms. */
record PeerRequests(PeerCodec codec) implements PeerProtocol {
    @Override
    public Outgoing encode(Network.Channel channel, Object request, int correlationId, String connection) {
        return new Sent(codec.encode(request, correlationId));
    }

    private record Sent(PeerCodec.Call call) implements Outgoing {
        @Override
        public Frame frame() {
            return call.frame();
        }

        @Override
        public Object decode(ByteBuffer frame) throws MalformedFrameException {
            return call.decode(frame);
        }
    }
}
