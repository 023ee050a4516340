package io.tidemark.simulation;

import io.tidemark.core.ErrorCode;
import io.tidemark.core.controller.ControllerRequest;
import io.tidemark.core.controller.ControllerResponse;
import io.tidemark.core.log.RecordBytes;
import io.tidemark.core.log.RecordsRef;
import io.tidemark.core.message.ClientRequest;
import io.tidemark.core.message.ClientResponse;
import io.tidemark.core.message.PartitionRef;
import io.tidemark.core.metadata.MetadataView;
import io.tidemark.core.metadata.PartitionRegistration;
import io.tidemark.core.metadata.TopicPartition;
import io.tidemark.runtime.NodeApi;
import io.tidemark.runtime.Regions;
import io.tidemark.storage.CorruptBatchException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Clients of a simulated cluster: an idempotent producer and a consumer for each partition. The producer has a few batches
 * under way, sends each again until it is answered, and gives each value once; so every value is acknowledged, or may be.
 */
final class SimClients {
    static final String TOPIC = "t";
    private static final int TIMEOUT_MS = 2_000;

    /** An acknowledged value and where it is; the epoch is that of the record as the leader had it. */
    record Acked(TopicPartition partition, long offset, int epoch, long value, long atMs) {}

    /** A value that a consumer read. */
    record Read(TopicPartition partition, long offset, int epoch, long value) {}

    private final World world;
    private final Shape shape;
    private final SimNetwork network;
    private final List<SimNode> nodes;
    private final RandomGenerator random;
    private final List<Acked> acked = new ArrayList<>();
    private final List<Read> reads = new ArrayList<>();
    private final TreeMap<Integer, Integer> ackedOf = new TreeMap<>();
    private final Invariants invariants;
    private final TreeMap<Integer, Long> readOffsets = new TreeMap<>();
    private final TreeMap<TopicPartition, Integer> leaders = new TreeMap<>();
    private final TreeMap<TopicPartition, SimWriter> writers = new TreeMap<>();
    private long nextProducerId = 1_000;
    private UUID topicId = PartitionRef.NO_ID;
    private long nextValue = 1;
    private boolean producing;
    private int duplicates;

    SimClients(World world, Shape shape, SimNetwork network, List<SimNode> nodes, Invariants invariants) {
        this.invariants = invariants;
        this.network = network;
        this.world = world;
        this.shape = shape;
        this.nodes = nodes;
        this.random = world.random("clients");
    }

    List<Acked> acked() {
        return acked;
    }

    /** How many values of a partition of the topic under load were acknowledged. */
    int ackedOf(int partition) {
        return ackedOf.getOrDefault(partition, 0);
    }

    /** Whether something is written to a partition of the topic under load. */
    boolean writes(int partition) {
        return writers.containsKey(new TopicPartition(topicId, partition));
    }

    /** How many batches were acknowledged after a later one: sent again, they were told where they stand. */
    int duplicates() {
        return duplicates;
    }

    List<Read> reads() {
        return reads;
    }

    void start(UUID topic) {
        start(topic, IntStream.range(0, shape.partitions).boxed().toList());
    }

    /** Begins to write to and read some partitions of the topic. */
    void start(UUID topic, List<Integer> partitions) {
        topicId = topic;
        if (shape.flushMessages == 1) {
            network.flushesEach(topic);
        }
        producing = true;
        for (int partition : partitions) {
            write(new TopicPartition(topicId, partition));
            consumeNext(partition);
        }
    }

    /** Begins to write to a partition. */
    void write(TopicPartition id) {
        SimWriter writer = new SimWriter(id, nextProducerId++);
        writers.put(id, writer);
        produceNext(writer);
    }

    UUID topicId() {
        return topicId;
    }

    /** No new values there; what is under way goes on no longer. */
    void stopWriting(TopicPartition id) {
        SimWriter writer = writers.remove(id);
        if (writer != null) {
            writer.stopped = true;
        }
    }

    /** No new values; what is under way goes on. */
    void stopProducing() {
        producing = false;
    }

    /** Asks some node to create the topic until it exists. */
    void createTopic(Runnable done) {
        ControllerRequest.CreateTopics request = new ControllerRequest.CreateTopics(
                List.of(new ControllerRequest.NewTopic(
                        TOPIC, shape.partitions, (short) shape.replicationFactor, null, new TreeMap<>())),
                false,
                List.of(PartitionRef.NO_ID),
                0);
        administer(request, response -> {
            if (response instanceof ControllerResponse.CreatedTopics created) {
                ErrorCode error = created.topics().get(0).error();
                if (error == ErrorCode.NONE || error == ErrorCode.TOPIC_ALREADY_EXISTS) {
                    done.run();
                    return;
                }
            }
            world.after(200_000, () -> createTopic(done));
        });
    }

    private void produceNext(SimWriter writer) {
        if (producing && !writer.stopped && !writer.nextIsDue && writer.mayHaveAnother(shape.inFlight)) {
            writer.nextIsDue = true;
            long value = nextValue++;
            world.after(random.nextLong(1_000, shape.produceEveryMs * 1_000L), () -> {
                writer.nextIsDue = false;
                if (writer.mayHaveAnother(shape.inFlight)) {
                    produce(writer, writer.next(value));
                    produceNext(writer);
                }
            });
        }
    }

    private PartitionRef ref(TopicPartition id) {
        return id.topicId().equals(topicId)
                ? PartitionRef.byName(TOPIC, id.partition())
                : PartitionRef.byId(id.topicId(), id.partition());
    }

    private void produce(SimWriter writer, SimWriter.Batch batch) {
        if (writer.stopped || batch.epoch != writer.epoch) {
            return;
        }
        if (batch.again && !writer.isFirst(batch)) {
            again(writer, batch);
            return;
        }
        RecordBytes records =
                SimBatch.of(batch.value, world.wallMs(), writer.producerId, (short) batch.epoch, batch.sequence);
        ClientRequest.Produce request = new ClientRequest.Produce(
                shape.acks,
                TIMEOUT_MS,
                List.of(new ClientRequest.Produce.ProduceItem(
                        ref(writer.id), ErrorCode.NONE, null, SimBatch.header(records), records)));
        SimNode leader = leaderOf(writer.id);
        long arrivalUs = writer.arrivalUs(world.nowUs() + delayUs());
        int[] epoch = {-1};
        ask(
                leader,
                arrivalUs - world.nowUs(),
                request,
                response -> epoch[0] = promised(leader, writer, batch, response),
                answer -> {
                    ErrorCode error = ErrorCode.REQUEST_TIMED_OUT;
                    long offset = -1;
                    if (answer instanceof ClientResponse.Produced produced) {
                        error = produced.items().get(0).error();
                        offset = produced.items().get(0).baseOffset();
                    }
                    produced(writer, batch, error, offset, epoch[0]);
                });
    }

    private void produced(SimWriter writer, SimWriter.Batch batch, ErrorCode error, long offset, int epoch) {
        if (error == ErrorCode.NONE && shape.acks != 0) {
            acked.add(new Acked(writer.id, offset, epoch, batch.value, world.nowMs()));
            if (writer.id.topicId().equals(topicId)) {
                ackedOf.merge(writer.id.partition(), 1, Integer::sum);
            }
            world.trace("acked " + writer.id.partition() + "@" + offset + "=" + batch.value);
            if (batch.epoch == writer.epoch) {
                duplicates += writer.acknowledged(batch) ? 0 : 1;
            }
        }
        if (batch.epoch != writer.epoch) {
            return;
        }
        if (error == ErrorCode.NONE) {
            writer.answered(batch);
            produceNext(writer);
            return;
        }
        leaders.remove(writer.id);
        if (error == ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER && writer.isFirst(batch)) {
            writer.beginEpoch();
            produceNext(writer);
            return;
        }
        again(writer, batch);
    }

    private void again(SimWriter writer, SimWriter.Batch batch) {
        batch.again = true;
        world.after(random.nextLong(20_000, 200_000), () -> produce(writer, batch));
    }

    private long delayUs() {
        return random.nextLong(50, 1_500);
    }

    /** The epoch of what the node is acknowledging; with acks=all the record is committed by now. */
    private int promised(SimNode leader, SimWriter writer, SimWriter.Batch batch, ClientResponse response) {
        TopicPartition id = writer.id;
        if (!(response instanceof ClientResponse.Produced produced) || shape.acks == 0) {
            return -1;
        }
        ErrorCode error = produced.items().get(0).error();
        Invariants.require(
                error != ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER
                        || shape.acks != -1
                        || !writer.isFirst(batch)
                        || invariants.exposure().lost(id)
                        || invariants.exposure().isBehind(leader.id(), id),
                "SequenceKept",
                "broker " + leader.id() + " misses a sequence of " + id + ", and nothing was lost");
        if (error != ErrorCode.NONE) {
            return -1;
        }
        long offset = produced.items().get(0).baseOffset();
        if (shape.flushMessages == 1 && id.topicId().equals(topicId)) {
            Promises.acknowledges(leader, id, offset);
        }
        int epoch = invariants.exposure().epochAt(leader.id(), id, offset);
        Invariants.require(
                shape.acks != -1 || invariants.exposure().committed(id, offset, epoch),
                "AckedCommitted",
                "broker " + leader.id() + " acknowledges " + id.partition() + "@" + offset + " of epoch " + epoch
                        + ", which is not committed");
        return epoch;
    }

    private void consumeNext(int partition) {
        world.after(random.nextLong(5_000, 100_000), () -> consume(partition));
    }

    private void consume(int partition) {
        long from = readOffsets.getOrDefault(partition, 0L);
        ClientRequest.Fetch request = new ClientRequest.Fetch(
                ClientRequest.Fetch.CONSUMER,
                -1,
                500,
                1,
                1 << 20,
                List.of(new ClientRequest.Fetch.FetchItem(
                        PartitionRef.byName(TOPIC, partition), -1, from, -1, -1, 1 << 20)));
        TopicPartition id = new TopicPartition(topicId, partition);
        SimNode leader = leaderOf(id);
        ask(leader, delayUs(), request, response -> {}, answer -> {
            ErrorCode error = ErrorCode.REQUEST_TIMED_OUT;
            if (answer instanceof ClientResponse.Fetched fetched) {
                ClientResponse.Fetched.FetchedItem item = fetched.items().get(0);
                error = item.error();
                if (error == ErrorCode.NONE && item.records().sizeInBytes() > 0) {
                    read(id, from, item.records());
                }
            }
            if (error == ErrorCode.OFFSET_OUT_OF_RANGE) {
                readOffsets.put(partition, 0L);
            } else if (error != ErrorCode.NONE) {
                leaders.remove(id);
            }
            consumeNext(partition);
        });
    }

    /**
     * What it asked for, unless a CRC is wrong: then all of it is asked for again. The network sees that there was a reason.
     */
    private void read(TopicPartition id, long from, RecordsRef records) {
        try {
            for (SimBatch.Stored record : SimBatch.read(Regions.bytes(records))) {
                if (record.offset() >= from) {
                    reads.add(new Read(id, record.offset(), record.leaderEpoch(), record.value()));
                    readOffsets.put(id.partition(), record.offset() + 1);
                }
            }
        } catch (CorruptBatchException damaged) {
            world.tell(() -> "client p" + id.partition() + " asks again from " + from + ": " + damaged.getMessage());
        }
    }

    /** The leader that this client believes in; without one it asks any node that lives. */
    private SimNode leaderOf(TopicPartition id) {
        Integer known = leaders.get(id);
        if (known != null) {
            return nodes.get(known - 1);
        }
        SimNode any = anyNode();
        NodeApi api = any.api();
        if (api != null && !any.frozen()) {
            api.metadata(view -> leaderIn(view, id), leader -> {
                if (leader > 0) {
                    leaders.put(id, leader);
                }
            });
        }
        return any;
    }

    /** A node that clients believe to lead a partition, -1 where they know of none. */
    int someLeader(RandomGenerator draw) {
        List<Integer> known = List.copyOf(leaders.values());
        return known.isEmpty() ? -1 : known.get(draw.nextInt(known.size()));
    }

    private SimNode anyNode() {
        return nodes.get(random.nextInt(nodes.size()));
    }

    private static Integer leaderIn(MetadataView view, TopicPartition id) {
        PartitionRegistration registration = view.partition(id);
        return registration == null ? -1 : registration.leader();
    }

    /** Asks any node to have the controller do it; null where no answer comes. */
    void administer(ControllerRequest request, Consumer<@Nullable ControllerResponse> done) {
        ask(
                anyNode(),
                delayUs(),
                new ClientRequest.Admin(request, TIMEOUT_MS),
                response -> {},
                answer -> done.accept(
                        answer instanceof ClientResponse.Administered administered ? administered.response() : null));
    }

    /** {@code atNode} sees the answer when the node gives it, {@code done} when it arrives; null where none does. */
    private void ask(
            SimNode node,
            long delayUs,
            ClientRequest request,
            Consumer<ClientResponse> atNode,
            Consumer<@Nullable Object> done) {
        network.ask(node, delayUs, request, TIMEOUT_MS + 500, atNode, done);
    }
}
