package io.tidemark.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntFunction;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.CreatePartitionsRequestData;
import org.apache.kafka.common.message.CreateTopicsRequestData;
import org.apache.kafka.common.message.EnvelopeRequestData;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.message.MetadataRequestData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Whatever bytes arrive, a frame is understood or refused by the one checked exception, at a bounded cost. */
class HostileFrameTest {
    /** Enough for what a frame of some hundred bytes can mean, far below what it can claim. */
    private static final long MAX_ALLOCATED = 512 << 10;

    private static final int[] COUNTS = {Integer.MAX_VALUE, 0x00ff_ffff, Integer.MIN_VALUE, -2, 0x7fff_0000};
    private static final byte[][] VARINTS = {
        {-1, -1, -1, -1, 7},
        {-1, -1, -1, -1, 15},
        {-127, -128, -128, 8},
        {-1, -1, -1, -1, -1, -1, -1, -1, -1, 1}
    };

    private final RequestCodec codec = new RequestCodec(Samples.FACTS);

    private void bounded(byte[] frame, Listener listener, long maxAllocated) {
        long allocated = allocated(frame, listener);
        if (allocated >= maxAllocated) {
            allocated = allocated(frame, listener); // the first time classes may have been loaded
        }
        assertThat(allocated).as("allocated").isLessThan(maxAllocated);
    }

    private long allocated(byte[] frame, Listener listener) {
        long before = Allocation.bytes();
        try {
            codec.decode(ByteBuffer.wrap(frame), listener);
        } catch (MalformedFrameException e) {
            assertThat(e.getMessage()).isNotEmpty();
        }
        return Allocation.bytes() - before;
    }

    private interface Visitor {
        void visit(Listener listener, ApiKeys api, short version, byte[] frame);
    }

    private static void everyApi(Visitor visitor) {
        for (Listener listener : Listener.values()) {
            ApiCatalog.served(listener).forEach((key, range) -> {
                Set<Integer> versions =
                        new TreeSet<>(List.of((int) range.min(), (range.min() + range.max()) / 2, (int) range.max()));
                for (int version : versions) {
                    ApiKeys api = ApiKeys.forId(key);
                    ApiMessage request = Filler.request(api, (short) version);
                    visitor.visit(
                            listener,
                            api,
                            (short) version,
                            Filler.frame(api, (short) version, request, 5).array());
                }
            });
        }
    }

    @Test
    void countsAndLengthsThatLieAllocateNothing() {
        everyApi((listener, api, version, frame) -> {
            for (int at = 8; at < frame.length; at++) {
                if (at + 4 <= frame.length) {
                    for (int count : COUNTS) {
                        byte[] changed = frame.clone();
                        ByteBuffer.wrap(changed).putInt(at, count);
                        bounded(changed, listener, MAX_ALLOCATED);
                    }
                }
                for (byte[] varint : VARINTS) {
                    ByteArrayOutputStream changed = new ByteArrayOutputStream();
                    changed.write(frame, 0, at);
                    changed.writeBytes(varint);
                    changed.write(frame, at + 1, frame.length - at - 1);
                    bounded(changed.toByteArray(), listener, MAX_ALLOCATED);
                }
            }
        });
    }

    @Test
    void everyCutIsRefusedOrUnderstood() {
        everyApi((listener, api, version, frame) -> {
            for (int size = 0; size < frame.length; size++) {
                bounded(java.util.Arrays.copyOf(frame, size), listener, MAX_ALLOCATED);
            }
        });
    }

    @Test
    void countsThatTheFrameCouldHoldAreBoundedByTheBudget() {
        byte[] zeros = new byte[3 << 20];
        everyApi((listener, api, version, frame) -> {
            for (int at = 10; at < Math.min(frame.length, 26); at += 2) {
                byte[] big = new byte[at + 4 + zeros.length];
                System.arraycopy(frame, 0, big, 0, at);
                // 1.9 million, as a varint or as an int
                byte[] count = at % 4 == 0 ? new byte[] {-32, -5, 115} : new byte[] {0, 28, -3, -32};
                System.arraycopy(count, 0, big, at, count.length);
                long start = System.nanoTime();
                bounded(big, listener, 256L << 20);
                assertThat(Duration.ofNanos(System.nanoTime() - start))
                        .as("%s version %d, a count at %d", api, version, at)
                        .isLessThan(Duration.ofSeconds(5));
            }
        });
    }

    private static CreateTopicsRequestData create(int topics, IntFunction<String> name) {
        CreateTopicsRequestData request = new CreateTopicsRequestData()
                .setTopics(new CreateTopicsRequestData.CreatableTopicCollection(KeyScan.withoutRehash(topics)));
        for (int i = 0; i < topics; i++) {
            request.topics().mustAdd(new CreateTopicsRequestData.CreatableTopic().setName(name.apply(i)));
        }
        return request;
    }

    /** Equal names, names of one hash ("Aa" and "BB" have the same), names of one slot. */
    @Test
    void namesMadeToCollideAreRefusedBeforeTheyAreCompared() {
        int many = 4_000;
        List<IntFunction<String>> hostile =
                List.of(i -> "x", i -> "", HostileFrameTest::sameHash, i -> slotZero(i, many));
        long start = System.nanoTime();
        for (IntFunction<String> name : hostile) {
            assertThat(refusal(ApiKeys.CREATE_TOPICS, create(many, name))).contains("collide");
        }
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(8));
        assertThat(refusal(ApiKeys.CREATE_TOPICS, create(9_999, i -> "topic-" + i)))
                .isNull();
        assertThat(refusal(ApiKeys.CREATE_TOPICS, create(10_001, i -> "topic-" + i)))
                .contains("more elements");
        assertThat(refusal(ApiKeys.CREATE_TOPICS, create(60, i -> "x"))).isNull();
    }

    @Test
    void largeRequestsOfAllOtherKindsPass() {
        CreatePartitionsRequestData.CreatePartitionsTopic topic =
                new CreatePartitionsRequestData.CreatePartitionsTopic()
                        .setName("a")
                        .setAssignments(new ArrayList<>());
        for (int i = 0; i < 3_000; i++) {
            topic.assignments()
                    .add(new CreatePartitionsRequestData.CreatePartitionsAssignment().setBrokerIds(List.of(1, 2)));
        }
        CreatePartitionsRequestData growth = new CreatePartitionsRequestData();
        growth.topics().add(topic);
        assertThat(refusal(ApiKeys.CREATE_PARTITIONS, growth)).isNull();
        CreateTopicsRequestData.CreatableTopic assigned = new CreateTopicsRequestData.CreatableTopic().setName("a");
        for (int i = 0; i < 9_000; i++) {
            assigned.assignments()
                    .add(new CreateTopicsRequestData.CreatableReplicaAssignment()
                            .setPartitionIndex(i)
                            .setBrokerIds(List.of(1)));
        }
        CreateTopicsRequestData create = new CreateTopicsRequestData();
        create.topics().add(assigned);
        assertThat(refusal(ApiKeys.CREATE_TOPICS, create)).isNull();
    }

    private static String sameHash(int number) {
        StringBuilder name = new StringBuilder();
        for (int bit = 0; bit < 12; bit++) {
            name.append((number >> bit & 1) == 0 ? "Aa" : "BB");
        }
        return name.toString();
    }

    /** Names whose hash is small and a multiple of the table's capacity, found by trying. */
    private static String slotZero(int number, int elements) {
        int target = (number % 20_000) * (2 * elements + 1);
        StringBuilder name = new StringBuilder();
        long rest = target;
        while (rest > 0) {
            name.insert(0, (char) (rest % 31 + 31 > rest && rest < 62 ? rest : rest % 31 + 31));
            rest = rest < 62 ? 0 : (rest - (rest % 31 + 31)) / 31;
        }
        return name.isEmpty() ? "!" : name.toString();
    }

    @Test
    void unknownTopicIdsByTheThousandAreAnsweredInTime() throws Exception {
        MetadataRequestData request = new MetadataRequestData();
        for (long i = 0; i < 9_000; i++) {
            request.topics()
                    .add(new MetadataRequestData.MetadataRequestTopic()
                            .setName(null)
                            .setTopicId(new Uuid(7, i)));
        }
        RequestCodec.Decoded decoded =
                codec.decode(Filler.frame(ApiKeys.METADATA, (short) 13, request, 1), Listener.BROKER);
        long start = System.nanoTime();
        MetadataQuestion question = ((Body.Question) decoded.body()).question();
        assertThat(question.answer(new Cluster().state, Cluster.context(Listener.BROKER)))
                .isNotNull();
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(5));
    }

    private @Nullable String refusal(ApiKeys api, ApiMessage request) {
        try {
            codec.decode(Filler.frame(api, api.latestVersion(), request, 1), Listener.BROKER);
            return null;
        } catch (MalformedFrameException e) {
            return e.getMessage();
        }
    }

    @Test
    void partitionsMadeToCollideAreNotSlow() throws Exception {
        FetchRequestData fetch = new FetchRequestData();
        for (long i = 0; i < 20_000; i++) {
            fetch.topics()
                    .add(new FetchRequestData.FetchTopic()
                            .setTopicId(new Uuid(i, i)) // all of one hash
                            .setPartitions(List.of(new FetchRequestData.FetchPartition())));
        }
        long start = System.nanoTime();
        RequestCodec.Decoded decoded = codec.decode(Filler.frame(ApiKeys.FETCH, (short) 17, fetch, 1), Listener.BROKER);
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(5));
        assertThat(decoded.body()).isInstanceOf(Body.Client.class);
    }

    @Test
    void garbageBehindAHeader() {
        Random random = new Random(11);
        for (short key = -2; key < 110; key++) {
            for (short version = -1; version < 20; version++) {
                for (int fill : new int[] {0, 0xff, 256}) {
                    byte[] frame = new byte[80];
                    if (fill == 256) {
                        random.nextBytes(frame);
                    } else {
                        java.util.Arrays.fill(frame, (byte) fill);
                    }
                    ByteBuffer.wrap(frame)
                            .putShort(key)
                            .putShort(version)
                            .putInt(7)
                            .putShort((short) 0);
                    bounded(frame, Listener.BROKER, MAX_ALLOCATED);
                    bounded(frame, Listener.CONTROLLER, MAX_ALLOCATED);
                }
            }
        }
    }

    @Property(tries = 2000)
    void randomBytes(@ForAll @Size(max = 200) byte[] frame, @ForAll Listener listener) {
        bounded(frame, listener, MAX_ALLOCATED);
    }

    @Test
    void tagsThatLieInTheHeader() {
        List<byte[]> tags = new ArrayList<>(List.of(VARINTS));
        tags.add(new byte[] {1, 0, -1, -1, -1, -1, 7});
        tags.add(new byte[] {1, 0, -1, -1, -1, -1, 15});
        tags.add(new byte[] {2, 5, 0, 1, 0});
        tags.add(new byte[] {-128, -128, -128, -128, -128, -128});
        for (byte[] tag : tags) {
            ByteBuffer frame = ByteBuffer.allocate(80);
            frame.putShort(ApiKeys.METADATA.id)
                    .putShort((short) 12)
                    .putInt(6)
                    .putShort((short) 0)
                    .put(tag);
            bounded(frame.array(), Listener.BROKER, MAX_ALLOCATED);
        }
    }

    @Test
    void manyUnknownTagsAreNotKept() {
        ByteArrayOutputStream frame = new ByteArrayOutputStream();
        frame.writeBytes(new byte[] {0, 18, 0, 3, 0, 0, 0, 6, 0, 0}); // ApiVersions v3, correlation id, client id ""
        frame.writeBytes(new byte[] {(byte) 0xc0, (byte) 0x9a, 0x0c}); // 200,000 tags
        for (int i = 0; i < 200_000; i++) {
            frame.writeBytes(new byte[] {100, 0});
        }
        frame.writeBytes(new byte[] {2, 'x', 2, 'y', 0});
        bounded(frame.toByteArray(), Listener.BROKER, MAX_ALLOCATED);
    }

    @Test
    void anEnvelopeInAnEnvelopeIsRefused() {
        EnvelopeRequestData inner = new EnvelopeRequestData().setRequestData(ByteBuffer.wrap(new byte[20]));
        inner.setRequestPrincipal(new byte[1]).setClientHostAddress(new byte[4]);
        ByteBuffer nested = Filler.frame(ApiKeys.ENVELOPE, (short) 0, inner, 1);
        EnvelopeRequestData outer = new EnvelopeRequestData().setRequestData(nested);
        outer.setRequestPrincipal(new byte[1]).setClientHostAddress(new byte[4]);
        assertThatThrownBy(() -> codec.decode(Filler.frame(ApiKeys.ENVELOPE, (short) 0, outer, 1), Listener.CONTROLLER))
                .isInstanceOf(MalformedFrameException.class)
                .hasMessage("Envelope may not come in an Envelope");
    }

    @Test
    void answersOfPeersAreBoundedToo() {
        PeerCodec peer = new PeerCodec("n", Samples.LISTENER);
        for (int count : COUNTS) {
            for (int at = 4; at < 60; at++) {
                byte[] answer = new byte[64];
                ByteBuffer.wrap(answer).putInt(0, 3).putInt(at, count);
                PeerCodec.Call call = peer.encode(new io.tidemark.core.message.ClientRequest.DescribeQuorum(), 3);
                long before = Allocation.bytes();
                try {
                    call.decode(ByteBuffer.wrap(answer));
                } catch (MalformedFrameException e) {
                    assertThat(e.getMessage()).isNotEmpty();
                }
                assertThat(Allocation.bytes() - before).isLessThan(MAX_ALLOCATED);
            }
        }
    }
}
