package io.tidemark.runtime.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.ErrorCode;
import io.tidemark.core.controller.ControllerRequest;
import io.tidemark.core.controller.ControllerResponse;
import io.tidemark.core.log.OffsetAndEpoch;
import io.tidemark.core.log.RecordBytes;
import io.tidemark.core.message.ClientRequest;
import io.tidemark.core.message.ClientResponse;
import io.tidemark.core.metadata.MetadataRecord;
import io.tidemark.core.metadata.TopicPartition;
import io.tidemark.core.quorum.Endpoint;
import io.tidemark.runtime.ManualLoop;
import io.tidemark.runtime.ManualNetwork;
import io.tidemark.runtime.NodeSettings;
import io.tidemark.runtime.Ports;
import io.tidemark.runtime.StepListener;
import io.tidemark.runtime.TestBatches;
import io.tidemark.runtime.TestObserver;
import io.tidemark.runtime.TestPorts;
import io.tidemark.runtime.TestSettings;
import io.tidemark.runtime.control.ControlPlane;
import io.tidemark.storage.BatchFormat;
import io.tidemark.storage.LogConfig;
import io.tidemark.storage.LogDirectory;
import io.tidemark.storage.MetaProperties;
import io.tidemark.storage.PartitionLog;
import io.tidemark.storage.PartitionName;
import io.tidemark.storage.memory.Faults;
import io.tidemark.storage.memory.MemoryDisk;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** How a broker's parts are put together; what each of them does is tested by itself. */
class BrokerTest {
    private static final long EPOCH = 40;
    private static final PartitionName NAME = new PartitionName("t", 0);

    private final NodeSettings settings = TestSettings.node();
    private final MemoryDisk disk = new MemoryDisk();
    private final ManualLoop loop = new ManualLoop();
    private final ManualNetwork network = new ManualNetwork();
    private long nextOffset;

    /** The life before: three records, all committed as far as it knew. */
    private void formerLife() {
        LogDirectory.format(
                disk, settings.logDir(), new MetaProperties(1, TestSettings.CLUSTER, settings.directoryId()));
        Ports ports = TestPorts.of(loop, network, Runnable::run, disk, StepListener.NONE);
        LogDirectory directory = LogDirectory.open(disk, settings.logDir());
        LogManager logs = new LogManager(ports, directory, LogConfig.DEFAULT);
        logs.openAll();
        PartitionLog log = Objects.requireNonNull(logs.take(new TopicPartition(BrokerFixture.TOPIC, 0), "t", 4))
                .log();
        for (int offset = 0; offset < 3; offset++) {
            RecordBytes bytes = TestBatches.produced(1);
            BatchFormat.assign(bytes.buffer(), 0, offset, 4);
            log.append(TestBatches.header(bytes), bytes.buffer());
        }
        log.flush(3);
        directory.writeHighWatermarks(Map.of(NAME, 3L), directory.cuts());
        disk.kill();
    }

    private Broker started() {
        Ports ports = TestPorts.of(loop, network, Runnable::run, disk, StepListener.NONE);
        LogManager logs = new LogManager(ports, LogDirectory.open(disk, settings.logDir()), LogConfig.DEFAULT);
        logs.openAll();
        Broker broker = new Broker(settings, ports, logs, () -> {}, TestObserver.NOBODY);
        broker.leadership(new ControlPlane.Leadership(2, 2, List.of(new Endpoint("CONTROLLER", "127.0.0.1", 9002))));
        broker.start();
        loop.run();
        take(ControllerRequest.RegisterBroker.class).answer(new ControllerResponse.RegisteredBroker(EPOCH));
        loop.run();
        return broker;
    }

    private void commit(Broker broker, MetadataRecord... records) {
        long base = nextOffset;
        nextOffset += records.length;
        broker.apply(new ControlPlane.CommittedBatch(base, nextOffset, List.of(records)));
        loop.run();
    }

    private ManualNetwork.Sent take(Class<?> kind) {
        List<ManualNetwork.Sent> found = network.sent().stream()
                .filter(sent -> kind.isInstance(sent.request()))
                .toList();
        assertThat(found).hasSize(1);
        network.sent().removeAll(found);
        return found.get(0);
    }

    private String certain(Path file) {
        return new String(Objects.requireNonNull(disk.certain(file)), StandardCharsets.UTF_8);
    }

    /** Else a death right after the cut, and a log that grows again, would show as committed what nobody has committed. */
    @Test
    void beforeALogIsCutTheHighWatermarkOnDiskIs() {
        formerLife();
        Path checkpoint = settings.logDir().resolve("replication-offset-checkpoint");
        assertThat(certain(checkpoint)).isEqualTo("0\n1\nt 0 3\n");
        Broker broker = started();
        commit(
                broker,
                BrokerFixture.register(1, settings.incarnation()),
                BrokerFixture.register(2, new UUID(2, 2)),
                new MetadataRecord.Topic("t", BrokerFixture.TOPIC),
                new MetadataRecord.Partition(BrokerFixture.TOPIC, 0, BrokerFixture.registration(2, 5, 10, 1, 2)));
        ManualNetwork.Sent sent = take(ClientRequest.Fetch.class);
        ClientRequest.Fetch fetch = (ClientRequest.Fetch) sent.request();
        assertThat(fetch.replicaEpoch()).isEqualTo(EPOCH);
        assertThat(fetch.items())
                .singleElement()
                .extracting(ClientRequest.Fetch.FetchItem::fetchOffset)
                .isEqualTo(3L);
        List<String> atTheCut = new ArrayList<>();
        disk.setFaults(new Faults() {
            @Override
            public void before(Effect effect, Path path) {
                if (effect == Effect.TRUNCATE && path.endsWith("t-0/00000000000000000000.log")) {
                    atTheCut.add(certain(checkpoint));
                }
            }
        });
        sent.answer(new ClientResponse.Fetched(
                ErrorCode.NONE,
                List.of(new ClientResponse.Fetched.FetchedItem(
                        fetch.items().get(0).partition(),
                        ErrorCode.NONE,
                        1,
                        0,
                        new OffsetAndEpoch(1, 4),
                        2,
                        5,
                        RecordBytes.EMPTY))));
        loop.run();
        assertThat(atTheCut).containsExactly("0\n1\nt 0 1\n");
    }
}
