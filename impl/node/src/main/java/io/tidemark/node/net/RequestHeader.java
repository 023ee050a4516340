package io.tidemark.node.net;

import java.nio.ByteBuffer;

/** What every version of Kafka's request header has at the same places: key, version, correlation id, the client's id. */
final class RequestHeader {
    private static final int CORRELATION_ID = 2 * Short.BYTES;
    private static final int CLIENT_ID = CORRELATION_ID + Integer.BYTES;
    private static final int MAX_SHOWN = 64;

    private RequestHeader() {}

    /** Of a frame that begins at {@code start}; 0 where it is too short to have one. */
    static int correlationId(ByteBuffer frame, int start) {
        int at = start + CORRELATION_ID;
        return at + Integer.BYTES > frame.limit() ? 0 : frame.getInt(at);
    }

    /** From a frame that may be anything: printable ASCII, of bounded length, nothing where it has none. */
    static String clientId(ByteBuffer frame, int start) {
        int at = start + CLIENT_ID;
        if (at + Short.BYTES > frame.limit()) {
            return "";
        }
        int length = Math.min(Math.min(frame.getShort(at), MAX_SHOWN), frame.limit() - at - Short.BYTES);
        StringBuilder id = new StringBuilder();
        for (int i = 0; i < length; i++) {
            byte c = frame.get(at + Short.BYTES + i);
            id.append(c >= ' ' && c <= '~' ? (char) c : '?');
        }
        return id.toString();
    }
}
