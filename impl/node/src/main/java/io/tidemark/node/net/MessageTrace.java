package io.tidemark.node.net;

import io.tidemark.runtime.trace.TraceLog;
import io.tidemark.wire.Frame;
import io.tidemark.wire.MalformedFrameException;
import java.nio.ByteBuffer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Tells a trace which messages a node sends to others and gets from them, so that the traces of several processes can be
 * merged by cause: what was sent comes before it was received. Nothing on the wire changes: a message is known by the
 * asker's client id, its end of the connection and the correlation id. Clients that are no nodes are not told of.
 */
public final class MessageTrace {
    private static final String NODE = "node-";

    private final TraceLog log;
    private final int node;

    /** @param node whose messages they are */
    public MessageTrace(TraceLog log, int node) {
        this.log = log;
        this.node = node;
    }

    /** The client id of a node's requests to others. */
    public static String clientId(int node) {
        return NODE + node;
    }

    PeerProtocol told(PeerProtocol protocol) {
        return (channel, request, correlationId, connection) -> {
            PeerProtocol.Outgoing outgoing = protocol.encode(channel, request, correlationId, connection);
            TraceLog.Message message = new TraceLog.Message(clientId(node), connection, correlationId);
            log.sends(node, "SendRequest", message);
            return new PeerProtocol.Outgoing() {
                @Override
                public Frame frame() {
                    return outgoing.frame();
                }

                @Override
                public Object decode(ByteBuffer frame) throws MalformedFrameException {
                    Object answer = outgoing.decode(frame);
                    log.receives(node, "ReceiveResponse", message);
                    return answer;
                }
            };
        };
    }

    RequestHandler told(RequestHandler handler) {
        return (frame, peer) -> {
            String client = RequestHeader.clientId(frame, frame.position());
            if (!client.startsWith(NODE)) {
                return handler.decode(frame, peer);
            }
            TraceLog.Message message =
                    new TraceLog.Message(client, peer, RequestHeader.correlationId(frame, frame.position()));
            RequestHandler.Call call = handler.decode(frame, peer);
            log.receives(node, "ReceiveRequest", message);
            return reply -> call.offer(new RequestHandler.Reply() {
                @Override
                public void send(Supplier<@Nullable Frame> encoder) {
                    log.sends(node, "SendResponse", message);
                    reply.send(encoder);
                }

                @Override
                public void close() {
                    reply.close();
                }
            });
        };
    }
}
