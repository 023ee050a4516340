package io.tidemark.node.net;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.timeout.IdleStateHandler;
import io.netty.util.concurrent.GlobalEventExecutor;
import io.tidemark.core.quorum.Endpoint;
import io.tidemark.node.config.NetworkSettings;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import java.nio.channels.UnresolvedAddressException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The listeners of a node. A port is reserved first and served later. Not for several threads at once. */
public final class NetServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(NetServer.class);

    /** Answers wait in memory up to the higher mark, then nothing more is read from their client. */
    private static final WriteBufferWaterMark MARKS = new WriteBufferWaterMark(256 << 10, 1 << 20);

    private static final long BIND_RETRY_MS = 250;

    private final NetworkSettings settings;
    private final EventLoopGroup acceptor;
    private final EventLoopGroup workers;
    private final MemoryBudget budget;
    private final long stallMs;
    private final LogLimiter log;
    private final Map<String, SocketChannel> reserved = new HashMap<>();
    private final List<Channel> bound = new ArrayList<>();
    private final ChannelGroup connections = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);

    /**
     * A server without listeners.
     *
     * @param acceptor accepts; the caller's to shut down, like {@code workers}
     * @param workers read and write
     * @param stallMs after which a large request that makes no progress is given up
     */
    NetServer(NetworkSettings settings, EventLoopGroup acceptor, EventLoopGroup workers, long stallMs, LogLimiter log) {
        this.stallMs = stallMs;
        this.settings = settings;
        this.acceptor = acceptor;
        this.workers = workers;
        this.budget = new MemoryBudget(settings.queuedMaxBytes());
        this.log = log;
    }

    /**
     * Takes a listener's port, so that one in use is known before anything else is begun, and refuses connections: a client
     * that is refused turns to another node at once, one that is accepted and not answered waits.
     *
     * @param patienceMs how long a port in use is tried again: the system keeps a killed process's sockets for a moment
     * @return the endpoint with the port that was taken
     * @throws BindException where it cannot be bound
     */
    Endpoint reserve(Endpoint listener, long patienceMs) throws BindException {
        // A socket that is bound and does not listen. With SO_REUSEADDR connections of an earlier life do not matter.
        try {
            SocketChannel reservation = SocketChannel.open();
            reserved.put(listener.listener(), reservation);
            reservation.setOption(StandardSocketOptions.SO_REUSEADDR, true);
            bind(reservation, listener, patienceMs);
            int port = ((InetSocketAddress) reservation.getLocalAddress()).getPort();
            return new Endpoint(listener.listener(), listener.host(), port);
        } catch (IOException | UnresolvedAddressException e) {
            throw new BindException(listener, e);
        }
    }

    private static void bind(SocketChannel socket, Endpoint listener, long patienceMs) throws IOException {
        long giveUp = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(patienceMs);
        for (boolean told = false; ; told = true) {
            try {
                socket.bind(address(listener));
                return;
            } catch (java.net.BindException e) {
                if (System.nanoTime() >= giveUp) {
                    throw e;
                }
                if (!told) {
                    LOG.info("{}: {}, trying again for {} ms", address(listener), e.getMessage(), patienceMs);
                }
            }
            try {
                TimeUnit.MILLISECONDS.sleep(BIND_RETRY_MS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new InterruptedIOException("interrupted");
            }
        }
    }

    /**
     * Serves from now on.
     *
     * @param listener as it was reserved
     * @throws BindException where somebody else has begun to listen meanwhile
     */
    void listen(Endpoint listener, RequestHandler handler) throws BindException {
        ServerBootstrap bootstrap = new ServerBootstrap()
                .group(acceptor, workers)
                .channel(NioServerSocketChannel.class)
                .option(ChannelOption.SO_BACKLOG, settings.backlog())
                .option(ChannelOption.SO_REUSEADDR, true)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.SO_KEEPALIVE, true)
                .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, MARKS)
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        connections.add(channel);
                        channel.pipeline()
                                .addLast(new IdleStateHandler(
                                        true, 0, 0, Math.max(0, settings.idleMs()), TimeUnit.MILLISECONDS))
                                .addLast(new ServerConnection(
                                        handler, settings.requestMaxBytes(), stallMs, budget, log));
                    }
                });
        if (settings.sendBuffer() > 0) {
            bootstrap.childOption(ChannelOption.SO_SNDBUF, settings.sendBuffer());
        }
        if (settings.receiveBuffer() > 0) {
            bootstrap.option(ChannelOption.SO_RCVBUF, settings.receiveBuffer());
            bootstrap.childOption(ChannelOption.SO_RCVBUF, settings.receiveBuffer());
        }
        release(listener.listener());
        var future = bootstrap.bind(address(listener)).awaitUninterruptibly();
        if (!future.isSuccess()) {
            throw new BindException(listener, future.cause());
        }
        bound.add(future.channel());
        LOG.info(
                "Listener {} serves at {}",
                listener.listener(),
                future.channel().localAddress());
    }

    private static InetSocketAddress address(Endpoint listener) {
        return listener.host().isEmpty()
                ? new InetSocketAddress(listener.port())
                : new InetSocketAddress(listener.host(), listener.port());
    }

    private void release(String listener) {
        SocketChannel reservation = reserved.remove(listener);
        if (reservation != null) {
            try {
                reservation.close();
            } catch (IOException e) {
                LOG.warn("The reservation of listener {} was not closed: {}", listener, e.toString());
            }
        }
    }

    /** Accepts no more, and closes all connections. */
    @Override
    public void close() {
        List.copyOf(reserved.keySet()).forEach(this::release);
        for (Channel channel : bound) {
            channel.close().awaitUninterruptibly();
        }
        connections.close().awaitUninterruptibly();
    }

    /** Bytes of large requests that are being read or answered, without the first of each. */
    long bytesHeld() {
        return budget.used();
    }

    int connections() {
        return connections.size();
    }

    /** A listener whose address is in use, or is not this machine's. */
    public static final class BindException extends Exception {
        private static final long serialVersionUID = 1L;

        BindException(Endpoint listener, Throwable cause) {
            super(
                    listener.listener() + "://" + listener.host() + ":" + listener.port() + ": cannot be bound: "
                            + cause.getMessage(),
                    cause);
        }
    }
}
