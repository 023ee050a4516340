package io.tidemark.wire;

import java.nio.ByteBuffer;
import org.apache.kafka.common.message.ResponseHeaderData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;

/** A request to a peer, with room for its answer. */
record Outgoing<A extends ApiMessage>(
        Listener listener, short version, ApiKeys key, ApiMessage request, A answer, Outgoing.Reader<A> reader) {

    /** Reads the neutral answer out of the parsed one. */
    interface Reader<A> {
        Object read(A answer) throws MalformedFrameException;
    }

    /** In the version that nodes use among themselves. */
    Outgoing(Listener listener, ApiKeys key, ApiMessage request, A answer, Reader<A> reader) {
        this(listener, PeerVersions.of(key), key, request, answer, reader);
    }

    /** To a controller, as all but a follower's fetch are. */
    Outgoing(ApiKeys key, ApiMessage request, A answer, Reader<A> reader) {
        this(Listener.CONTROLLER, key, request, answer, reader);
    }

    /** The neutral answer in a frame without its size. */
    Object read(ByteBuffer frame, int correlationId) throws MalformedFrameException {
        ResponseHeaderData header = new ResponseHeaderData();
        try {
            BoundedReadable in = BoundedReadable.of(frame, BoundedReadable.MAX_ANSWER_STRUCTURE);
            header.read(in, key.responseHeaderVersion(version));
            if (header.correlationId() == correlationId) {
                answer.read(in, version);
            }
        } catch (RuntimeException e) {
            throw new MalformedFrameException(
                    "an answer to " + key.name + " version " + version + " is malformed: " + e.getMessage(), e);
        }
        if (header.correlationId() != correlationId) {
            throw new MalformedFrameException(
                    "an answer to request " + header.correlationId() + " where " + correlationId + " was due");
        }
        return reader.read(answer);
    }
}
