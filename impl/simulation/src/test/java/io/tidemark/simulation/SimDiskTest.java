package io.tidemark.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.core.log.RecordBytes;
import io.tidemark.storage.FileHandle;
import io.tidemark.storage.memory.Faults;
import io.tidemark.storage.memory.MemoryDisk;
import io.tidemark.wire.KafkaMetadataCodec;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class SimDiskTest {
    private final Stage stage = new Stage(Shape.three());
    private final Effects effects = new Effects(stage.world);
    private final SimDisk leaders = stage.simulation.node(stage.leader).faultyDisk();

    /** Whether the mark of a clean stop, and a log that it speaks of, are forced, and the mark outlives a power loss. */
    private boolean keepsTheMark(boolean lying) throws IOException {
        SimDisk disk = new SimDisk(1, new SplittableRandom(1), (effect, path, after, power) -> {});
        disk.format("cluster", new UUID(1, 1), new KafkaMetadataCodec(), null);
        MemoryDisk memory = disk.memory();
        if (lying) {
            disk.lie(effects.begin(Fault.FSYNC_LIE));
        }
        Path mark = SimDisk.DIR.resolve(".kafka_cleanshutdown");
        memory.createDirectories(SimDisk.DIR.resolve("t-0"));
        for (Path path : List.of(SimDisk.DIR.resolve("t-0/00000000000000000000.log"), mark)) {
            try (FileHandle file = memory.open(path, true)) {
                file.write(ByteBuffer.wrap(new byte[] {1, 2, 3}), 0);
                file.force();
            }
        }
        memory.syncDirectory(SimDisk.DIR.resolve("t-0"));
        memory.syncDirectory(SimDisk.DIR);
        disk.losePower();
        return memory.list(SimDisk.DIR).contains(mark);
    }

    /** Found by seeds 1419 and 2755: a power loss just before a clean stop had ended left its mark, and a hole in a log. */
    @Test
    void ofADiskThatLiedTheMarkOfACleanStopIsNotBelieved() throws IOException {
        assertThat(keepsTheMark(false)).isTrue();
        assertThat(keepsTheMark(true)).isFalse();
    }

    /** Found by seed 2685: the error that waited for the old disk's next fsync ended the formatting of the new one. */
    @Test
    void anFsyncErrorThatWaitsGoesWithTheDisk() {
        SimDisk disk = new SimDisk(1, new SplittableRandom(1), (effect, path, after, power) -> {
            throw new AssertionError(effect + " of " + path);
        });
        disk.format("cluster", new UUID(1, 1), new KafkaMetadataCodec(), null);
        disk.failNextForce(effects.begin(Fault.FSYNC_ERROR), false);
        disk.replace();
        disk.format("cluster", new UUID(1, 2), new KafkaMetadataCodec(), null);
        assertThat(effects.counts()).containsExactly(new Effects.Count(Fault.FSYNC_ERROR, 1, 0));
    }

    /** Found by seeds 1578, 2633 and 2927: an answer was read while reads were corrupted, and arrived when they no longer were. */
    @Test
    void whatWasReadDamagedMayArriveAfterTheCorruption() {
        Effects.Injection injection = effects.begin(Fault.READ_CORRUPTION);
        int reads = stage.simulation.clients().reads().size();
        for (int i = 0; i < 2_000; i++) {
            leaders.corrupt(injection);
            stage.run(1);
            leaders.corrupt(null);
            stage.run(1);
        }
        assertThat(effects.counts()).containsExactly(new Effects.Count(Fault.READ_CORRUPTION, 1, 1));
        assertThat(stage.simulation.clients().reads()).hasSizeGreaterThan(reads);
        stage.simulation.finish();
    }

    /** Only a read that was corrupted excuses a wrong CRC: a node that sends damaged records of its own is found out. */
    @Test
    void damageThatNoFaultDidIsAViolation() {
        leaders.memory().setFaults(new Faults() {
            @Override
            public void reading(Path path, long position, byte[] bytes) {
                if (path.toString().endsWith(SimDisk.LOG_FILE)) {
                    SimBatch.corrupt(position, bytes, new SplittableRandom(position));
                }
            }
        });
        assertThatThrownBy(() -> stage.run(5_000))
                .isInstanceOfSatisfying(
                        Violation.class, found -> assertThat(found.invariant()).isEqualTo("RecordsArriveWhole"));
    }

    /** What a recovery point names is forced first: recovery does not look at it again. */
    @Test
    void aRecoveryPointAheadOfTheDiskIsAViolation() throws IOException {
        SimDisk disk = new SimDisk(1, new SplittableRandom(1), (effect, path, after, power) -> {});
        disk.format("cluster", new UUID(1, 1), new KafkaMetadataCodec(), null);
        MemoryDisk memory = disk.memory();
        Path directory = SimDisk.DIR.resolve("t-0");
        memory.createDirectories(directory);
        RecordBytes batch = SimBatch.of(7, 0, 1_000, (short) 0, 0);
        try (FileHandle log = memory.open(directory.resolve("00000000000000000000.log"), true)) {
            log.write(batch.buffer().duplicate(), 0);
            memory.syncDirectory(directory);
            memory.syncDirectory(SimDisk.DIR);
            assertThatThrownBy(() -> writeRecoveryPoint(memory, 1))
                    .isInstanceOfSatisfying(
                            Violation.class,
                            found -> assertThat(found.invariant()).isEqualTo("RecoveryPointsOnDisk"));
            log.force();
        }
        writeRecoveryPoint(memory, 1);
        assertThatThrownBy(() -> writeRecoveryPoint(memory, 2)).isInstanceOf(Violation.class);
    }

    private static void writeRecoveryPoint(MemoryDisk disk, long offset) throws IOException {
        Path temporary = SimDisk.DIR.resolve("points.tmp");
        try (FileHandle file = disk.open(temporary, true)) {
            file.write(ByteBuffer.wrap(("0\n1\nt 0 " + offset + "\n").getBytes(StandardCharsets.UTF_8)), 0);
        }
        disk.rename(temporary, SimDisk.DIR.resolve("recovery-point-offset-checkpoint"));
    }
}
