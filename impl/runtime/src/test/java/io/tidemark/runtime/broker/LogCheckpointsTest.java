package io.tidemark.runtime.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.metadata.TopicPartition;
import io.tidemark.runtime.Ports;
import io.tidemark.storage.FileHandle;
import io.tidemark.storage.LogDirectory;
import io.tidemark.storage.PartitionLog;
import io.tidemark.storage.PartitionName;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What checkpoints say of logs at the next start: never more than is committed, fsynced, or of the replica that is there. */
class LogCheckpointsTest extends LogManagerHarness {
    private static final PartitionName NAME = new PartitionName("t", 0);

    /** A life that knew this of the partition, and was killed. */
    private void checkpointed(long hw, long recoveryPoint, long logStart) {
        LogDirectory before = LogDirectory.open(disk, ROOT);
        before.writeHighWatermarks(Map.of(NAME, hw), 0);
        before.writeRecoveryPoints(Map.of(NAME, recoveryPoint), 0);
        before.writeLogStartOffsets(Map.of(NAME, logStart), 0);
        disk.kill();
    }

    /** A life that has no replica yet writes checkpoints all the same, of what the last one knew. */
    @Test
    void whatTheLastLifeKnewOutlivesCheckpointsOfOneWithoutReplicas() {
        PartitionLog log = take(start(), OLD).log();
        append(log, 3);
        log.flush(3);
        disk.kill();
        checkpointed(2, 3, 1);

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
            before.writeHighWatermarks(Map.of(NAME, checkpoint), 0);
            before.writeLogStartOffsets(Map.of(NAME, 1L), 0);
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
        before.writeHighWatermarks(Map.of(NAME, 5L), 0);
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
        before.writeHighWatermarks(Map.of(NAME, 3L), 0);
        disk.kill();
        Ports ports = ports(flushes::add);
        LogManager logs = start(ports);
        PartitionHost host = host(take(logs, OLD), ports);
        assertThat(host.view().hw()).isEqualTo(3);
        logs.checkpointHighWatermarks(List.of(host));
        logs.cut(host, 1);
        flushes.forEach(Runnable::run);
        disk.kill();
        assertThat(LogDirectory.open(disk, ROOT).highWatermark(NAME)).isEqualTo(1);
    }

    /** Nor what was collected of a replica that is deleted before it is written: its name may be used again. */
    @Test
    void checkpointsOfADeletedReplicaDoNotComeBack() {
        List<Runnable> flushes = new ArrayList<>();
        append(take(start(), OLD).log(), 3);
        disk.kill();
        checkpointed(3, 3, 1);
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
        assertThat(List.of(after.highWatermark(NAME), after.recoveryPoint(NAME), after.logStartOffset(NAME)))
                .containsOnly(0L);
    }

    /** Of a damaged log they keep what they said: an operator may mend it. */
    @Test
    void whatTheLastLifeKnewOfADamagedLogIsKept() throws IOException {
        append(take(start(), OLD).log(), 3);
        disk.kill();
        checkpointed(2, 3, 1);
        write("t-0", "partition.metadata", "what is this".getBytes(StandardCharsets.UTF_8));

        LogManager logs = start();
        assertThat(logs.take(OLD, "t", 0)).as("offline").isNull();
        logs.checkpointHighWatermarks(List.of());
        logs.checkpointRecoveryPoints(List.of());
        logs.checkpointLogStarts(List.of());
        disk.kill();
        LogDirectory after = LogDirectory.open(disk, ROOT);
        assertThat(after.highWatermark(NAME)).isEqualTo(2);
        assertThat(after.recoveryPoint(NAME)).isEqualTo(3);
        assertThat(after.logStartOffset(NAME)).isEqualTo(1);
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
}
