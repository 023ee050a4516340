package io.tidemark.node.net;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.timeout.IdleStateEvent;
import io.tidemark.wire.Frame;
import io.tidemark.wire.MalformedFrameException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One client's connection. Requests are handed over as they come and answered in that order. Nothing is read while too many
 * of them are unanswered or unsent, while the client does not read, while the node is full, or while memory is short. All of
 * it runs on the connection's network thread.
 */
final class ServerConnection extends ChannelInboundHandlerAdapter {
    /** Requests that may be unanswered, and answers that may be unsent. */
    static final int MAX_IN_FLIGHT = 32;

    private static final Logger LOG = LoggerFactory.getLogger(ServerConnection.class);
    private static final long FULL_RETRY_MICROS = 500;

    private final RequestHandler handler;
    private final MemoryBudget budget;
    private final FrameAssembler assembler;
    private final LogLimiter log;
    private final long stallMs;
    private final ArrayDeque<Exchange> unanswered = new ArrayDeque<>();
    private @Nullable ChannelHandlerContext context;
    private @Nullable ByteBuf input;
    private @Nullable Exchange refused;
    private int unsent;
    private boolean watched;
    private boolean awaitsMemory;
    private boolean pumping;

    ServerConnection(RequestHandler handler, int maxFrameBytes, long stallMs, MemoryBudget budget, LogLimiter log) {
        this.stallMs = stallMs;
        this.handler = handler;
        this.budget = budget;
        this.assembler = new FrameAssembler(maxFrameBytes, budget);
        this.log = log;
    }

    /** A request on its way, until its answer is written. */
    private final class Exchange implements RequestHandler.Reply {
        private final RequestHandler.Call call;
        private long reserved;
        private boolean answered;
        private boolean closes;
        private @Nullable Frame answer;

        Exchange(RequestHandler.Call call, long reserved) {
            this.call = call;
            this.reserved = reserved;
        }

        @Override
        public void send(Supplier<@Nullable Frame> encoder) {
            ChannelHandlerContext ctx = context();
            if (ctx.executor().inEventLoop()) {
                complete(this, encoder);
            } else {
                ctx.executor().execute(() -> complete(this, encoder));
            }
        }

        @Override
        public void close() {
            send(() -> {
                closes = true;
                return null;
            });
        }

        void release() {
            budget.release(reserved);
            reserved = 0;
        }
    }

    private ChannelHandlerContext context() {
        ChannelHandlerContext ctx = context;
        if (ctx == null) {
            throw new IllegalStateException("not in a pipeline");
        }
        return ctx;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        context = ctx;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ByteBuf bytes = (ByteBuf) message;
        ByteBuf before = input;
        input = before == null ? bytes : ByteToMessageDecoder.MERGE_CUMULATOR.cumulate(ctx.alloc(), before, bytes);
        pump();
    }

    /** Goes as far as input and back pressure allow. */
    private void pump() {
        if (pumping) {
            return;
        }
        pumping = true;
        try {
            boolean more = true;
            while (more && accepting()) {
                while (more && accepting()) {
                    more = readOne();
                }
                writeAnswers();
            }
            writeAnswers();
        } catch (FrameAssembler.FrameException e) {
            closeFor("size", e.getMessage());
        } catch (MalformedFrameException e) {
            if (e.notServed()) {
                Frames.close(context().channel()); // the handler has said so
            } else {
                closeFor("malformed", e.getMessage());
            }
        } finally {
            pumping = false;
        }
        context().channel().config().setAutoRead(accepting() && !assembler.starved());
    }

    private boolean accepting() {
        return context().channel().isActive()
                && refused == null
                && unanswered.size() + unsent < MAX_IN_FLIGHT
                && context().channel().isWritable();
    }

    private boolean readOne() throws FrameAssembler.FrameException, MalformedFrameException {
        ByteBuf in = input;
        if (in == null) {
            return false;
        }
        ByteBuffer frame = assembler.read(in);
        if (!in.isReadable()) {
            in.release();
            input = null;
        }
        if (frame == null) {
            if (assembler.starved()) {
                awaitMemory();
            } else if (!watched) {
                watch();
            }
            return false;
        }
        long reserved = assembler.takeReserved();
        RequestHandler.Call call;
        try {
            call = handler.decode(frame, peer());
        } catch (MalformedFrameException | RuntimeException e) {
            budget.release(reserved);
            throw e;
        }
        Exchange exchange = new Exchange(call, reserved);
        unanswered.add(exchange);
        offer(exchange);
        return true;
    }

    private void offer(Exchange exchange) {
        if (exchange.call.offer(exchange)) {
            refused = null;
        } else {
            refused = exchange;
            later(this::retryRefused, FULL_RETRY_MICROS);
        }
    }

    private void later(Runnable task, long delayMicros) {
        Future<?> unused = context().executor().schedule(task, delayMicros, TimeUnit.MICROSECONDS);
    }

    private void retryRefused() {
        Exchange exchange = refused;
        if (exchange != null && context().channel().isActive()) {
            offer(exchange);
            pump();
        }
    }

    private void awaitMemory() {
        if (!awaitsMemory) {
            awaitsMemory = true;
            budget.await(() -> context().executor().execute(() -> {
                awaitsMemory = false;
                pump();
            }));
            // What was given back before the line above wakes nobody.
            context().executor().execute(this::pump);
        }
    }

    /** A large frame that makes no progress is given up, so that its client cannot keep others from memory. */
    private void watch() {
        int filled = assembler.filledOfReserved();
        watched = filled >= 0;
        if (watched) {
            later(
                    () -> {
                        if (assembler.filledOfReserved() == filled
                                && context().channel().config().isAutoRead()) {
                            closeFor("stalled", "its request stopped half-way for " + stallMs + " ms");
                        } else {
                            watch();
                        }
                    },
                    TimeUnit.MILLISECONDS.toMicros(stallMs));
        }
    }

    private void complete(Exchange exchange, Supplier<@Nullable Frame> encoder) {
        if (exchange.answered) {
            throw new IllegalStateException("answered twice");
        }
        exchange.answered = true;
        exchange.release();
        if (!context().channel().isActive()) {
            return;
        }
        try {
            exchange.answer = encoder.get();
        } catch (RuntimeException e) {
            exceptionCaught(context(), e);
            return;
        }
        pump();
    }

    private void writeAnswers() {
        boolean wrote = false;
        for (Exchange head = unanswered.peek(); head != null && head.answered; head = unanswered.peek()) {
            unanswered.poll();
            Frame answer = head.answer;
            if (head.closes) {
                context().flush();
                Frames.close(context().channel());
                return;
            }
            if (answer != null) {
                unsent++;
                wrote = true;
                Frames.write(context().channel(), answer).addListener(done -> {
                    unsent--;
                    if (!done.isSuccess()) {
                        Frames.close(context().channel());
                    } else if (!pumping) {
                        pump();
                    }
                });
            }
        }
        if (wrote) {
            context().flush();
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        if (ctx.channel().isWritable()) {
            pump();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        assembler.release();
        unanswered.forEach(Exchange::release);
        unanswered.clear();
        refused = null;
        ByteBuf in = input;
        input = null;
        if (in != null) {
            in.release();
        }
        ctx.fireChannelInactive();
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event instanceof IdleStateEvent) {
            Frames.close(ctx.channel());
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (cause instanceof IOException) {
            Frames.close(ctx.channel());
        } else {
            LOG.error("Defect on the connection of {}", peer(), cause);
            Frames.close(ctx.channel());
        }
    }

    private void closeFor(String kind, @Nullable String reason) {
        if (context().channel().isActive()) {
            log.warn(kind, "Connection of " + peer() + " closed: " + reason);
            Frames.close(context().channel());
        }
    }

    private String peer() {
        return String.valueOf(context().channel().remoteAddress());
    }
}
