package io.tidemark.node.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.tidemark.core.quorum.Endpoint;
import io.tidemark.node.config.NetworkSettings;
import io.tidemark.wire.Frame;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.slf4j.LoggerFactory;

/** A server on a free port, clients with raw sockets, and what the server hands over. */
abstract class NetServerHarness {
    static final int MAX_FRAME = 4 << 20;

    final EventLoopGroup group = new MultiThreadIoEventLoopGroup(2, NioIoHandler.newFactory());
    final List<AutoCloseable> open = new ArrayList<>();
    long stallMs = 30_000;
    NetServer server;
    int port;

    /** Requests in the order handed over; each test says what becomes of them. */
    final BlockingQueue<Offered> offered = new LinkedBlockingQueue<>();

    record Offered(ByteBuffer frame, RequestHandler.Reply reply) {
        void echo() {
            reply.send(() -> frameOf(bytes(frame)));
        }
    }

    static Frame frameOf(byte[] content) {
        ByteBuffer prefix = ByteBuffer.allocate(4).putInt(content.length).flip();
        return new Frame(
                4 + content.length,
                List.of(new Frame.Piece.Bytes(prefix), new Frame.Piece.Bytes(ByteBuffer.wrap(content))));
    }

    static byte[] bytes(ByteBuffer buffer) {
        byte[] bytes = new byte[buffer.remaining()];
        buffer.duplicate().get(bytes);
        return bytes;
    }

    static NetworkSettings settings(long queuedMaxBytes, long idleMs) {
        return new NetworkSettings(2, MAX_FRAME, 100, queuedMaxBytes, idleMs, -1, -1, 50, 1000, 1 << 20, true);
    }

    NetServer server(long queuedMaxBytes, long idleMs) {
        return new NetServer(
                settings(queuedMaxBytes, idleMs),
                group,
                group,
                stallMs,
                new LogLimiter(LoggerFactory.getLogger(NetServerTest.class), System::nanoTime));
    }

    void start(long queuedMaxBytes, long idleMs, RequestHandler handler) throws Exception {
        server = server(queuedMaxBytes, idleMs);
        Endpoint reserved = server.reserve(new Endpoint("PLAINTEXT", "127.0.0.1", 0), 0);
        server.listen(reserved, handler);
        port = reserved.port();
    }

    void startEcho() throws Exception {
        start(1 << 30, -1, (frame, peer) -> reply -> {
            reply.send(() -> frameOf(bytes(frame)));
            return true;
        });
    }

    void startQueued(long queuedMaxBytes) throws Exception {
        start(queuedMaxBytes, -1, (frame, peer) -> reply -> {
            offered.add(new Offered(frame, reply));
            return true;
        });
    }

    Client connect() throws IOException {
        Client client = new Client(new Socket("127.0.0.1", port));
        open.add(client.socket);
        return client;
    }

    record Client(Socket socket, DataOutputStream out, DataInputStream in) {
        Client(Socket socket) throws IOException {
            this(socket, new DataOutputStream(socket.getOutputStream()), new DataInputStream(socket.getInputStream()));
        }

        void send(byte[] content) throws IOException {
            out.write(ByteBuffer.allocate(4 + content.length)
                    .putInt(content.length)
                    .put(content)
                    .array());
        }

        byte[] receive() throws IOException {
            byte[] content = new byte[in.readInt()];
            in.readFully(content);
            return content;
        }

        boolean isClosedByServer() {
            try {
                return in.read() < 0;
            } catch (SocketException e) {
                return true;
            } catch (IOException e) {
                return false;
            }
        }
    }

    static void until(BooleanSupplier condition) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("waited too long").isLessThan(deadline);
            Thread.sleep(2);
        }
    }

    @AfterEach
    void end() throws Exception {
        for (AutoCloseable each : open) {
            each.close();
        }
        server.close();
        group.shutdownGracefully(0, 1, TimeUnit.SECONDS).await();
    }
}
