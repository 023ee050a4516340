package io.tidemark.node.net;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.Future;
import io.tidemark.core.quorum.Endpoint;
import io.tidemark.node.config.NetworkSettings;
import io.tidemark.runtime.port.Network;
import io.tidemark.wire.MalformedFrameException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The connection to one endpoint for one channel. Answers come in the order of the requests, so one that is too late closes
 * the connection, and what waits behind it fails with it. Everything runs on one network thread.
 */
final class PeerConnection {
    /** Requests that may wait; the protocol has a few live ones at most. */
    private static final int MAX_WAITING = 1024;

    /** An answer with records is about as large as its request allowed, and one batch more. */
    private static final int ANSWER_SLACK = 64 << 20;

    private final EventLoop loop;
    private final Endpoint to;
    private final Network.Channel use;
    private final PeerProtocol protocol;
    private final NetworkSettings settings;
    private final LogLimiter log;
    private final ArrayDeque<Pending> waiting = new ArrayDeque<>();
    private @Nullable Channel channel;
    private @Nullable ChannelFuture connecting;
    private boolean closed;
    private int nextCorrelationId;

    PeerConnection(
            EventLoop loop,
            Endpoint to,
            Network.Channel use,
            PeerProtocol protocol,
            NetworkSettings settings,
            LogLimiter log) {
        this.loop = loop;
        this.to = to;
        this.use = use;
        this.protocol = protocol;
        this.settings = settings;
        this.log = log;
    }

    private final class Pending {
        private final Object request;
        private final Consumer<@Nullable Object> done;
        private final Future<?> timeout;
        private int correlationId;
        private PeerProtocol.@Nullable Outgoing sent;

        Pending(Object request, int timeoutMs, Consumer<@Nullable Object> done) {
            this.request = request;
            this.done = done;
            this.timeout = loop.schedule(() -> expire(this), timeoutMs, TimeUnit.MILLISECONDS);
        }

        /** Once: whoever calls it has taken this from {@code waiting}. */
        void complete(@Nullable Object answer) {
            timeout.cancel(false);
            done.accept(answer);
        }
    }

    /** From any thread; {@code done} is called once, on the network thread. */
    void request(Object request, int timeoutMs, Consumer<@Nullable Object> done) {
        try {
            loop.execute(() -> start(request, timeoutMs, done));
        } catch (RejectedExecutionException e) {
            done.accept(null); // the network threads have ended
        }
    }

    private void start(Object request, int timeoutMs, Consumer<@Nullable Object> done) {
        if (closed || waiting.size() >= MAX_WAITING) {
            done.accept(null);
            return;
        }
        Pending pending = new Pending(request, timeoutMs, done);
        waiting.add(pending);
        Channel open = channel;
        if (open != null) {
            write(open, pending);
            open.flush();
        } else if (connecting == null) {
            connect();
        }
    }

    private void connect() {
        ChannelFuture attempt = new Bootstrap()
                .group(loop)
                .channel(NioSocketChannel.class)
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.SO_KEEPALIVE, true)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, settings.connectTimeoutMs())
                .handler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel made) {
                        made.pipeline().addLast(new Answers());
                    }
                })
                .connect(to.host(), to.port());
        connecting = attempt;
        attempt.addListener(result -> {
            connecting = null;
            if (!result.isSuccess()) {
                failAll();
            } else if (closed) {
                Frames.close(attempt.channel());
            } else {
                channel = attempt.channel();
                waiting.forEach(pending -> write(attempt.channel(), pending));
                attempt.channel().flush();
            }
        });
    }

    private void write(Channel open, Pending pending) {
        pending.correlationId = nextCorrelationId++;
        PeerProtocol.Outgoing outgoing =
                protocol.encode(use, pending.request, pending.correlationId, String.valueOf(open.localAddress()));
        pending.sent = outgoing;
        Frames.write(open, outgoing.frame()).addListener(result -> {
            if (!result.isSuccess()) {
                Frames.close(open);
            }
        });
    }

    private void expire(Pending pending) {
        if (!waiting.remove(pending)) {
            return;
        }
        pending.complete(null);
        Channel open = channel;
        if (pending.sent != null && open != null) {
            drop(open);
        }
    }

    /** Gives the channel up; the next request makes a new one. */
    private void drop(Channel open) {
        if (channel == open) {
            channel = null;
            failAll();
        }
        Frames.close(open);
    }

    private void failAll() {
        for (Pending pending = waiting.poll(); pending != null; pending = waiting.poll()) {
            pending.complete(null);
        }
    }

    /** From any thread. */
    void close() {
        try {
            loop.execute(() -> {
                closed = true;
                Channel open = channel;
                if (open != null) {
                    drop(open);
                }
                failAll();
            });
        } catch (RejectedExecutionException e) {
            closed = true; // the network threads have ended, and the channel with them
        }
    }

    private final class Answers extends SimpleChannelInboundHandler<ByteBuf> {
        private final FrameAssembler assembler = new FrameAssembler(
                Math.addExact(Math.min(settings.requestMaxBytes(), Integer.MAX_VALUE - ANSWER_SLACK), ANSWER_SLACK),
                new MemoryBudget(Long.MAX_VALUE));

        @Override
        protected void channelRead0(ChannelHandlerContext ctx, ByteBuf in) {
            try {
                for (ByteBuffer frame = assembler.read(in); frame != null; frame = assembler.read(in)) {
                    assembler.takeReserved();
                    if (ctx.channel() != channel || !answer(frame)) {
                        drop(ctx.channel());
                        return;
                    }
                }
            } catch (FrameAssembler.FrameException e) {
                log.warn("answer", "Answer of " + to.host() + ":" + to.port() + " not understood: " + e.getMessage());
                drop(ctx.channel());
            }
        }

        /** False where the answer is not that of the first request that waits. */
        private boolean answer(ByteBuffer frame) {
            Pending first = waiting.peek();
            PeerProtocol.Outgoing sent = first == null ? null : first.sent;
            if (first == null
                    || sent == null
                    || frame.remaining() < Integer.BYTES
                    || frame.getInt(frame.position()) != first.correlationId) {
                log.warn("answer", "Answer of " + to.host() + ":" + to.port() + " to nothing that was asked");
                return false;
            }
            try {
                Object answer = sent.decode(frame);
                waiting.poll();
                first.complete(answer);
                return true;
            } catch (MalformedFrameException | RuntimeException e) {
                log.warn("answer", "Answer of " + to.host() + ":" + to.port() + " not understood: " + e.getMessage());
                return false;
            }
        }

        @Override
        public void channelInactive(ChannelHandlerContext ctx) {
            drop(ctx.channel());
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
            drop(ctx.channel());
        }
    }
}
