package io.tidemark.simulation;

import io.tidemark.core.ErrorCode;
import io.tidemark.core.controller.ControllerRequest;
import io.tidemark.core.controller.ControllerResponse;
import io.tidemark.core.log.RecordBytes;
import io.tidemark.core.message.ClientRequest;
import io.tidemark.core.message.ClientResponse;
import io.tidemark.core.message.PartitionRef;
import io.tidemark.core.metadata.MetadataView;
import io.tidemark.core.metadata.PartitionRegistration;
import io.tidemark.core.metadata.TopicState;
import io.tidemark.runtime.NodeApi;
import io.tidemark.runtime.Regions;
import io.tidemark.runtime.port.Responder;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Clients of a simulated cluster: an idempotent producer and a consumer for each partition. The producer has one batch
 * under way, sends it again until it is answered, and gives each value once; so every value is acknowledged, or may be.
 */
final class SimClients {
    static final String TOPIC = "t";
    private static final int TIMEOUT_MS = 2_000;

    /** An acknowledged value and where it is. */
    record Acked(int partition, long offset, long value, long atMs) {}

    /** A value that a consumer read. */
    record Read(int partition, long offset, long value) {}

    private final World world;
    private final Shape shape;
    private final List<SimNode> nodes;
    private final RandomGenerator random;
    private final List<Acked> acked = new ArrayList<>();
    private final List<Read> reads = new ArrayList<>();
    private final TreeMap<Integer, Long> readOffsets = new TreeMap<>();
    private final TreeMap<Integer, Integer> leaders = new TreeMap<>();
    private long nextValue = 1;
    private boolean producing;

    SimClients(World world, Shape shape, List<SimNode> nodes) {
        this.world = world;
        this.shape = shape;
        this.nodes = nodes;
        this.random = world.random("clients");
    }

    List<Acked> acked() {
        return acked;
    }

    List<Read> reads() {
        return reads;
    }

    void start() {
        producing = true;
        for (int partition = 0; partition < shape.partitions(); partition++) {
            produceNext(partition, 0, 0);
            consumeNext(partition);
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
                        TOPIC, shape.partitions(), (short) shape.replicationFactor(), null, new TreeMap<>())),
                false,
                List.of(new UUID(7, 7)),
                0);
        SimNode node = nodes.get(random.nextInt(nodes.size()));
        ask(node, new ClientRequest.Admin(request, TIMEOUT_MS), answer -> {
            if (answer instanceof ClientResponse.Administered admin
                    && admin.response() instanceof ControllerResponse.CreatedTopics created) {
                ErrorCode error = created.topics().get(0).error();
                if (error == ErrorCode.NONE || error == ErrorCode.TOPIC_ALREADY_EXISTS) {
                    done.run();
                    return;
                }
            }
            world.after(200_000, () -> createTopic(done));
        });
    }

    private void produceNext(int partition, int epoch, int sequence) {
        if (!producing) {
            return;
        }
        long value = nextValue++;
        world.after(random.nextLong(1_000, 60_000), () -> produce(partition, epoch, sequence, value));
    }

    private void produce(int partition, int epoch, int sequence, long value) {
        RecordBytes batch = SimBatch.of(value, world.nowMs(), 1_000L + partition, (short) epoch, sequence);
        ClientRequest.Produce request = new ClientRequest.Produce(
                shape.acks(),
                TIMEOUT_MS,
                List.of(new ClientRequest.Produce.ProduceItem(
                        PartitionRef.byName(TOPIC, partition), ErrorCode.NONE, null, SimBatch.header(batch), batch)));
        ask(leaderOf(partition), request, answer -> {
            ErrorCode error = ErrorCode.REQUEST_TIMED_OUT;
            long offset = -1;
            if (answer instanceof ClientResponse.Produced produced) {
                error = produced.items().get(0).error();
                offset = produced.items().get(0).baseOffset();
            }
            if (error == ErrorCode.NONE) {
                if (shape.acks() != 0) {
                    acked.add(new Acked(partition, offset, value, world.nowMs()));
                    world.trace("acked " + partition + "@" + offset + "=" + value);
                }
                produceNext(partition, epoch, sequence + 1);
            } else if (error == ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER && shape.acks() != -1) {
                // What acks=1 lost is a hole in the sequence: a real producer starts a new epoch.
                produceNext(partition, epoch + 1, 0);
            } else {
                leaders.remove(partition);
                world.after(random.nextLong(20_000, 200_000), () -> produce(partition, epoch, sequence, value));
            }
        });
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
        ask(leaderOf(partition), request, answer -> {
            if (answer instanceof ClientResponse.Fetched fetched) {
                ClientResponse.Fetched.FetchedItem item = fetched.items().get(0);
                if (item.error() == ErrorCode.NONE && item.records().sizeInBytes() > 0) {
                    for (SimBatch.Stored record : SimBatch.read(Regions.bytes(item.records()))) {
                        if (record.offset() >= from) {
                            reads.add(new Read(partition, record.offset(), record.value()));
                            readOffsets.put(partition, record.offset() + 1);
                        }
                    }
                } else if (item.error() != ErrorCode.NONE) {
                    leaders.remove(partition);
                }
            } else {
                leaders.remove(partition);
            }
            consumeNext(partition);
        });
    }

    /** The leader that this client believes in; without one it asks any node that lives. */
    private SimNode leaderOf(int partition) {
        Integer known = leaders.get(partition);
        if (known != null) {
            return nodes.get(known - 1);
        }
        SimNode any = nodes.get(random.nextInt(nodes.size()));
        NodeApi api = any.api();
        if (api != null && !any.frozen()) {
            api.metadata(view -> leaderIn(view, partition), leader -> {
                if (leader > 0) {
                    leaders.put(partition, leader);
                }
            });
        }
        return any;
    }

    private static Integer leaderIn(MetadataView view, int partition) {
        TopicState topic = view.topic(TOPIC);
        PartitionRegistration registration =
                topic == null ? null : topic.partitions().get(partition);
        return registration == null ? -1 : registration.leader();
    }

    private void ask(SimNode node, ClientRequest request, Consumer<@Nullable Object> done) {
        boolean[] answered = new boolean[1];
        Consumer<@Nullable Object> once = answer -> {
            if (!answered[0]) {
                answered[0] = true;
                done.accept(answer);
            }
        };
        world.after((TIMEOUT_MS + 500) * 1000L, () -> once.accept(null));
        world.after(random.nextLong(50, 1_500), () -> {
            NodeApi api = node.api();
            if (api == null) {
                world.after(500, () -> once.accept(null));
                return;
            }
            api.client(request, new Answer(response -> {
                Object copied = SimNetwork.withBytes(response);
                world.after(random.nextLong(50, 1_500), () -> once.accept(copied));
            }));
        });
    }

    /** A responder whose identity is its own. */
    private static final class Answer implements Responder<ClientResponse> {
        private final Consumer<ClientResponse> answer;

        Answer(Consumer<ClientResponse> answer) {
            this.answer = answer;
        }

        @Override
        public void respond(ClientResponse response) {
            answer.accept(response);
        }
    }
}
