package io.tidemark.node.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.tidemark.core.quorum.Endpoint;
import io.tidemark.node.config.NetworkSettings;
import io.tidemark.node.loop.ThreadLoop;
import io.tidemark.runtime.port.Network;
import io.tidemark.wire.Frame;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;

@Timeout(60)
class PeerClientTest {
    private final EventLoopGroup group = new MultiThreadIoEventLoopGroup(2, NioIoHandler.newFactory());
    private final List<Throwable> failures = new ArrayList<>();
    private final ThreadLoop loop = new ThreadLoop("loop", 100, (thread, e) -> failures.add(e));
    private final BlockingQueue<Optional<Object>> answers = new LinkedBlockingQueue<>();
    private final PeerClient client = new PeerClient(
            group,
            new Numbers(),
            new NetworkSettings(1, 1 << 20, 10, 1 << 20, -1, -1, -1, 50, 2000, 1 << 20, false),
            new LogLimiter(LoggerFactory.getLogger(PeerClientTest.class), System::nanoTime));
    private final ServerSocket listener;

    PeerClientTest() throws IOException {
        listener = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
    }

    /** A request is a number; so is its answer. Negative answers are not understood. */
    private static final class Numbers implements PeerProtocol {
        @Override
        public Outgoing encode(Network.Channel channel, Object request, int correlationId, String connection) {
            ByteBuffer bytes = ByteBuffer.allocate(12)
                    .putInt(8)
                    .putInt(correlationId)
                    .putInt((Integer) request)
                    .flip();
            return new Outgoing() {
                @Override
                public Frame frame() {
                    return new Frame(12, List.of(new Frame.Piece.Bytes(bytes)));
                }

                @Override
                public Object decode(ByteBuffer frame) {
                    int answer = frame.getInt(4);
                    if (answer < 0) {
                        throw new IllegalArgumentException("negative");
                    }
                    return answer;
                }
            };
        }
    }

    private record Peer(Socket socket, DataInputStream in, DataOutputStream out) {
        int[] receive() throws IOException {
            assertThat(in.readInt()).isEqualTo(8);
            return new int[] {in.readInt(), in.readInt()};
        }

        void answer(int correlationId, int number) throws IOException {
            out.write(ByteBuffer.allocate(12)
                    .putInt(8)
                    .putInt(correlationId)
                    .putInt(number)
                    .array());
        }
    }

    private Peer accept() throws IOException {
        Socket socket = listener.accept();
        return new Peer(
                socket, new DataInputStream(socket.getInputStream()), new DataOutputStream(socket.getOutputStream()));
    }

    private void ask(int number, int timeoutMs) {
        ask(number, timeoutMs, Network.Channel.CONTROLLER);
    }

    private void ask(int number, int timeoutMs, Network.Channel channel) {
        client.request(
                new Endpoint("CONTROLLER", "127.0.0.1", listener.getLocalPort()),
                channel,
                number,
                timeoutMs,
                loop,
                answer -> {
                    assertThat(Thread.currentThread().getName()).isEqualTo("loop");
                    answers.add(Optional.ofNullable(answer));
                });
    }

    private void assertAnswer(Object expected) throws InterruptedException {
        assertThat(answers.poll(20, TimeUnit.SECONDS)).isEqualTo(Optional.ofNullable(expected));
    }

    @AfterEach
    void end() throws Exception {
        client.close();
        listener.close();
        group.shutdownGracefully(0, 1, TimeUnit.SECONDS).await();
        loop.close();
        assertThat(answers).isEmpty();
        assertThat(failures).isEmpty();
    }

    @Test
    void requestsShareAConnectionAndAreAnsweredInOrder() throws Exception {
        for (int i = 0; i < 100; i++) {
            ask(i, 10_000);
        }
        Peer peer = accept();
        for (int i = 0; i < 100; i++) {
            int[] request = peer.receive();
            assertThat(request[1]).isEqualTo(i);
            peer.answer(request[0], i + 1000);
        }
        for (int i = 0; i < 100; i++) {
            assertAnswer(i + 1000);
        }
    }

    @Test
    void channelsHaveConnectionsOfTheirOwn() throws Exception {
        ask(1, 10_000, Network.Channel.REPLICA_FETCH);
        Peer parked = accept();
        parked.receive();
        ask(2, 10_000, Network.Channel.QUORUM);
        Peer quick = accept();
        int[] request = quick.receive();
        quick.answer(request[0], 22);
        assertAnswer(22);
        parked.answer(0, 11);
        assertAnswer(11);
    }

    @Test
    void aRefusedConnectionIsNoAnswer() throws Exception {
        listener.close();
        ask(1, 10_000);
        assertAnswer(null);
    }

    @Test
    void aLateAnswerClosesTheConnectionAndTheNextRequestMakesANewOne() throws Exception {
        ask(1, 100);
        ask(2, 10_000);
        Peer silent = accept();
        int[] first = silent.receive();
        assertAnswer(null);
        assertAnswer(null);
        silent.answer(first[0], 1);
        ask(3, 10_000);
        Peer second = accept();
        int[] request = second.receive();
        assertThat(request[1]).isEqualTo(3);
        second.answer(request[0], 33);
        assertAnswer(33);
    }

    @Test
    void aResetFailsWhatWaits() throws Exception {
        ask(1, 10_000);
        ask(2, 10_000);
        Peer peer = accept();
        peer.receive();
        peer.socket.setSoLinger(true, 0);
        peer.socket.close();
        assertAnswer(null);
        assertAnswer(null);
    }

    @Test
    void anAnswerToAnotherRequestIsNotTaken() throws Exception {
        ask(1, 10_000);
        Peer peer = accept();
        int[] request = peer.receive();
        peer.answer(request[0] + 1, 5);
        assertAnswer(null);
        assertThat(peer.in.read()).isEqualTo(-1);
    }

    @Test
    void anAnswerThatIsNotUnderstoodIsNone() throws Exception {
        ask(1, 10_000);
        Peer peer = accept();
        int[] request = peer.receive();
        peer.answer(request[0], -5);
        assertAnswer(null);
    }

    @Test
    void aLengthThatNoAnswerHasIsRefused() throws Exception {
        ask(1, 10_000);
        Peer peer = accept();
        peer.receive();
        peer.out.writeInt(Integer.MAX_VALUE);
        assertAnswer(null);
    }

    @Test
    void theEndFailsWhatWaitsAndWhatComes() throws Exception {
        ask(1, 10_000);
        accept().receive();
        client.close();
        assertAnswer(null);
        ask(2, 10_000);
        assertAnswer(null);
    }
}
