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
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class NetServerTest extends NetServerHarness {
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
        assertThatThrownBy(() -> server.reserve(new Endpoint("OTHER", "127.0.0.1", port), 0))
                .isInstanceOf(NetServer.BindException.class)
                .hasMessageStartingWith("OTHER://127.0.0.1:" + port + ": cannot be bound: ");
    }

    @Test
    void aPortThatIsFreedMeanwhileIsTaken() throws Exception {
        server = server(1 << 20, -1);
        ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Endpoint listener = new Endpoint("PLAINTEXT", "127.0.0.1", taken.getLocalPort());
        CompletableFuture<Endpoint> reserved = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                reserved.complete(server.reserve(listener, 30_000));
            } catch (NetServer.BindException e) {
                reserved.completeExceptionally(e);
            }
        });
        thread.start();
        assertThatThrownBy(() -> reserved.get(300, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
        taken.close();
        assertThat(reserved.get(30, TimeUnit.SECONDS)).isEqualTo(listener);
    }

    @Test
    void aReservedPortRefusesClientsUntilItServes() throws Exception {
        server = server(1 << 20, -1);
        Endpoint reserved = server.reserve(new Endpoint("PLAINTEXT", "127.0.0.1", 0), 0);
        port = reserved.port();
        assertThatThrownBy(this::connect).isInstanceOf(ConnectException.class);
        server.listen(reserved, (frame, peer) -> reply -> {
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
