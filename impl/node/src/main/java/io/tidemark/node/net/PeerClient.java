package io.tidemark.node.net;

import io.netty.channel.EventLoopGroup;
import io.tidemark.core.quorum.Endpoint;
import io.tidemark.node.config.NetworkSettings;
import io.tidemark.runtime.port.EventLoop;
import io.tidemark.runtime.port.Network;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Requests to other nodes over sockets: a connection for each endpoint and channel, made when it is needed. */
public final class PeerClient implements Network, AutoCloseable {
    private record Key(String host, int port, Channel channel) {}

    private final EventLoopGroup group;
    private final PeerProtocol protocol;
    private final NetworkSettings settings;
    private final LogLimiter log;
    private final ConcurrentMap<Key, PeerConnection> connections = new ConcurrentHashMap<>();
    private volatile boolean closed;

    /** @param group the caller's to shut down, after this client was closed */
    PeerClient(EventLoopGroup group, PeerProtocol protocol, NetworkSettings settings, LogLimiter log) {
        this.group = group;
        this.protocol = protocol;
        this.settings = settings;
        this.log = log;
    }

    @Override
    public void request(
            Endpoint to,
            Channel channel,
            Object request,
            int timeoutMs,
            EventLoop loop,
            Consumer<@Nullable Object> done) {
        Consumer<@Nullable Object> onLoop = answer -> loop.post(() -> done.accept(answer));
        if (closed) {
            onLoop.accept(null);
            return;
        }
        connections
                .computeIfAbsent(
                        new Key(to.host(), to.port(), channel),
                        key -> new PeerConnection(group.next(), to, channel, protocol, settings, log))
                .request(request, timeoutMs, onLoop);
    }

    /** Fails what is unanswered, and every request from now on. */
    @Override
    public void close() {
        closed = true;
        connections.values().forEach(PeerConnection::close);
    }
}
