package io.tidemark.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.core.log.BatchHeader;
import io.tidemark.core.log.EpochStart;
import io.tidemark.core.log.RecordBytes;
import io.tidemark.core.log.RecordsRef;
import io.tidemark.storage.Batches.Spec;
import io.tidemark.storage.memory.MemoryDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PartitionLogTest {
    private final Disk disk = new RealDisk();

    @TempDir
    private Path root;

    private Recovered open(LogConfig config, boolean clean, long recoveryPoint) {
        return PartitionLog.open(disk, root.resolve("t-0"), config, clean, recoveryPoint, 0);
    }

    static List<BatchHeader> headers(RecordsRef records) throws IOException {
        if (records == RecordBytes.EMPTY) {
            return List.of();
        }
        ByteBuffer bytes = ByteBuffer.allocate(records.sizeInBytes());
        ((FileRegion) records).readFully(bytes);
        return BatchFormat.batches(bytes.flip());
    }

    @Test
    void appendsAndReadsWholeBatchesBelowTheBound() throws IOException {
        PartitionLog log = open(LogConfig.DEFAULT, false, 0).log();
        Batches.append(log, Spec.of(0, 3, 0));
        Batches.append(log, List.of(Spec.of(3, 1, 0), Spec.of(4, 2, 1)));
        assertThat(log.logEndOffset()).isEqualTo(6);

        assertThat(headers(log.read(1, 1 << 20, false, 6)))
                .extracting(BatchHeader::baseOffset)
                .containsExactly(0L, 3L, 4L);
        assertThat(headers(log.read(3, 1 << 20, false, 4)))
                .extracting(BatchHeader::baseOffset)
                .containsExactly(3L);
        assertThat(log.read(4, 1 << 20, true, 5))
                .as("the batch holds the bound")
                .isEqualTo(RecordBytes.EMPTY);
        assertThat(log.read(6, 1 << 20, true, 6)).isEqualTo(RecordBytes.EMPTY);
        assertThat(log.read(0, 10, false, 6)).isEqualTo(RecordBytes.EMPTY);
        assertThat(headers(log.read(0, 10, true, 6))).hasSize(1);
    }

    /** Kafka's tools open them whether there is an entry or not, and take an empty {@code .index} for none. */
    @Test
    void everySegmentHasItsIndexFilesTheActiveOnesInFullSize() throws IOException {
        LogConfig config = new LogConfig(300, 4096, 1_205, false);
        PartitionLog log = open(config, false, 0).log();
        assertThat(sizes()).containsExactly(1_200L, 1_200L);
        for (int i = 0; i < 6; i++) {
            Batches.append(log, Spec.of(i, 1, 0));
        }
        assertThat(sizes())
                .as("one entry of time in each sealed segment")
                .startsWith(0L, 12L)
                .endsWith(1_200L, 1_200L);
        log.truncateTo(1);
        assertThat(sizes()).containsExactly(1_200L, 1_200L);
        Batches.append(log, Spec.of(1, 1, 0));
        log.close(false);
        log = open(config, false, 0).log();
        assertThat(sizes()).containsExactly(1_200L, 1_200L);
        for (int i = 2; i < 6; i++) {
            Batches.append(log, Spec.of(i, 1, 0));
        }
        log.close(true);
        assertThat(sizes()).doesNotContain(1_200L);
        log = open(config, true, 0).log();
        assertThat(sizes()).endsWith(1_200L, 1_200L);
        Path dir = root.resolve("t-0");
        try (Stream<Path> files = Files.list(dir)) {
            List<Path> segments =
                    files.filter(file -> file.toString().endsWith(".log")).toList();
            assertThat(segments).hasSizeGreaterThan(1);
            for (Path segment : segments) {
                String stem = segment.toString().replaceFirst("log$", "");
                assertThat(Path.of(stem + "index")).exists();
                assertThat(Path.of(stem + "timeindex")).exists();
            }
        }
        assertThat(log.logEndOffset()).isEqualTo(6);
    }

    /** Of every {@code .index} and {@code .timeindex}, in the order of names. */
    private List<Long> sizes() throws IOException {
        try (Stream<Path> files = Files.list(root.resolve("t-0"))) {
            return files.filter(file -> file.toString().endsWith("index"))
                    .sorted()
                    .map(file -> file.toFile().length())
                    .toList();
        }
    }

    @Test
    void theFirstLeaderEpochsAreWrittenAtOnceLaterOnesWithTheNextFlush() throws IOException {
        PartitionLog log = open(LogConfig.DEFAULT, false, 0).log();
        Path file = root.resolve("t-0").resolve("leader-epoch-checkpoint");
        log.writeEpochs(List.of(new EpochStart(3, 0)));
        assertThat(Files.readString(file)).isEqualTo("0\n1\n3 0\n");
        Batches.append(log, Spec.of(0, 2, 3));
        log.writeEpochs(List.of(new EpochStart(3, 0), new EpochStart(4, 2)));
        assertThat(Files.readString(file)).isEqualTo("0\n1\n3 0\n");
        log.flush(2);
        assertThat(Files.readString(file)).isEqualTo("0\n2\n3 0\n4 2\n");
    }

    @Test
    void aSegmentWhoseIndexIsFullIsRolled() {
        PartitionLog log = open(new LogConfig(1 << 20, 0, 40, false), false, 0).log();
        for (int i = 0; i < 20; i++) {
            Batches.append(log, Spec.of(i, 1, 0));
        }
        assertThat(root.resolve("t-0").resolve("00000000000000000003.log")).exists();
        log.close(false);
        assertThat(open(LogConfig.DEFAULT, false, 0).logEndOffset()).isEqualTo(20);
    }

    @Test
    void refusesWhatDoesNotContinueTheLog() {
        PartitionLog log = open(LogConfig.DEFAULT, false, 0).log();
        Batches.append(log, Spec.of(0, 3, 4));
        assertThatThrownBy(() -> Batches.append(log, Spec.of(4, 1, 4)))
                .hasMessageContaining("does not continue the log at 3");
        assertThatThrownBy(() -> Batches.append(log, Spec.of(3, 1, 3)))
                .hasMessageContaining("leader epoch 3 after epoch 4");
        assertThat(log.logEndOffset()).isEqualTo(3);
    }

    @Test
    void reopensAfterKillAndAfterCleanClose() {
        LogConfig config = new LogConfig(600, 100, 1_200, false);
        PartitionLog log = open(config, false, 0).log();
        for (int i = 0; i < 40; i++) {
            Batches.append(log, Spec.of(i * 2L, 2, i / 10).producer(7, 0, i * 2));
        }
        log.close(false);
        Recovered killed = open(config, false, 0);
        assertThat(killed.logEndOffset()).isEqualTo(80);
        assertThat(killed.epochs())
                .containsExactly(
                        new EpochStart(0, 0), new EpochStart(1, 20), new EpochStart(2, 40), new EpochStart(3, 60));
        assertThat(killed.producers()).hasSize(1);
        assertThat(killed.producers()
                        .get(0)
                        .batches()
                        .get(killed.producers().get(0).batches().size() - 1)
                        .lastSequence())
                .isEqualTo(79);
        assertThat(killed.repairs()).isEmpty();
        assertThat(killed.log().durableEndOffset()).isZero();

        killed.log().close(true);
        Recovered clean = open(config, true, 0);
        assertThat(clean.logEndOffset()).isEqualTo(80);
        assertThat(clean.epochs()).isEqualTo(killed.epochs());
        assertThat(clean.repairs()).isEmpty();
        assertThat(clean.log().durableEndOffset()).isEqualTo(80);
        List<Long> bases = new ArrayList<>();
        clean.log().batchesFrom(33, header -> bases.add(header.baseOffset()));
        assertThat(bases).hasSize(24).startsWith(32L).endsWith(78L);
    }

    @Test
    void truncatesAcrossSegmentsAndGoesOn() throws IOException {
        LogConfig config = new LogConfig(600, 100, 1_200, false);
        PartitionLog log = open(config, false, 0).log();
        for (int i = 0; i < 40; i++) {
            Batches.append(log, Spec.of(i * 2L, 2, 0).producer(7, 0, i * 2));
        }
        assertThat(log.flush(80)).isEqualTo(80);
        var producers = log.truncateTo(13);
        assertThat(log.logEndOffset()).isEqualTo(12);
        assertThat(log.durableEndOffset()).isEqualTo(12);
        assertThat(producers.get(0).batches())
                .last()
                .extracting(b -> b.lastOffset())
                .isEqualTo(11L);
        Batches.append(log, Spec.of(12, 5, 3));
        List<BatchHeader> after = new ArrayList<>();
        log.batchesFrom(10, after::add);
        assertThat(after).extracting(BatchHeader::nextOffset).containsExactly(12L, 17L);
        log.truncateFullyAndStartAt(1000);
        assertThat(log.logEndOffset()).isEqualTo(1000);
        Batches.append(log, Spec.of(1000, 5, 3));
        log.close(true);
        try (var files = Files.list(root.resolve("t-0"))) {
            assertThat(files.map(file -> file.getFileName().toString()).sorted())
                    .containsExactly(
                            "00000000000000001000.index",
                            "00000000000000001000.log",
                            "00000000000000001000.timeindex",
                            "00000000000000001005.snapshot",
                            "leader-epoch-checkpoint");
        }
    }

    @Test
    void offsetsFarApartGetSegmentsOfTheirOwn() throws IOException {
        LogConfig gaps = new LogConfig(1 << 20, 4096, 1_200, true);
        PartitionLog log = open(gaps, false, 0).log();
        Batches.append(log, Spec.of(5, 1, 0));
        long far = 6L + Integer.MAX_VALUE;
        Batches.append(log, Spec.of(far, 1, 0));
        assertThat(root.resolve("t-0/00000000000000000006.log")).exists();
        assertThat(headers(log.read(7, 100, true, far + 1)))
                .extracting(BatchHeader::baseOffset)
                .containsExactly(far);
        assertThatThrownBy(() -> Batches.append(log, Spec.of(far * 3, 1, 0)))
                .hasMessageContaining("2^31 or more above");
    }

    @Test
    void aTopicIdIsThereAtOnceAndDurableWithTheFirstFlush() throws IOException {
        UUID id = new UUID(3, 4);
        Path dir = Path.of("/d/t-0");
        for (int seed = 0; seed < 40; seed++) {
            MemoryDisk memory = new MemoryDisk();
            memory.createDirectories(Path.of("/d"));
            memory.syncDirectory(Path.of("/"));
            PartitionLog log = PartitionLog.open(memory, dir, LogConfig.DEFAULT, false, 0, 0)
                    .log();
            log.writeTopicId(id);
            assertThat(PartitionMetadata.read(memory, dir)).contains(id);
            Batches.append(log, Spec.of(0, 1, 0));
            boolean flushed = seed % 2 == 0;
            if (flushed) {
                log.flush(1);
            }
            memory.losePower(new SplittableRandom(seed));
            if (flushed) {
                assertThat(PartitionMetadata.read(memory, dir)).contains(id);
            } else if (memory.exists(dir)) {
                assertThat(PartitionMetadata.read(memory, dir)).isIn(Optional.of(id), Optional.empty());
            }
        }
    }

    /** A killed process leaves names and files in the page cache; the next one's flush and roll must cover them. */
    @Test
    void whatAKilledProcessLeftIsDurableWithTheNextFlushAndBeforeTheNextRoll() throws IOException {
        UUID id = new UUID(3, 4);
        Path dir = Path.of("/d/t-0");
        LogConfig small = new LogConfig(700, 150, 1_200, false);
        for (int seed = 0; seed < 60; seed++) {
            MemoryDisk memory = new MemoryDisk();
            memory.createDirectories(Path.of("/d"));
            memory.syncDirectory(Path.of("/"));
            PartitionLog killed =
                    PartitionLog.open(memory, dir, small, false, 0, 0).log();
            killed.writeTopicId(id);
            for (int offset = 0; offset < 12; offset++) {
                Batches.append(killed, Spec.of(offset, 1, 0));
                if (offset == 0 && seed % 4 < 2) {
                    killed.flush(1); // What is made with the first flush, and syncs the directory, is there already.
                }
            }
            memory.kill();
            PartitionLog next =
                    PartitionLog.open(memory, dir, small, false, 0, 0).log();
            boolean flushed = seed % 2 == 0;
            if (flushed) {
                next.flush(12);
            } else {
                int offset = 12;
                while (!Batches.append(next, Spec.of(offset, 1, 0))) {
                    offset++;
                }
            }
            memory.losePower(new SplittableRandom(seed));
            PartitionLog last =
                    PartitionLog.open(memory, dir, small, false, 0, 0).log();
            assertThat(last.firstOffset()).as("seed " + seed).isZero();
            if (flushed) {
                assertThat(last.logEndOffset()).as("seed " + seed).isEqualTo(12);
                assertThat(PartitionMetadata.read(memory, dir)).contains(id);
            }
        }
    }

    /** The only segment is a new one: its name must be durable with what is in it. */
    @Test
    void aLogThatStartedAnewIsDurableWithItsNextFlush() throws IOException {
        Path dir = Path.of("/d/t-0");
        LogConfig config = new LogConfig(700, 150, 1_200, false);
        for (int seed = 0; seed < 30; seed++) {
            MemoryDisk memory = new MemoryDisk();
            memory.createDirectories(Path.of("/d"));
            memory.syncDirectory(Path.of("/"));
            PartitionLog log =
                    PartitionLog.open(memory, dir, config, false, 0, 0).log();
            Batches.append(log, Spec.of(0, 1, 0));
            log.flush(1);
            log.truncateFullyAndStartAt(1000);
            Batches.append(log, Spec.of(1000, 1, 0));
            log.flush(1001);
            memory.losePower(new SplittableRandom(seed));
            PartitionLog after =
                    PartitionLog.open(memory, dir, config, false, 0, 1000).log();
            assertThat(List.of(after.firstOffset(), after.logEndOffset()))
                    .as("seed " + seed)
                    .containsExactly(1000L, 1001L);
        }
    }
}
