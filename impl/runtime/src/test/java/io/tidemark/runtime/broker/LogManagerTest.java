package io.tidemark.runtime.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.log.RecordBytes;
import io.tidemark.core.metadata.TopicPartition;
import io.tidemark.runtime.ManualLoop;
import io.tidemark.runtime.ManualNetwork;
import io.tidemark.runtime.Ports;
import io.tidemark.runtime.StepListener;
import io.tidemark.runtime.TestBatches;
import io.tidemark.runtime.TestPorts;
import io.tidemark.storage.BatchFormat;
import io.tidemark.storage.LogConfig;
import io.tidemark.storage.LogDirectory;
import io.tidemark.storage.MetaProperties;
import io.tidemark.storage.PartitionMetadata;
import io.tidemark.storage.ReplicaLog;
import io.tidemark.storage.memory.MemoryDisk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which of the directories found at the start is whose. */
class LogManagerTest {
    private static final Path ROOT = Path.of("/data");
    private static final TopicPartition OLD = new TopicPartition(new UUID(1, 1), 0);
    private static final TopicPartition RECREATED = new TopicPartition(new UUID(2, 2), 0);

    private MemoryDisk disk = new MemoryDisk();

    @BeforeEach
    void format() {
        disk = new MemoryDisk();
        LogDirectory.format(disk, ROOT, new MetaProperties(1, "c", new UUID(3, 3)));
    }

    private LogManager start() {
        Ports ports = TestPorts.of(new ManualLoop(), new ManualNetwork(), Runnable::run, disk, new StepListener() {});
        LogManager logs = new LogManager(ports, LogDirectory.open(disk, ROOT), LogConfig.DEFAULT);
        logs.openAll();
        return logs;
    }

    private static void append(ReplicaLog log, int batches) {
        for (int i = 0; i < batches; i++) {
            RecordBytes bytes = TestBatches.produced(1);
            BatchFormat.assign(bytes.buffer(), bytes.buffer().position(), log.logEndOffset(), 0);
            log.append(TestBatches.header(bytes), bytes.buffer());
        }
    }

    private List<String> directories() throws IOException {
        return disk.list(ROOT).stream()
                .map(path -> String.valueOf(path.getFileName()))
                .filter(name -> name.startsWith("t-"))
                .sorted()
                .toList();
    }

    @Test
    void aReplicaFindsItsRecordsAgain() {
        append(start().take(OLD, "t").log(), 3);
        disk.kill();
        assertThat(start().take(OLD, "t").log().logEndOffset()).isEqualTo(3);
    }

    @Test
    void whatWasFsyncedIsFoundAgainAfterAPowerLoss() {
        for (int seed = 0; seed < 100; seed++) {
            format();
            ReplicaLog log = start().take(OLD, "t").log();
            append(log, 3);
            log.flush(3);
            append(log, 2);
            disk.losePower(new SplittableRandom(seed));
            assertThat(start().take(OLD, "t").log().logEndOffset())
                    .as("seed " + seed)
                    .isBetween(3L, 5L);
        }
    }

    /** A power loss may take the topic's id and leave records: they must not become records of another topic. */
    @Test
    void aTopicMadeAnewHasNothingOfTheOneBefore() throws IOException {
        int recordsWithoutId = 0;
        for (int seed = 0; seed < 100; seed++) {
            format();
            append(start().take(OLD, "t").log(), 3);
            disk.losePower(new SplittableRandom(seed));
            boolean noId = PartitionMetadata.read(disk, ROOT.resolve("t-0")).isEmpty();
            LogManager logs = start();
            assertThat(logs.take(RECREATED, "t").log().logEndOffset())
                    .as("seed " + seed)
                    .isZero();
            logs.moveStraysAside();
            assertThat(directories()).contains("t-0").doesNotContain("t-0.0-delete");
            recordsWithoutId += noId && directories().contains("t-0.0-stray") ? 1 : 0;
            disk.kill();
            assertThat(start().take(RECREATED, "t").state().logEnd()).isZero();
        }
        assertThat(recordsWithoutId).isPositive();
    }

    @Test
    void theDirectoryOfADeletedTopicIsMovedAsideWithItsRecords() throws IOException {
        LogManager first = start();
        append(first.take(OLD, "t").log(), 3);
        first.take(new TopicPartition(OLD.topicId(), 1), "t");
        disk.kill();
        LogManager second = start();
        assertThat(directories()).containsExactly("t-0", "t-1");
        second.moveStraysAside();
        assertThat(directories()).as("without records there is nothing to keep").containsExactly("t-0.0-stray");
        disk.kill();
        start().moveStraysAside();
        assertThat(directories()).as("until the operator deletes it").containsExactly("t-0.0-stray");
    }

    @Test
    void whatIsTakenIsNoStray() throws IOException {
        append(start().take(OLD, "t").log(), 3);
        disk.kill();
        LogManager logs = start();
        ReplicaLog log = logs.take(OLD, "t").log();
        logs.moveStraysAside();
        assertThat(directories()).containsExactly("t-0");
        append(log, 1);
        assertThat(log.logEndOffset()).isEqualTo(4);
    }
}
