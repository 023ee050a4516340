package io.tidemark.runtime.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.Guards;
import io.tidemark.core.log.EpochStart;
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
import io.tidemark.storage.Base64Uuid;
import io.tidemark.storage.BatchFormat;
import io.tidemark.storage.FileHandle;
import io.tidemark.storage.LogConfig;
import io.tidemark.storage.LogDirectory;
import io.tidemark.storage.MetaProperties;
import io.tidemark.storage.PartitionLog;
import io.tidemark.storage.PartitionMetadata;
import io.tidemark.storage.PartitionName;
import io.tidemark.storage.memory.Faults;
import io.tidemark.storage.memory.MemoryDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Which of the directories found at the start is whose, and what is on disk when something says that it is. */
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

    private Ports ports(FlushThread flush) {
        return TestPorts.of(new ManualLoop(), new ManualNetwork(), flush, disk, new StepListener() {});
    }

    private LogManager start() {
        return start(ports(Runnable::run));
    }

    private LogManager start(Ports ports) {
        LogManager logs = new LogManager(ports, LogDirectory.open(disk, ROOT), LogConfig.DEFAULT);
        logs.openAll();
        return logs;
    }

    private static LogManager.Opened take(LogManager logs, TopicPartition id) {
        return Objects.requireNonNull(logs.take(id, "t", 0));
    }

    private static void append(PartitionLog log, int batches) {
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
        append(take(start(), OLD).log(), 3);
        disk.kill();
        assertThat(take(start(), OLD).log().logEndOffset()).isEqualTo(3);
    }

    /** A life that has no replica yet writes checkpoints all the same, of what the last one knew. */
    @Test
    void whatTheLastLifeKnewOutlivesCheckpointsOfOneWithoutReplicas() {
        PartitionLog log = take(start(), OLD).log();
        append(log, 3);
        log.flush(3);
        disk.kill();
        PartitionName name = new PartitionName("t", 0);
        LogDirectory before = LogDirectory.open(disk, ROOT);
        before.writeHighWatermarks(Map.of(name, 2L), 0);
        before.writeRecoveryPoints(Map.of(name, 3L), 0);
        before.writeLogStartOffsets(Map.of(name, 1L), 0);
        disk.kill();

        LogManager logs = start();
        logs.checkpointHighWatermarks(List.of());
        logs.checkpointRecoveryPoints(List.of());
        logs.checkpointLogStarts(List.of());
        disk.kill();

        LogManager.Opened again = take(start(), OLD);
        assertThat(again.state().hw()).isEqualTo(2);
        assertThat(again.state().logStart()).isEqualTo(1);
    }

    /** Log and checkpoints are written apart: a power loss may take more of the one, or of the other. */
    @Test
    void aHighWatermarkOutsideOfTheLogIsBroughtWithinIt() {
        append(take(start(), OLD).log(), 3);
        disk.kill();
        for (long checkpoint : new long[] {0, 1, 2, 3, 9}) {
            LogDirectory before = LogDirectory.open(disk, ROOT);
            before.writeHighWatermarks(Map.of(new PartitionName("t", 0), checkpoint), 0);
            before.writeLogStartOffsets(Map.of(new PartitionName("t", 0), 1L), 0);
            disk.kill();
            assertThat(take(start(), OLD).state().hw()).isEqualTo(Math.max(1, Math.min(checkpoint, 3)));
            disk.kill();
        }
    }

    /** A shorter log, after a power loss: what takes the place of the records that are gone is committed by nobody yet. */
    @Test
    void aHighWatermarkThatWasAboveTheLogDoesNotComeBackAsItGrows() {
        append(take(start(), OLD).log(), 3);
        disk.kill();
        LogDirectory before = LogDirectory.open(disk, ROOT);
        before.writeHighWatermarks(Map.of(new PartitionName("t", 0), 5L), 0);
        disk.kill();
        append(take(start(), OLD).log(), 1);
        disk.kill();
        LogManager.Opened again = take(start(), OLD);
        assertThat(again.log().logEndOffset()).isEqualTo(4);
        assertThat(again.state().hw()).isEqualTo(3);
    }

    /** Nor after a truncation, whatever was collected before it and comes to be written after it. */
    @Test
    void aHighWatermarkThatWasCutDoesNotComeBack() {
        List<Runnable> flushes = new ArrayList<>();
        append(take(start(), OLD).log(), 3);
        disk.kill();
        LogDirectory before = LogDirectory.open(disk, ROOT);
        before.writeHighWatermarks(Map.of(new PartitionName("t", 0), 3L), 0);
        disk.kill();
        Ports ports = ports(flushes::add);
        LogManager logs = start(ports);
        PartitionHost host = host(take(logs, OLD), ports);
        assertThat(host.view().hw()).isEqualTo(3);
        logs.checkpointHighWatermarks(List.of(host));
        logs.cut(host, 1);
        flushes.forEach(Runnable::run);
        disk.kill();
        assertThat(LogDirectory.open(disk, ROOT).highWatermark(new PartitionName("t", 0)))
                .isEqualTo(1);
    }

    /** Nor what was collected of a replica that is deleted before it is written: its name may be used again. */
    @Test
    void checkpointsOfADeletedReplicaDoNotComeBack() {
        List<Runnable> flushes = new ArrayList<>();
        append(take(start(), OLD).log(), 3);
        disk.kill();
        PartitionName name = new PartitionName("t", 0);
        LogDirectory before = LogDirectory.open(disk, ROOT);
        before.writeHighWatermarks(Map.of(name, 3L), 0);
        before.writeRecoveryPoints(Map.of(name, 3L), 0);
        before.writeLogStartOffsets(Map.of(name, 1L), 0);
        disk.kill();
        Ports ports = ports(flushes::add);
        LogManager logs = start(ports);
        PartitionHost host = host(take(logs, OLD), ports);
        logs.checkpointHighWatermarks(List.of(host));
        logs.checkpointRecoveryPoints(List.of(host));
        logs.checkpointLogStarts(List.of(host));
        logs.delete(host);
        assertThat(take(logs, new TopicPartition(new UUID(2, 2), 0)).log().logEndOffset())
                .isZero();
        flushes.forEach(Runnable::run);
        disk.kill();
        LogDirectory after = LogDirectory.open(disk, ROOT);
        assertThat(List.of(after.highWatermark(name), after.recoveryPoint(name), after.logStartOffset(name)))
                .containsOnly(0L);
    }

    /** Of a damaged log they keep what they said: an operator may mend it. */
    @Test
    void whatTheLastLifeKnewOfADamagedLogIsKept() throws IOException {
        append(take(start(), OLD).log(), 3);
        disk.kill();
        PartitionName name = new PartitionName("t", 0);
        LogDirectory before = LogDirectory.open(disk, ROOT);
        before.writeHighWatermarks(Map.of(name, 2L), 0);
        before.writeRecoveryPoints(Map.of(name, 3L), 0);
        before.writeLogStartOffsets(Map.of(name, 1L), 0);
        disk.kill();
        write("t-0", "partition.metadata", "what is this".getBytes(StandardCharsets.UTF_8));

        LogManager logs = start();
        assertThat(logs.take(OLD, "t", 0)).as("offline").isNull();
        logs.checkpointHighWatermarks(List.of());
        logs.checkpointRecoveryPoints(List.of());
        logs.checkpointLogStarts(List.of());
        disk.kill();
        LogDirectory after = LogDirectory.open(disk, ROOT);
        assertThat(after.highWatermark(name)).isEqualTo(2);
        assertThat(after.recoveryPoint(name)).isEqualTo(3);
        assertThat(after.logStartOffset(name)).isEqualTo(1);
    }

    /** What may have become of a log after a clean stop. */
    enum Damage {
        NONE,
        MOVED_AWAY,
        OFFLINE,
        OFFLINE_THEN_MOVED_AWAY,
        CUT
    }

    private void cleanStop(long brokerEpoch) {
        Ports ports = ports(Runnable::run);
        LogManager logs = start(ports);
        LogManager.Opened opened = logs.take(OLD, "t", 0);
        logs.closeAll(opened == null ? List.of() : List.of(host(opened, ports)), brokerEpoch);
        disk.kill();
    }

    /** Else a broker that lacks records would keep its place in the ELR, and might be elected. */
    @ParameterizedTest
    @EnumSource
    void aCleanStopCountsOnlyWhereAllThatItLeftIsHere(Damage damage) throws IOException {
        append(take(start(), OLD).log(), 3);
        disk.kill();
        cleanStop(8);
        switch (damage) {
            case NONE -> {}
            case MOVED_AWAY -> disk.deleteTree(ROOT.resolve("t-0"));
            case OFFLINE -> write("t-0", "partition.metadata", "what is this".getBytes(StandardCharsets.UTF_8));
            case OFFLINE_THEN_MOVED_AWAY -> {
                write("t-0", "partition.metadata", "what is this".getBytes(StandardCharsets.UTF_8));
                cleanStop(9);
                disk.deleteTree(ROOT.resolve("t-0"));
            }
            case CUT -> {
                try (FileHandle handle = disk.open(ROOT.resolve("t-0/00000000000000000000.log"), false)) {
                    handle.truncate(handle.size() - 1);
                }
            }
        }
        assertThat(start().previousBrokerEpoch()).isEqualTo(damage == Damage.NONE ? 8 : -1);
    }

    /** It has changed nothing: what the stop before it left is what there is, all of it or not. */
    @Test
    void aLifeThatNeverRegisteredLeavesTheMarkOfTheOneBefore() throws IOException {
        append(take(start(), OLD).log(), 3);
        disk.kill();
        cleanStop(8);
        cleanStop(-1);
        assertThat(start().previousBrokerEpoch()).isEqualTo(8);
        disk.kill();
        // The start above took the mark: a life that was killed came between.
        cleanStop(-1);
        assertThat(start().previousBrokerEpoch()).isEqualTo(-1);
        disk.kill();
        cleanStop(9);
        disk.deleteTree(ROOT.resolve("t-0"));
        cleanStop(-1);
        assertThat(start().previousBrokerEpoch()).isEqualTo(-1);
    }

    @Test
    void whatWasFsyncedIsFoundAgainAfterAPowerLoss() {
        for (int seed = 0; seed < 100; seed++) {
            format();
            PartitionLog log = take(start(), OLD).log();
            append(log, 3);
            log.flush(3);
            append(log, 2);
            disk.losePower(new SplittableRandom(seed));
            assertThat(take(start(), OLD).log().logEndOffset())
                    .as("seed " + seed)
                    .isBetween(3L, 5L);
        }
    }

    /** A replica on an opened log, of which only the log is used. */
    private PartitionHost host(LogManager.Opened opened, Ports ports) {
        return new PartitionHost(
                OLD,
                "t",
                new PartitionCore(new PartitionConfig(1, Guards.ALL), opened.state()),
                opened.log(),
                ports,
                new StepQueue(),
                new BrokerFixture());
    }

    /** What recovery takes on trust is what was fsynced when the checkpoint was asked for, whatever is appended behind it. */
    @Test
    void theRecoveryPointIsWhatIsOnDisk() throws IOException {
        List<Runnable> flushes = new ArrayList<>();
        Ports ports = ports(flushes::add);
        LogManager logs = start(ports);
        LogManager.Opened opened = take(logs, OLD);
        PartitionHost host = host(opened, ports);
        append(opened.log(), 3);
        logs.checkpointRecoveryPoints(List.of(host));
        opened.log().flush(3);
        append(opened.log(), 2);
        flushes.remove(0).run();
        assertThat(read("recovery-point-offset-checkpoint")).isEqualTo("0\n1\nt 0 0\n");
        logs.checkpointRecoveryPoints(List.of(host));
        flushes.remove(0).run();
        assertThat(read("recovery-point-offset-checkpoint")).isEqualTo("0\n1\nt 0 3\n");
        disk.losePower(new SplittableRandom(1));
        assertThat(take(start(), OLD).log().logEndOffset()).isBetween(3L, 5L);
    }

    /** A disk that answers nothing for an hour: what is written every few seconds does not pile up before it. */
    @Test
    void oneWritingOfEachCheckpointWaits() throws IOException {
        List<Runnable> flushes = new ArrayList<>();
        Ports ports = ports(flushes::add);
        LogManager logs = start(ports);
        LogManager.Opened opened = take(logs, OLD);
        PartitionHost host = host(opened, ports);
        for (int i = 0; i < 700; i++) {
            logs.checkpointHighWatermarks(List.of(host));
            logs.checkpointRecoveryPoints(List.of(host));
            logs.checkpointLogStarts(List.of(host));
        }
        assertThat(flushes).hasSize(3);
        flushes.forEach(Runnable::run);
        flushes.clear();
        append(opened.log(), 3);
        opened.log().flush(3);
        logs.checkpointRecoveryPoints(List.of(host));
        assertThat(flushes).hasSize(1);
        flushes.get(0).run();
        assertThat(read("recovery-point-offset-checkpoint")).isEqualTo("0\n1\nt 0 3\n");
    }

    private String read(String file) throws IOException {
        try (FileHandle handle = disk.open(ROOT.resolve(file), false)) {
            ByteBuffer bytes = ByteBuffer.allocate((int) handle.size());
            handle.read(bytes, 0);
            return new String(bytes.array(), StandardCharsets.UTF_8);
        }
    }

    /** In an orderly stop the logs come first, then what says of them that they are on disk, then what says that all are. */
    @Test
    void aStopFsyncsBeforeItSaysSo() {
        LogManager first = start();
        append(take(first, new TopicPartition(OLD.topicId(), 1)).log(), 2);
        disk.kill();
        LogManager logs = start();
        LogManager.Opened opened = take(logs, OLD);
        append(opened.log(), 3);
        List<String> effects = new ArrayList<>();
        disk.setFaults(new Faults() {
            @Override
            public void after(Effect effect, Path path) {
                String name = ROOT.relativize(path).toString();
                if (effect == Effect.FORCE && name.endsWith("0.log")) {
                    effects.add(name);
                } else if (effect == Effect.RENAME || effect == Effect.CREATE) {
                    effects.add(name);
                }
            }
        });
        logs.closeAll(List.of(host(opened, ports(Runnable::run))), 8);
        disk.setFaults(Faults.NONE);

        int lastForced = Math.max(
                effects.indexOf("t-0/00000000000000000000.log"), effects.indexOf("t-1/00000000000000000000.log"));
        assertThat(effects).contains("t-0/00000000000000000000.log", "t-1/00000000000000000000.log");
        assertThat(effects.indexOf("recovery-point-offset-checkpoint")).isGreaterThan(lastForced);
        assertThat(effects).containsOnlyOnce(".kafka_cleanshutdown").last().isEqualTo(".kafka_cleanshutdown");

        disk.losePower(new SplittableRandom(1));
        LogManager again = start();
        assertThat(again.previousBrokerEpoch()).isEqualTo(8);
        assertThat(take(again, OLD).log().logEndOffset()).isEqualTo(3);
        assertThat(take(again, new TopicPartition(OLD.topicId(), 1)).log().logEndOffset())
                .isEqualTo(2);
    }

    /** A power loss may take the topic's id and leave records: they must not become records of another topic. */
    @Test
    void aTopicMadeAnewHasNothingOfTheOneBefore() throws IOException {
        int recordsWithoutId = 0;
        for (int seed = 0; seed < 100; seed++) {
            format();
            append(take(start(), OLD).log(), 3);
            disk.losePower(new SplittableRandom(seed));
            boolean noId = PartitionMetadata.read(disk, ROOT.resolve("t-0")).isEmpty();
            LogManager logs = start();
            assertThat(take(logs, RECREATED).log().logEndOffset())
                    .as("seed " + seed)
                    .isZero();
            logs.moveStraysAside();
            assertThat(directories()).contains("t-0").doesNotContain("t-0.0-delete");
            recordsWithoutId += noId && directories().contains("t-0.0-stray") ? 1 : 0;
            disk.kill();
            assertThat(take(start(), RECREATED).state().logEnd()).isZero();
        }
        assertThat(recordsWithoutId).isPositive();
    }

    @Test
    void theDirectoryOfADeletedTopicIsMovedAsideWithItsRecords() throws IOException {
        LogManager first = start();
        append(take(first, OLD).log(), 3);
        take(first, new TopicPartition(OLD.topicId(), 1));
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
        append(take(start(), OLD).log(), 3);
        disk.kill();
        LogManager logs = start();
        PartitionLog log = take(logs, OLD).log();
        logs.moveStraysAside();
        assertThat(directories()).containsExactly("t-0");
        append(log, 1);
        assertThat(log.logEndOffset()).isEqualTo(4);
    }

    private void write(String directory, String file, byte[] content) throws IOException {
        try (FileHandle handle = disk.open(ROOT.resolve(directory).resolve(file), false)) {
            handle.truncate(0);
            handle.write(ByteBuffer.wrap(content), 0);
        }
    }

    @Test
    void oneMalformedDirectoryTakesItsOwnReplicaOffline() throws IOException {
        TopicPartition other = new TopicPartition(OLD.topicId(), 1);
        for (String malformed : List.of("garbage", "version: 0\ntopic_id: ?\n", "version: 1\n", "\u0001")) {
            format();
            LogManager first = start();
            append(take(first, OLD).log(), 3);
            append(take(first, other).log(), 2);
            disk.kill();
            write("t-0", "partition.metadata", malformed.getBytes(StandardCharsets.UTF_8));
            LogManager logs = start();
            assertThat(logs.take(OLD, "t", 0)).isNull();
            assertThat(take(logs, other).state().logEnd()).isEqualTo(2);
            logs.moveStraysAside();
            assertThat(directories()).containsExactly("t-0", "t-1");
            disk.kill();
            write(
                    "t-0",
                    "partition.metadata",
                    ("version: 0\ntopic_id: " + Base64Uuid.encode(OLD.topicId()) + "\n")
                            .getBytes(StandardCharsets.UTF_8));
            assertThat(take(start(), OLD).state().logEnd())
                    .as("once it is mended")
                    .isEqualTo(3);
        }
    }

    @Test
    void aLeaderEpochThatThePartitionNeverHadIsMended() {
        PartitionLog log = take(start(), OLD).log();
        append(log, 2);
        RecordBytes bytes = TestBatches.produced(1);
        BatchFormat.assign(bytes.buffer(), bytes.buffer().position(), 2, 32768);
        log.append(TestBatches.header(bytes), bytes.buffer());
        disk.kill();
        LogManager.Opened opened = Objects.requireNonNull(start().take(OLD, "t", 2));
        assertThat(opened.state().epochs()).containsExactly(new EpochStart(0, 0));
        assertThat(opened.state().logEnd()).isEqualTo(3);
        disk.kill();
        assertThat(Objects.requireNonNull(start().take(OLD, "t", 40000)).state().epochs())
                .as("on disk too")
                .containsExactly(new EpochStart(0, 0));
    }
}
