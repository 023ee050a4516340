package io.tidemark.node.net;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.timeout.IdleStateHandler;
import io.netty.util.concurrent.GlobalEventExecutor;
import io.tidemark.core.quorum.Endpoint;
import io.tidemark.node.config.NetworkSettings;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The listeners of a node. A listener is bound first, so that a port in use is known early, and serves later. */
public final class NetServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(NetServer.class);

    /** Answers wait in memory up to the higher mark, then nothing more is read from their client. */
    private static final WriteBufferWaterMark MARKS = new WriteBufferWaterMark(256 << 10, 1 << 20);

    private final NetworkSettings settings;
    private final EventLoopGroup acceptor;
    private final EventLoopGroup workers;
    private final MemoryBudget budget;
    private final long stallMs;
    private final LogLimiter log;
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
     * Binds a listener.
     *
     * @param handler of its connections, asked for with each; null closes the connection, so that a client turns elsewhere
     *     at once, as if the port were not open yet
     * @return the endpoint with the port that was bound
     * @throws BindException where it cannot be bound
     */
    Endpoint bind(Endpoint listener, Supplier<@Nullable RequestHandler> handler) throws BindException {
        ServerBootstrap bootstrap = new ServerBootstrap()
                .group(acceptor, workers)
                .channel(NioServerSocketChannel.class)
                .option(ChannelOption.SO_BACKLOG, settings.backlog())
                .option(ChannelOption.SO_REUSEADDR, true)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.SO_KEEPALIVE, true)
                .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, MARKS)
                .childHandler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                        RequestHandler served = handler.get();
                        if (served == null) {
                            ChannelFuture unused = channel.close();
                            return;
                        }
                        connections.add(channel);
                        channel.pipeline()
                                .addLast(new IdleStateHandler(
                                        true, 0, 0, Math.max(0, settings.idleMs()), TimeUnit.MILLISECONDS))
                                .addLast(
                                        new ServerConnection(served, settings.requestMaxBytes(), stallMs, budget, log));
                    }
                });
        if (settings.sendBuffer() > 0) {
            bootstrap.childOption(ChannelOption.SO_SNDBUF, settings.sendBuffer());
        }
        if (settings.receiveBuffer() > 0) {
            bootstrap.option(ChannelOption.SO_RCVBUF, settings.receiveBuffer());
            bootstrap.childOption(ChannelOption.SO_RCVBUF, settings.receiveBuffer());
        }
        InetSocketAddress address = listener.host().isEmpty()
                ? new InetSocketAddress(listener.port())
                : new InetSocketAddress(listener.host(), listener.port());
        var future = bootstrap.bind(address).awaitUninterruptibly();
        if (!future.isSuccess()) {
            throw new BindException(listener, future.cause());
        }
        bound.add(future.channel());
        int port = ((InetSocketAddress) future.channel().localAddress()).getPort();
        LOG.info(
                "Listener {} is bound to {}",
                listener.listener(),
                future.channel().localAddress());
        return new Endpoint(listener.listener(), listener.host(), port);
    }

    /** Accepts no more, and closes all connections. */
    @Override
    public void close() {
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
