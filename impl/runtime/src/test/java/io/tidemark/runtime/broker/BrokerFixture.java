package io.tidemark.runtime.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.ErrorCode;
import io.tidemark.core.Guards;
import io.tidemark.core.Step;
import io.tidemark.core.log.LogState;
import io.tidemark.core.log.RecordBytes;
import io.tidemark.core.message.ClientRequest;
import io.tidemark.core.message.PartitionRef;
import io.tidemark.core.metadata.BrokerRegistration;
import io.tidemark.core.metadata.LeaderRecovery;
import io.tidemark.core.metadata.MetadataRecord;
import io.tidemark.core.metadata.MetadataState;
import io.tidemark.core.metadata.PartitionRegistration;
import io.tidemark.core.metadata.TopicPartition;
import io.tidemark.core.partition.AlterPartitionAsked;
import io.tidemark.core.partition.FetchAsked;
import io.tidemark.core.partition.PartitionConfig;
import io.tidemark.core.partition.PartitionCore;
import io.tidemark.core.partition.PartitionEffect;
import io.tidemark.core.partition.PartitionInput;
import io.tidemark.core.quorum.Endpoint;
import io.tidemark.runtime.ManualLoop;
import io.tidemark.runtime.ManualNetwork;
import io.tidemark.runtime.Ports;
import io.tidemark.runtime.StepListener;
import io.tidemark.runtime.StepQueue;
import io.tidemark.runtime.TestBatches;
import io.tidemark.runtime.TestPorts;
import io.tidemark.runtime.control.ControlPlane;
import io.tidemark.storage.LogConfig;
import io.tidemark.storage.PartitionLog;
import io.tidemark.storage.Recovered;
import io.tidemark.storage.memory.MemoryDisk;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Broker 1 of 1, 2 and 3: real cores, metadata and logs; loop, network and fsync are the test's. Topic {@code t} gets its
 * partitions by {@link #lead} and {@link #follow}.
 */
final class BrokerFixture implements MetadataApplier.Hosts, PartitionHost.Neighbours, StepListener {
    static final UUID INCARNATION = new UUID(1, 1);
    static final UUID TOPIC = new UUID(7, 7);
    static final long EPOCH = 500;

    final ManualLoop loop = new ManualLoop();
    final ManualNetwork network = new ManualNetwork();
    final List<Runnable> fsyncs = new ArrayList<>();
    final List<PartitionInput> inputs = new ArrayList<>();
    final List<FetchAsked> fetches = new ArrayList<>();
    final List<String> removed = new ArrayList<>();

    /** Whether the log of every replica that is made is damaged. */
    boolean damaged;

    /** Where this broker was to lead with a damaged log: {@code name@leaderEpoch}. */
    final List<String> ledOffline = new ArrayList<>();
    /** Where a log was about to be cut, and its end then. */
    final List<String> cuts = new ArrayList<>();

    final List<Long> starts = new ArrayList<>();
    /** How many replicas there were when all that the metadata places here were made. */
    final List<Integer> allCreated = new ArrayList<>();

    final MetadataState metadata = new MetadataState(1, new TreeMap<>());
    final PartitionHosts replicas = new PartitionHosts(metadata);
    final MetadataApplier applier = new MetadataApplier(1, INCARNATION, metadata, replicas, this);
    final ControllerChannel controller = new ControllerChannel(loop, network);
    final AlterPartitions alterPartitions = new AlterPartitions(1, loop, controller, () -> EPOCH, 1_000);
    final MemoryDisk disk;
    /** Of the logs that are made from now on. */
    LogConfig logConfig = LogConfig.DEFAULT;

    private final StepQueue steps = new StepQueue();
    private final boolean flushEveryMessage;
    private long nextOffset;
    private final Ports ports;

    BrokerFixture() {
        this(false, new MemoryDisk());
    }

    private BrokerFixture(boolean flushEveryMessage, MemoryDisk disk) {
        this.flushEveryMessage = flushEveryMessage;
        this.disk = disk;
        this.ports = TestPorts.of(loop, network, fsyncs::add, disk, this);
    }

    /** This life and two others are registered and active, and the topic exists; a controller is known. */
    static BrokerFixture started(boolean flushEveryMessage) {
        return new BrokerFixture(flushEveryMessage, new MemoryDisk()).start();
    }

    /** The process was killed, and another has started on its disk; where flush.messages is 1, the topic's config says so. */
    BrokerFixture killedAndStarted() {
        disk.kill();
        return new BrokerFixture(false, disk).start();
    }

    private BrokerFixture start() {
        commit(
                register(1, INCARNATION),
                register(2, new UUID(2, 2)),
                register(3, new UUID(3, 3)),
                new MetadataRecord.Topic("t", TOPIC));
        controller(2);
        return this;
    }

    static BrokerFixture started() {
        return started(false);
    }

    void controller(int id) {
        controller.leadership(
                new ControlPlane.Leadership(id, id, List.of(new Endpoint("CONTROLLER", "127.0.0.1", 9000 + id))));
        loop.run();
    }

    static MetadataRecord.RegisterBroker register(int id, UUID incarnation) {
        return new MetadataRecord.RegisterBroker(new BrokerRegistration(
                id,
                100 + id,
                incarnation,
                List.of(new Endpoint("PLAINTEXT", "127.0.0.1", 9090 + id)),
                new TreeMap<>(),
                null,
                List.of(),
                false,
                false));
    }

    static PartitionRegistration registration(int leader, int leaderEpoch, int partitionEpoch, Integer... isr) {
        return new PartitionRegistration(
                List.of(1, 2, 3),
                List.of(),
                List.of(isr),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                leader,
                LeaderRecovery.RECOVERED,
                leaderEpoch,
                partitionEpoch);
    }

    void commit(MetadataRecord... records) {
        long base = nextOffset;
        nextOffset += records.length;
        applier.apply(new ControlPlane.CommittedBatch(base, nextOffset, List.of(records)));
    }

    static MetadataRecord minIsr(int minIsr) {
        return new MetadataRecord.Config(
                MetadataRecord.Config.TOPIC, "t", "min.insync.replicas", String.valueOf(minIsr));
    }

    static MetadataRecord flushMessages(int messages) {
        return new MetadataRecord.Config(MetadataRecord.Config.TOPIC, "t", "flush.messages", String.valueOf(messages));
    }

    /** This broker leads a new partition with this ISR, in leader epoch 4. */
    PartitionHost lead(int partition, Integer... isr) {
        commit(new MetadataRecord.Partition(TOPIC, partition, registration(1, 4, 9, isr)));
        return host(partition);
    }

    /** Broker 2 leads a new partition, in leader epoch 4. */
    PartitionHost follow(int partition) {
        commit(new MetadataRecord.Partition(TOPIC, partition, registration(2, 4, 9, 1, 2, 3)));
        return host(partition);
    }

    PartitionHost host(int partition) {
        return Objects.requireNonNull(replicas.get(new TopicPartition(TOPIC, partition)));
    }

    static ClientRequest.Produce.ProduceItem produce(int partition, int records) {
        return produce(partition, TestBatches.produced(records));
    }

    private static ClientRequest.Produce.ProduceItem produce(int partition, RecordBytes batch) {
        return new ClientRequest.Produce.ProduceItem(
                PartitionRef.byName("t", partition), ErrorCode.NONE, null, TestBatches.header(batch), batch);
    }

    /** Appends without a client that waits. */
    void append(int partition, int records) {
        append(partition, TestBatches.produced(records));
    }

    void append(int partition, RecordBytes batch) {
        ClientRequest.Produce request = new ClientRequest.Produce((short) 1, 1_000, List.of(produce(partition, batch)));
        new ProduceCall(request, response -> {}).start(replicas, loop);
        loop.run();
    }

    /** Everything that was handed to an fsync thread is done. */
    void fsync() {
        List<Runnable> due = List.copyOf(fsyncs);
        fsyncs.clear();
        due.forEach(Runnable::run);
        loop.run();
    }

    /** Inputs of this kind that the replicas have taken. */
    <T extends PartitionInput> List<T> inputs(Class<T> kind) {
        return inputs.stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    @Override
    public @Nullable PartitionHost create(TopicPartition id, String topic, int leaderEpoch) {
        if (damaged) {
            return null;
        }
        try {
            Path dir = Path.of("/logs", topic + "-" + id.partition());
            disk.createDirectories(dir);
            Recovered found = PartitionLog.open(disk, dir, logConfig, false, 0, 0);
            LogState state = new LogState(
                    found.logStartOffset(),
                    found.logEndOffset(),
                    found.log().durableEndOffset(),
                    0,
                    found.epochs(),
                    found.producers());
            PartitionCore core = new PartitionCore(new PartitionConfig(1, Guards.ALL), state);
            if (flushEveryMessage) {
                core.apply(new PartitionInput.ApplyFlushChange(1));
            }
            return new PartitionHost(id, topic, core, found.log(), ports, steps, this);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void leadsOffline(TopicPartition id, String topic, int leaderEpoch) {
        ledOffline.add(topic + "-" + id.partition() + "@" + leaderEpoch);
    }

    @Override
    public void delete(PartitionHost host) {
        host.close();
        removed.add(host.name());
    }

    @Override
    public void allCreated() {
        allCreated.add(replicas.all().size());
    }

    @Override
    public void partition(
            TopicPartition partition, PartitionCore core, PartitionInput input, Step<PartitionEffect> step) {
        inputs.add(input);
    }

    @Override
    public void fetch(PartitionHost host, FetchAsked request) {
        fetches.add(request);
    }

    @Override
    public void abandonFetch(PartitionHost host) {}

    @Override
    public void alterPartition(PartitionHost host, AlterPartitionAsked request) {
        alterPartitions.put(host, request);
    }

    @Override
    public void abandonAlterPartition(PartitionHost host) {
        alterPartitions.remove(host);
    }

    @Override
    public void cutting(PartitionHost host, long end) {
        cuts.add("at " + end + " of " + host.log.logEndOffset());
    }

    @Override
    public void startingAnew(PartitionHost host, long start) {
        cutting(host, start);
        starts.add(start);
    }

    @Override
    public void startedAnew(PartitionHost host, long start) {
        assertThat(host.log.firstOffset()).isEqualTo(start);
        starts.add(start);
    }
}
