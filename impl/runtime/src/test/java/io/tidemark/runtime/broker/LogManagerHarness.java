package io.tidemark.runtime.broker;

import io.tidemark.core.Guards;
import io.tidemark.core.log.RecordBytes;
import io.tidemark.core.metadata.TopicPartition;
import io.tidemark.core.partition.PartitionConfig;
import io.tidemark.core.partition.PartitionCore;
import io.tidemark.runtime.ManualLoop;
import io.tidemark.runtime.ManualNetwork;
import io.tidemark.runtime.Ports;
import io.tidemark.runtime.StepListener;
import io.tidemark.runtime.StepQueue;
import io.tidemark.runtime.TestBatches;
import io.tidemark.runtime.TestPorts;
import io.tidemark.runtime.port.FlushThread;
import io.tidemark.storage.BatchFormat;
import io.tidemark.storage.FileHandle;
import io.tidemark.storage.LogConfig;
import io.tidemark.storage.LogDirectory;
import io.tidemark.storage.MetaProperties;
import io.tidemark.storage.PartitionLog;
import io.tidemark.storage.memory.MemoryDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;

/** A broker's log directory in memory, whose lives a test ends as it likes; partition 0 of topic {@code t} is in it. */
abstract class LogManagerHarness {
    static final Path ROOT = Path.of("/data");
    static final TopicPartition OLD = new TopicPartition(new UUID(1, 1), 0);
    MemoryDisk disk = new MemoryDisk();
    LogConfig config = LogConfig.DEFAULT;

    @BeforeEach
    void format() {
        disk = new MemoryDisk();
        LogDirectory.format(disk, ROOT, new MetaProperties(1, "c", new UUID(3, 3)));
    }

    Ports ports(FlushThread flush) {
        return TestPorts.of(new ManualLoop(), new ManualNetwork(), flush, disk, new StepListener() {});
    }

    LogManager start() {
        return start(ports(Runnable::run));
    }

    LogManager start(Ports ports) {
        LogManager logs = new LogManager(ports, LogDirectory.open(disk, ROOT), config);
        logs.openAll();
        return logs;
    }

    static LogManager.Opened take(LogManager logs, TopicPartition id) {
        return Objects.requireNonNull(logs.take(id, "t", 0));
    }

    static void append(PartitionLog log, int batches) {
        for (int i = 0; i < batches; i++) {
            RecordBytes bytes = TestBatches.produced(1);
            BatchFormat.assign(bytes.buffer(), bytes.buffer().position(), log.logEndOffset(), 0);
            log.append(TestBatches.header(bytes), bytes.buffer());
        }
    }

    /** A replica on an opened log, of which only the log is used. */
    PartitionHost host(LogManager.Opened opened, Ports ports) {
        return new PartitionHost(
                OLD,
                "t",
                new PartitionCore(new PartitionConfig(1, Guards.ALL), opened.state()),
                opened.log(),
                ports,
                new StepQueue(),
                new BrokerFixture());
    }

    void write(String directory, String file, byte[] content) throws IOException {
        try (FileHandle handle = disk.open(ROOT.resolve(directory).resolve(file), false)) {
            handle.truncate(0);
            handle.write(ByteBuffer.wrap(content), 0);
        }
    }
}
