package io.tidemark.node.net;

import io.tidemark.wire.Frame;
import io.tidemark.wire.MalformedFrameException;
import java.nio.ByteBuffer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What frames mean. Called on the network thread of the connection. */
interface RequestHandler {
    /**
     * Understands a frame.
     *
     * @param frame without its length; the handler's to keep
     * @param peer who sent it, for log lines
     * @throws MalformedFrameException the connection is to be closed
     */
    Call decode(ByteBuffer frame, String peer) throws MalformedFrameException;

    /** A request that was understood. */
    interface Call {
        /**
         * Hands the request to the node.
         *
         * @return false where the node is full: to be offered again, and nothing read from the connection meanwhile
         */
        boolean offer(Reply reply);
    }

    /** Where the answer to a call goes. */
    interface Reply {
        /**
         * From any thread, at most once.
         *
         * @param encoder makes the frame, on the network thread; null where the client wants no answer
         */
        void send(Supplier<@Nullable Frame> encoder);

        /** In place of an answer: the connection is closed once what came before is answered. From any thread. */
        void close();
    }
}
