package io.tidemark.node.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.quorum.Endpoint;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class NetServerLimitsTest extends NetServerHarness {
    @Test
    void noMoreThanSomeRequestsOfAConnectionAreInFlight() throws Exception {
        startQueued(1 << 30);
        Client client = connect();
        for (int i = 0; i < 100; i++) {
            client.send(ByteBuffer.allocate(4).putInt(i).array());
        }
        until(() -> offered.size() == ServerConnection.MAX_IN_FLIGHT);
        Client other = connect();
        other.send(new byte[] {9});
        until(() -> offered.size() == ServerConnection.MAX_IN_FLIGHT + 1);
        assertThat(offered).hasSize(ServerConnection.MAX_IN_FLIGHT + 1);
        for (int i = 0; i < 101; i++) {
            offered.take().echo();
        }
        for (int i = 0; i < 100; i++) {
            assertThat(ByteBuffer.wrap(client.receive()).getInt()).isEqualTo(i);
        }
        assertThat(other.receive()).containsExactly(9);
    }

    @Test
    void whatAFullNodeRefusesIsOfferedAgain() throws Exception {
        AtomicBoolean full = new AtomicBoolean(true);
        AtomicInteger offers = new AtomicInteger();
        start(1 << 30, -1, (frame, peer) -> reply -> {
            offers.incrementAndGet();
            if (full.get()) {
                return false;
            }
            reply.send(() -> frameOf(bytes(frame)));
            return true;
        });
        Client client = connect();
        for (byte i = 0; i < 3; i++) {
            client.send(new byte[] {i});
        }
        until(() -> offers.get() > 3);
        full.set(false);
        for (byte i = 0; i < 3; i++) {
            assertThat(client.receive()).containsExactly(i);
        }
    }

    @Test
    void aLengthThatNoFrameMayHaveClosesItsConnectionAlone() throws Exception {
        startEcho();
        Client good = connect();
        for (int length : new int[] {MAX_FRAME + 1, -1, Integer.MIN_VALUE, Integer.MAX_VALUE}) {
            Client bad = connect();
            bad.out().writeInt(length);
            bad.out().write(new byte[100]);
            assertThat(bad.isClosedByServer()).as("length " + length).isTrue();
        }
        good.send(new byte[] {1});
        assertThat(good.receive()).containsExactly(1);
    }

    @Test
    void whatCannotBeUnderstoodClosesItsConnectionAlone() throws Exception {
        start(1 << 30, -1, (frame, peer) -> {
            if (frame.get(0) == 66) {
                throw malformed();
            }
            return reply -> {
                reply.send(() -> frameOf(bytes(frame)));
                return true;
            };
        });
        Client good = connect();
        Client bad = connect();
        bad.send(new byte[] {66});
        bad.send(new byte[] {1});
        assertThat(bad.isClosedByServer()).isTrue();
        good.send(new byte[] {2});
        assertThat(good.receive()).containsExactly(2);
    }

    private static io.tidemark.wire.MalformedFrameException malformed() {
        try {
            new io.tidemark.wire.RequestCodec(NO_FACTS)
                    .decode(ByteBuffer.allocate(1), io.tidemark.wire.Listener.BROKER);
            throw new AssertionError("a frame of one byte was understood");
        } catch (io.tidemark.wire.MalformedFrameException e) {
            return e;
        }
    }

    private static final io.tidemark.wire.NodeFacts NO_FACTS = new io.tidemark.wire.NodeFacts() {
        @Override
        public io.tidemark.wire.batch.ProduceRules produceRules(io.tidemark.core.message.PartitionRef partition) {
            return io.tidemark.wire.batch.ProduceRules.DEFAULT;
        }

        @Override
        public Endpoint broker(int id) {
            return null;
        }

        @Override
        public long nowMs() {
            return 0;
        }
    };

    @Test
    void aClientThatDoesNotReadIsNotReadFrom() throws Exception {
        AtomicInteger decoded = new AtomicInteger();
        start(1 << 30, -1, (frame, peer) -> reply -> {
            decoded.incrementAndGet();
            reply.send(() -> frameOf(new byte[1 << 20]));
            return true;
        });
        Client slow = connect();
        for (int i = 0; i < 400; i++) {
            slow.send(new byte[] {1});
        }
        Client other = connect();
        other.send(new byte[] {1});
        assertThat(other.receive()).hasSize(1 << 20);
        int seen = decoded.get();
        assertThat(seen).isLessThanOrEqualTo(2 * ServerConnection.MAX_IN_FLIGHT);
        for (int i = 0; i < 400; i++) {
            assertThat(slow.receive()).hasSize(1 << 20);
        }
        assertThat(decoded.get()).isEqualTo(401);
    }

    @Test
    void anAnnouncedLengthCostsNothingUntilItComes() throws Exception {
        startQueued(MAX_FRAME);
        List<Client> clients = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            Client client = connect();
            client.out().writeInt(MAX_FRAME);
            client.out().write(new byte[1000]);
            clients.add(client);
        }
        until(() -> server.connections() == 20);
        Client client = connect();
        client.send(new byte[] {1});
        offered.take().echo();
        assertThat(client.receive()).containsExactly(1);
        assertThat(server.bytesHeld()).isZero();
    }

    @Test
    void memoryIsGivenBackAndThoseWhoWaitedGoOn() throws Exception {
        startQueued(MAX_FRAME);
        byte[] large = new byte[MAX_FRAME];
        new Random(3).nextBytes(large);
        BlockingQueue<Boolean> equal = new LinkedBlockingQueue<>();
        for (int i = 0; i < 6; i++) {
            Client client = connect();
            new Thread(() -> {
                        try {
                            client.send(large);
                            equal.add(Arrays.equals(client.receive(), large));
                        } catch (IOException e) {
                            equal.add(false);
                        }
                    })
                    .start();
        }
        for (int i = 0; i < 6; i++) {
            Offered next = offered.take();
            assertThat(offered).isEmpty();
            assertThat(server.bytesHeld()).isEqualTo(MAX_FRAME - FrameAssembler.FREE);
            next.echo();
        }
        for (int i = 0; i < 6; i++) {
            assertThat(equal.take()).isTrue();
        }
        until(() -> server.bytesHeld() == 0);
    }

    @Test
    void aLargeRequestThatStopsHalfWayIsGivenUp() throws Exception {
        stallMs = 100;
        startQueued(MAX_FRAME);
        Client stalled = connect();
        stalled.out().writeInt(MAX_FRAME);
        stalled.out().write(new byte[FrameAssembler.FREE + 1]);
        until(() -> server.bytesHeld() > 0);
        assertThat(stalled.isClosedByServer()).isTrue();
        until(() -> server.bytesHeld() == 0);
        Client client = connect();
        client.send(new byte[MAX_FRAME]);
        offered.take().echo();
        assertThat(client.receive()).hasSize(MAX_FRAME);
    }
}
