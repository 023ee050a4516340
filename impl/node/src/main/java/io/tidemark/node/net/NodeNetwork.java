package io.tidemark.node.net;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.Future;
import io.tidemark.core.metadata.MetadataState;
import io.tidemark.core.metadata.MetadataView;
import io.tidemark.core.quorum.Endpoint;
import io.tidemark.node.config.NetworkSettings;
import io.tidemark.runtime.NodeApi;
import io.tidemark.runtime.port.Network;
import io.tidemark.runtime.port.WallClock;
import io.tidemark.wire.DescribeContext;
import io.tidemark.wire.Listener;
import io.tidemark.wire.PeerCodec;
import io.tidemark.wire.RequestCodec;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/** All sockets of a node: its listeners and its connections to other nodes, over {@code num.network.threads} threads. */
public final class NodeNetwork implements AutoCloseable {
    private static final long STALL_MS = 30_000;
    private static final long BIND_PATIENCE_MS = 5_000;

    private final NetworkSettings settings;
    private final LogLimiter log = new LogLimiter(LoggerFactory.getLogger(NodeNetwork.class), System::nanoTime);
    private final EventLoopGroup acceptor;
    private final EventLoopGroup workers;
    private final NetServer server;
    private final Facts facts;
    private final PeerClient peers;
    private final @Nullable MessageTrace trace;
    private final Map<Endpoint, Listener> listeners = new HashMap<>();
    private final Map<String, RequestHandler> handlers = new HashMap<>();
    private boolean clients;
    private boolean closed;

    /** What describe calls on a listener are told of the node; asked for with each call, from any thread. */
    public interface Describer {
        DescribeContext describe(Listener kind, String listenerName);
    }

    /** @param trace is told of the messages between nodes; null: nobody is */
    public NodeNetwork(NetworkSettings settings, PeerCodec codec, WallClock clock, @Nullable MessageTrace trace) {
        this.settings = settings;
        this.trace = trace;
        facts = new Facts(clock);
        acceptor = new MultiThreadIoEventLoopGroup(
                1, new DefaultThreadFactory("acceptor", true), NioIoHandler.newFactory());
        workers = new MultiThreadIoEventLoopGroup(
                settings.networkThreads(), new DefaultThreadFactory("network", true), NioIoHandler.newFactory());
        server = new NetServer(settings, acceptor, workers, STALL_MS, log);
        peers = new PeerClient(
                workers, trace == null ? new PeerRequests(codec) : trace.told(new PeerRequests(codec)), settings, log);
    }

    public Network peers() {
        return peers;
    }

    /**
     * Reserves a listener's port, which refuses connections until {@link #serve}, a broker's until {@link #acceptClients} too.
     *
     * @return the endpoint with the port that was bound
     */
    public synchronized Endpoint bind(Endpoint listener, Listener kind) throws NetServer.BindException {
        Endpoint bound = server.reserve(listener, BIND_PATIENCE_MS);
        listeners.put(bound, kind);
        return bound;
    }

    /** To be called with what took effect in the view, from one thread. */
    public void metadataApplied(List<MetadataState.Applied> applied, MetadataView view) {
        facts.applied(applied, view);
    }

    /** Gives the listeners their node; a controller's serve from now on. */
    public synchronized void serve(NodeApi api, Describer describer) throws NetServer.BindException {
        TopicCreator topics = new TopicCreator(api);
        listeners.forEach((endpoint, kind) -> {
            String name = endpoint.listener();
            NodeRequests requests = new NodeRequests(
                    api,
                    new RequestCodec(facts.of(name)),
                    kind,
                    () -> describer.describe(kind, name),
                    topics,
                    settings.fetchMaxBytes(),
                    log);
            handlers.put(name, trace == null ? requests : trace.told(requests));
        });
        listen(Listener.CONTROLLER);
        if (clients) {
            listen(Listener.BROKER);
        }
    }

    /** From now on the broker's listeners serve, once they have their node. */
    public synchronized void acceptClients() throws NetServer.BindException {
        clients = true;
        listen(Listener.BROKER);
    }

    private void listen(Listener kind) throws NetServer.BindException {
        for (Map.Entry<Endpoint, Listener> entry : listeners.entrySet()) {
            RequestHandler handler = handlers.get(entry.getKey().listener());
            if (entry.getValue() == kind && handler != null && !closed) {
                server.listen(entry.getKey(), handler);
            }
        }
    }

    /** Closes everything, and returns once the threads have ended, or after some seconds. */
    @Override
    public void close() {
        synchronized (this) {
            closed = true;
            server.close();
        }
        peers.close();
        Future<?> first = acceptor.shutdownGracefully(0, 2, TimeUnit.SECONDS);
        Future<?> second = workers.shutdownGracefully(0, 2, TimeUnit.SECONDS);
        first.awaitUninterruptibly(3, TimeUnit.SECONDS);
        second.awaitUninterruptibly(3, TimeUnit.SECONDS);
    }
}
