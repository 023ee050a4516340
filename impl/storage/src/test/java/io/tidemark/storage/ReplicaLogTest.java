package io.tidemark.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.core.log.BatchHeader;
import io.tidemark.core.log.EpochStart;
import io.tidemark.core.log.RecordBytes;
import io.tidemark.core.log.RecordsRef;
import io.tidemark.storage.Batches.Spec;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ReplicaLogTest {
    private final Disk disk = new RealDisk();

    @TempDir
    private Path root;

    private Recovered open(LogConfig config, boolean clean, long recoveryPoint) {
        return ReplicaLog.open(disk, root.resolve("t-0"), config, clean, recoveryPoint, 0);
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
        ReplicaLog log = open(LogConfig.DEFAULT, false, 0).log();
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

    @Test
    void refusesWhatDoesNotContinueTheLog() {
        ReplicaLog log = open(LogConfig.DEFAULT, false, 0).log();
        Batches.append(log, Spec.of(0, 3, 4));
        assertThatThrownBy(() -> Batches.append(log, Spec.of(4, 1, 4)))
                .hasMessageContaining("does not continue the log at 3");
        assertThatThrownBy(() -> Batches.append(log, Spec.of(3, 1, 3)))
                .hasMessageContaining("leader epoch 3 after epoch 4");
        assertThat(log.logEndOffset()).isEqualTo(3);
    }

    @Test
    void reopensAfterKillAndAfterCleanClose() {
        LogConfig config = new LogConfig(600, 100, false);
        ReplicaLog log = open(config, false, 0).log();
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
        LogConfig config = new LogConfig(600, 100, false);
        ReplicaLog log = open(config, false, 0).log();
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
        assertThat(headers(log.read(0, 1 << 20, false, 17)))
                .extracting(BatchHeader::nextOffset)
                .last()
                .isNotNull();
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
}
