package io.tidemark.node.config;

/**
 * What sockets are told. Sizes in bytes, times in ms.
 *
 * @param requestMaxBytes {@code socket.request.max.bytes}
 * @param queuedMaxRequests requests in flight on the node
 * @param queuedMaxBytes bytes of requests in memory on the node
 * @param idleMs {@code connections.max.idle.ms}; -1: never
 * @param sendBuffer -1: the operating system's
 * @param receiveBuffer -1: the operating system's
 * @param connectTimeoutMs to another node
 * @param fetchMaxBytes cap on a consumer's fetch
 */
public record NetworkSettings(
        int networkThreads,
        int requestMaxBytes,
        int queuedMaxRequests,
        long queuedMaxBytes,
        long idleMs,
        int sendBuffer,
        int receiveBuffer,
        int backlog,
        int connectTimeoutMs,
        int fetchMaxBytes,
        boolean autoCreateTopics) {
    static NetworkSettings read(ConfigValues values) {
        long bytes = values.longNumber("queued.max.request.bytes");
        return new NetworkSettings(
                values.number("num.network.threads"),
                values.number("socket.request.max.bytes"),
                values.number("queued.max.requests"),
                bytes > 0 ? bytes : Runtime.getRuntime().maxMemory() / 4,
                values.longNumber("connections.max.idle.ms"),
                values.number("socket.send.buffer.bytes"),
                values.number("socket.receive.buffer.bytes"),
                values.number("socket.listen.backlog.size"),
                Math.toIntExact(Math.min(Integer.MAX_VALUE, values.longNumber("socket.connection.setup.timeout.ms"))),
                values.number("fetch.max.bytes"),
                values.flag("auto.create.topics.enable"));
    }
}
