package io.tidemark.node.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.core.quorum.Endpoint;
import io.tidemark.storage.FileHandle;
import io.tidemark.storage.FileRegion;
import io.tidemark.storage.RealDisk;
import io.tidemark.wire.Frame;
import java.io.EOFException;
import java.io.IOException;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

@Timeout(60)
class NetServerTest {
    private static final int MAX_FRAME = 4 << 20;

    private final EventLoopGroup group = new MultiThreadIoEventLoopGroup(2, NioIoHandler.newFactory());
    private final List<AutoCloseable> open = new ArrayList<>();
    private long stallMs = 30_000;
    private NetServer server;
    private int port;

    /** Requests in the order handed over; each test says what becomes of them. */
    private final BlockingQueue<Offered> offered = new LinkedBlockingQueue<>();

    private record Offered(ByteBuffer frame, RequestHandler.Reply reply) {
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

    private static NetworkSettings settings(long queuedMaxBytes, long idleMs) {
        return new NetworkSettings(2, MAX_FRAME, 100, queuedMaxBytes, idleMs, -1, -1, 50, 1000, 1 << 20, true);
    }

    private void start(long queuedMaxBytes, long idleMs, RequestHandler handler) throws Exception {
        server = new NetServer(
                settings(queuedMaxBytes, idleMs),
                group,
                group,
                stallMs,
                new LogLimiter(LoggerFactory.getLogger(NetServerTest.class), System::nanoTime));
        port = server.bind(new Endpoint("PLAINTEXT", "127.0.0.1", 0), () -> handler)
                .port();
    }

    private void startEcho() throws Exception {
        start(1 << 30, -1, (frame, peer) -> reply -> {
            reply.send(() -> frameOf(bytes(frame)));
            return true;
        });
    }

    private void startQueued(long queuedMaxBytes) throws Exception {
        start(queuedMaxBytes, -1, (frame, peer) -> reply -> {
            offered.add(new Offered(frame, reply));
            return true;
        });
    }

    private Client connect() throws IOException {
        Client client = new Client(new Socket("127.0.0.1", port));
        open.add(client.socket);
        return client;
    }

    private record Client(Socket socket, DataOutputStream out, DataInputStream in) {
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

    private static void until(BooleanSupplier condition) throws InterruptedException {
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

    @Test
    void aFrameThatComesByteByByteIsOneRequest() throws Exception {
        startEcho();
        Client client = connect();
        client.socket().setTcpNoDelay(true);
        byte[] wire = {0, 0, 0, 5, 1, 2, 3, 4, 5};
        for (byte b : wire) {
            client.out().write(b);
            client.out().flush();
        }
        assertThat(client.receive()).containsExactly(1, 2, 3, 4, 5);
    }

    @Test
    void manyRequestsAtOnceAreAnsweredInTheirOrder() throws Exception {
        startEcho();
        Client client = connect();
        Thread sender = new Thread(() -> {
            try {
                for (int i = 0; i < 5000; i++) {
                    client.send(ByteBuffer.allocate(4).putInt(i).array());
                }
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        });
        sender.start();
        for (int i = 0; i < 5000; i++) {
            assertThat(ByteBuffer.wrap(client.receive()).getInt()).isEqualTo(i);
        }
        sender.join();
    }

    @Test
    void answersWaitForThoseBeforeThem() throws Exception {
        startQueued(1 << 30);
        Client client = connect();
        for (byte i = 0; i < 10; i++) {
            client.send(new byte[] {i});
        }
        List<Offered> all = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            all.add(offered.take());
        }
        Collections.shuffle(all, new Random(7));
        all.forEach(Offered::echo);
        for (byte i = 0; i < 10; i++) {
            assertThat(client.receive()).containsExactly(i);
        }
    }

    @Test
    void aRequestThatWantsNoAnswerGetsNone() throws Exception {
        start(1 << 30, -1, (frame, peer) -> reply -> {
            boolean silent = frame.get(0) == 0;
            reply.send(() -> silent ? null : frameOf(bytes(frame)));
            return true;
        });
        Client client = connect();
        for (int i = 0; i < 1000; i++) {
            client.send(new byte[] {0});
        }
        client.send(new byte[] {1});
        assertThat(client.receive()).containsExactly(1);
    }

    @Test
    void recordsInAFileAreSentFromTheFile(@TempDir Path directory) throws Exception {
        byte[] content = new byte[3 << 20];
        new Random(5).nextBytes(content);
        Path path = directory.resolve("00000000000000000000.log");
        Files.write(path, content);
        try (FileHandle file = new RealDisk().open(path, false)) {
            start(1 << 30, -1, (frame, peer) -> reply -> {
                int position = frame.getInt(0);
                int length = frame.getInt(4);
                ByteBuffer prefix = ByteBuffer.allocate(6)
                        .putInt(2 + length + 1)
                        .put((byte) 7)
                        .put((byte) 8)
                        .flip();
                reply.send(() -> new Frame(
                        4 + 2 + length + 1,
                        List.of(
                                new Frame.Piece.Bytes(prefix),
                                new Frame.Piece.Records(new FileRegion(file, position, length)),
                                new Frame.Piece.Bytes(ByteBuffer.wrap(new byte[] {9})))));
                return true;
            });
            Client client = connect();
            int[][] regions = {{0, content.length}, {10, 1}, {1 << 20, 1 << 20}};
            for (int[] region : regions) {
                client.send(ByteBuffer.allocate(8)
                        .putInt(region[0])
                        .putInt(region[1])
                        .array());
            }
            for (int[] region : regions) {
                byte[] answer = client.receive();
                assertThat(Arrays.equals(
                                Arrays.copyOfRange(answer, 2, answer.length - 1),
                                Arrays.copyOfRange(content, region[0], region[0] + region[1])))
                        .isTrue();
                assertThat(answer[answer.length - 1]).isEqualTo((byte) 9);
            }
        }
    }

    @Test
    void anIdleConnectionIsClosed() throws Exception {
        start(1 << 30, 100, (frame, peer) -> reply -> true);
        Client client = connect();
        long before = System.nanoTime();
        assertThat(client.isClosedByServer()).isTrue();
        assertThat(System.nanoTime() - before).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(50));
    }

    @Test
    void aPortInUseIsNamed() throws Exception {
        startEcho();
        assertThatThrownBy(() ->
                        server.bind(new Endpoint("OTHER", "127.0.0.1", port), () -> (frame, peer) -> reply -> true))
                .isInstanceOf(NetServer.BindException.class)
                .hasMessageStartingWith("OTHER://127.0.0.1:" + port + ": cannot be bound: ");
    }

    @Test
    void aListenerWithoutAHandlerTurnsClientsAwayAtOnce() throws Exception {
        AtomicReference<@Nullable RequestHandler> handler = new AtomicReference<>();
        server = new NetServer(
                settings(1 << 20, -1),
                group,
                group,
                stallMs,
                new LogLimiter(LoggerFactory.getLogger(NetServerTest.class), System::nanoTime));
        port = server.bind(new Endpoint("PLAINTEXT", "127.0.0.1", 0), handler::get)
                .port();
        assertThat(connect().isClosedByServer()).isTrue();
        assertThat(server.connections()).isZero();
        handler.set((frame, peer) -> reply -> {
            reply.send(() -> frameOf(bytes(frame)));
            return true;
        });
        Client client = connect();
        client.send(new byte[] {1});
        assertThat(client.receive()).containsExactly(1);
    }

    @Test
    void theEndClosesConnections() throws Exception {
        startEcho();
        Client client = connect();
        client.send(new byte[] {1});
        client.receive();
        server.close();
        assertThatThrownBy(client::receive).isInstanceOfAny(EOFException.class, SocketException.class);
    }
}
