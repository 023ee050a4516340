package io.tidemark.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.storage.Batches.Spec;
import io.tidemark.storage.memory.Faults;
import io.tidemark.storage.memory.MemoryDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Full disks, failing disks, and a flush beside everything else. */
final class FailureTest {
    private static final Path DIR = Path.of("/data/t-0");
    private static final LogConfig SMALL = new LogConfig(1000, 200, 1_200, false);

    private final MemoryDisk disk = new MemoryDisk();

    private Recovered open(LogConfig config, boolean clean, long recoveryPoint) {
        return PartitionLog.open(disk, DIR, config, clean, recoveryPoint, 0);
    }

    private static void failOn(MemoryDisk disk, Faults.Effect failing, String suffix) {
        disk.setFaults(new Faults() {
            @Override
            public void before(Effect effect, Path path) throws IOException {
                if (effect == failing && path.toString().endsWith(suffix)) {
                    throw new IOException("input/output error");
                }
            }
        });
    }

    @Test
    void aDiskThatFillsUpUnderANewReplicaLeavesADirectoryThatCanBeTakenUp() {
        UUID id = new UUID(1, 2);
        for (int room = 0; room < PartitionMetadata.encode(id).length; room++) {
            PartitionLog log = open(LogConfig.DEFAULT, false, 0).log();
            disk.setCapacity(disk.used() + room);
            assertThatThrownBy(() -> log.writeTopicId(id))
                    .isInstanceOf(StorageException.class)
                    .hasMessageContaining("no space left");
            disk.setCapacity(Long.MAX_VALUE);
            disk.kill();
            assertThat(PartitionMetadata.read(disk, DIR)).isEmpty();
        }
        open(LogConfig.DEFAULT, false, 0).log().writeTopicId(id);
        assertThat(PartitionMetadata.read(disk, DIR)).contains(id);
    }

    @Test
    void aFullDiskLeavesTheLogAsItWasAndUsable() throws IOException {
        PartitionLog log = open(LogConfig.DEFAULT, false, 0).log();
        List<ByteBuffer> batches = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            batches.add(Spec.of(i, 1, 0).build());
            log.append(Batches.header(batches.get(i)), batches.get(i));
        }
        for (int room = 0; room < batches.get(0).limit(); room += 7) {
            disk.setCapacity(disk.used() + room);
            assertThatThrownBy(() -> Batches.append(log, Spec.of(5, 1, 0)))
                    .isInstanceOf(StorageException.class)
                    .hasMessageContaining("append failed")
                    .hasMessageContaining("no space left");
            assertThat(PowerLossTest.contents(log)).isEqualTo(batches);
        }
        disk.setCapacity(Long.MAX_VALUE);
        Batches.append(log, Spec.of(5, 1, 1));
        log.flush(6);
        disk.losePower(new SplittableRandom(1));
        assertThat(open(LogConfig.DEFAULT, false, 0).logEndOffset()).isEqualTo(6);
    }

    @Test
    void aDiskThatIsFullAtAnyByteLosesNothing() throws IOException {
        for (int capacity = 0; capacity < 4000; capacity += 37) {
            MemoryDisk small = new MemoryDisk();
            PartitionLog log = PartitionLog.open(small, DIR, SMALL, false, 0, 0).log();
            small.setCapacity(capacity);
            List<ByteBuffer> written = new ArrayList<>();
            try {
                for (int i = 0; i < 100; i++) {
                    ByteBuffer batch = Spec.of(i, 1, i / 9).producer(3, 0, i).build();
                    log.append(Batches.header(batch), batch);
                    written.add(batch);
                }
            } catch (StorageException full) {
                assertThat(full).hasMessageContaining("no space left");
            }
            assertThat(PowerLossTest.contents(log)).isEqualTo(written);
            small.kill();
            small.setCapacity(Long.MAX_VALUE);
            PartitionLog again =
                    PartitionLog.open(small, DIR, SMALL, false, 0, 0).log();
            assertThat(PowerLossTest.contents(again)).isEqualTo(written);
            Batches.append(again, Spec.of(written.size(), 1, 50));
        }
    }

    @Test
    void aFailedFlushFailsTheLogForGood() {
        PartitionLog log = open(LogConfig.DEFAULT, false, 0).log();
        Batches.append(log, Spec.of(0, 1, 0));
        failOn(disk, Faults.Effect.FORCE, ".log");
        assertThatThrownBy(() -> log.flush(1))
                .isInstanceOf(StorageException.class)
                .hasMessageContaining("cannot be made durable");
        disk.setFaults(Faults.NONE);
        // The kernel may have dropped the pages: a second fsync that succeeds would prove nothing.
        assertThatThrownBy(() -> log.flush(1))
                .isInstanceOf(StorageException.class)
                .hasMessageContaining("log failed before");
        assertThatThrownBy(() -> Batches.append(log, Spec.of(1, 1, 0))).isInstanceOf(StorageException.class);
        assertThatThrownBy(() -> log.close(true)).isInstanceOf(StorageException.class);
        assertThat(log.durableEndOffset()).isZero();
        assertThat(log.read(0, 1000, true, 1).sizeInBytes()).isPositive();
    }

    @Test
    void anAppendThatCannotBeUndoneFailsTheLog() {
        PartitionLog log = open(LogConfig.DEFAULT, false, 0).log();
        Batches.append(log, Spec.of(0, 1, 0));
        disk.setFaults(new Faults() {
            @Override
            public void after(Effect effect, Path path) throws IOException {
                throw new IOException("input/output error");
            }
        });
        assertThatThrownBy(() -> Batches.append(log, Spec.of(1, 1, 0))).isInstanceOf(StorageException.class);
        assertThatThrownBy(() -> Batches.append(log, Spec.of(1, 1, 0))).hasMessageContaining("log failed before");
        assertThat(log.logEndOffset()).isEqualTo(1);
    }

    @Test
    void aRecoveryPointThatATruncationUndidIsNotTrusted() throws IOException {
        int lossy = 0;
        for (int seed = 0; seed < 60; seed++) {
            MemoryDisk crashing = new MemoryDisk();
            PartitionLog log =
                    PartitionLog.open(crashing, DIR, SMALL, false, 0, 0).log();
            for (int i = 0; i < 40; i++) {
                Batches.append(log, Spec.of(i, 1, 0));
            }
            log.flush(40);
            long stale = log.recoveryPoint();
            assertThat(stale).isEqualTo(40);
            log.truncateTo(3);
            List<ByteBuffer> expected = new ArrayList<>(PowerLossTest.contents(log));
            for (int i = 3; i < 40; i++) {
                ByteBuffer batch = Spec.of(i, 1, 1).payload(5).build();
                log.append(Batches.header(batch), batch);
                expected.add(batch);
            }
            crashing.losePower(new SplittableRandom(seed));
            List<ByteBuffer> found = PowerLossTest.contents(
                    PartitionLog.open(crashing, DIR, SMALL, false, stale, 0).log());
            assertThat(found).isEqualTo(expected.subList(0, found.size()));
            lossy += found.size() < expected.size() ? 1 : 0;
        }
        assertThat(lossy).isPositive();
    }

    @Test
    void closedLogsTakeNothingAndAFlushThatComesLateIsNoError() {
        PartitionLog log = open(LogConfig.DEFAULT, false, 0).log();
        Batches.append(log, Spec.of(0, 1, 0));
        log.close(true);
        log.close(true);
        assertThat(log.flush(5)).isEqualTo(1);
        assertThatThrownBy(() -> Batches.append(log, Spec.of(1, 1, 0))).hasMessageContaining("log is closed");
    }

    @Test
    void aRegionOutlivesItsSegment(@TempDir Path root) throws IOException {
        PartitionLog log = PartitionLog.open(new RealDisk(), root.resolve("t-0"), SMALL, false, 0, 0)
                .log();
        ByteBuffer batch = Spec.of(0, 1, 0).build();
        log.append(Batches.header(batch), batch);
        FileRegion region = (FileRegion) log.read(0, 1000, true, 1);
        log.close(false);
        new RealDisk().deleteTree(root.resolve("t-0"));
        assertThat(root.resolve("t-0")).doesNotExist();
        ByteBuffer read = ByteBuffer.allocate(region.length());
        region.readFully(read);
        assertThat(read.flip()).isEqualTo(batch);
        assertThat(region.channel()).isNotNull();
    }

    @Test
    void theLockIsExclusiveOnARealDisk(@TempDir Path root) throws IOException {
        RealDisk real = new RealDisk();
        var lock = real.lock(root.resolve(".lock"));
        assertThatThrownBy(() -> real.lock(root.resolve(".lock")))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("another process");
        lock.close();
        real.lock(root.resolve(".lock")).close();
    }

    /** Whatever {@code durableEndOffset} said at any time holds after a power loss at that time; here: it never overtakes. */
    @Test
    void flushesRunBesideAppendsRollsReadsAndTruncations(@TempDir Path root) throws Exception {
        PartitionLog log = PartitionLog.open(new RealDisk(), root.resolve("t-0"), SMALL, false, 0, 0)
                .log();
        AtomicBoolean stop = new AtomicBoolean();
        AtomicReference<Throwable> failure = new AtomicReference<>();
        Thread flusher = new Thread(() -> {
            try {
                while (!stop.get()) {
                    log.flush(log.logEndOffset());
                    log.recoveryPoint();
                }
            } catch (RuntimeException e) {
                failure.set(e);
            }
        });
        flusher.start();
        long next = 0;
        for (int i = 0; i < 600; i++) {
            Batches.append(log, Spec.of(next, 1 + i % 3, i / 100).producer(1, 0, i));
            next = log.logEndOffset();
            assertThat(log.read(Math.max(0, next - 4), 500, true, next).sizeInBytes())
                    .isPositive();
            if (i % 40 == 39) {
                log.truncateTo(next - 30);
                next = log.logEndOffset();
            }
            assertThat(log.durableEndOffset()).isLessThanOrEqualTo(next);
        }
        stop.set(true);
        flusher.join(10_000);
        assertThat(flusher.isAlive()).isFalse();
        assertThat(failure.get()).isNull();
        List<ByteBuffer> contents = PowerLossTest.contents(log);
        log.close(true);
        Recovered again = PartitionLog.open(new RealDisk(), root.resolve("t-0"), SMALL, true, 0, 0);
        assertThat(again.repairs()).isEmpty();
        assertThat(PowerLossTest.contents(again.log())).isEqualTo(contents);
    }
}
