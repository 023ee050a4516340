package io.tidemark.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.tidemark.core.log.BatchHeader;
import io.tidemark.core.log.EpochStart;
import io.tidemark.storage.Batches.Spec;
import io.tidemark.storage.memory.MemoryDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Damage to a partition's files, as {@code kit/faults/disk} makes it: what was whole must be there, and writable on. */
final class RecoveryTest {
    private static final Path DIR = Path.of("/data/t-0");
    private static final LogConfig CONFIG = new LogConfig(1 << 20, 400, 1_200, false);
    private static final int BATCHES = 9;

    private MemoryDisk disk = new MemoryDisk();
    private List<ByteBuffer> batches = List.of();

    /** Nine batches of three records, epochs 0 to 2, in one segment; closed in order or not. */
    private void write(boolean clean) throws IOException {
        disk = new MemoryDisk();
        disk.createDirectories(Path.of("/data"));
        disk.syncDirectory(Path.of("/"));
        PartitionLog log = open(CONFIG, false).log();
        batches = new ArrayList<>();
        for (int i = 0; i < BATCHES; i++) {
            ByteBuffer batch = Spec.of(i * 3L, 3, i / 3).producer(9, 0, i * 3).build();
            batches.add(batch);
            log.append(Batches.header(batch), batch);
        }
        log.flush(Long.MAX_VALUE);
        log.close(clean);
    }

    private Recovered open(LogConfig config, boolean clean) {
        return PartitionLog.open(disk, DIR, config, clean, 0, 0);
    }

    private static Path file(String suffix) {
        return DIR.resolve("00000000000000000000" + suffix);
    }

    private byte[] read(Path path) throws IOException {
        return SmallFiles.read(disk, path);
    }

    private void write(Path path, byte[] content) throws IOException {
        SmallFiles.write(disk, path, content, true);
    }

    /** Exactly the first {@code whole} batches are there, with their epochs and producer, and the log goes on. */
    private void expect(boolean clean, int whole) throws IOException {
        Recovered recovered = open(CONFIG, clean);
        assertThat(PowerLossTest.contents(recovered.log()))
                .as("%s", recovered.repairs())
                .isEqualTo(batches.subList(0, whole));
        assertThat(recovered.logEndOffset()).isEqualTo(whole * 3L);
        List<EpochStart> epochs = new ArrayList<>();
        for (int epoch = 0; epoch * 3 < whole; epoch++) {
            epochs.add(new EpochStart(epoch, epoch * 9L));
        }
        assertThat(recovered.epochs()).isEqualTo(epochs);
        if (whole > 0) {
            assertThat(recovered.producers().get(0).batches())
                    .last()
                    .extracting(b -> b.lastSequence())
                    .isEqualTo(whole * 3 - 1);
        } else {
            assertThat(recovered.producers()).isEmpty();
        }
        PartitionLog log = recovered.log();
        Batches.append(log, Spec.of(whole * 3L, 1, 5));
        log.close(true);
        Recovered again = open(CONFIG, true);
        assertThat(again.repairs()).isEmpty();
        assertThat(again.logEndOffset()).isEqualTo(whole * 3L + 1);
        again.log().close(false);
    }

    private int wholeBefore(int bytes) {
        int whole = 0;
        for (int end = 0; whole < batches.size(); whole++) {
            end += batches.get(whole).limit();
            if (end > bytes) {
                break;
            }
        }
        return whole;
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void cutAtEveryByteOfTheLastBatches(boolean clean) throws IOException {
        write(clean);
        byte[] whole = read(file(".log"));
        for (int keep = whole.length; keep >= whole.length - 3 * batches.get(8).limit(); keep--) {
            write(clean);
            write(file(".log"), Arrays.copyOf(whole, keep));
            expect(clean, wholeBefore(keep));
        }
        write(clean);
        write(file(".log"), new byte[0]);
        expect(clean, 0);
    }

    @Test
    void aFlippedBitInEveryByteOfTheLastBatch() throws IOException {
        write(false);
        byte[] whole = read(file(".log"));
        int start = whole.length - batches.get(8).limit();
        SplittableRandom random = new SplittableRandom(4);
        for (int at = start; at < whole.length; at++) {
            if (at - start >= 12 && at - start < 16) {
                continue; // the leader epoch: see below
            }
            write(false);
            byte[] damaged = whole.clone();
            damaged[at] ^= (byte) (1 << random.nextInt(8));
            write(file(".log"), damaged);
            expect(false, 8);
        }
    }

    /** The leader epoch is not under the checksum: one that rises can't be told from a right one, one that falls can. */
    @Test
    void aLeaderEpochThatFallsEndsTheLog() throws IOException {
        write(false);
        byte[] whole = read(file(".log"));
        int at = whole.length - batches.get(8).limit() + 12;
        for (int bit = 0; bit < 32; bit++) {
            write(false);
            ByteBuffer damaged = ByteBuffer.wrap(whole.clone());
            int epoch = damaged.getInt(at) ^ (1 << bit);
            write(file(".log"), damaged.putInt(at, epoch).array());
            Recovered recovered = open(CONFIG, false);
            assertThat(recovered.logEndOffset()).isEqualTo(epoch < 2 ? 24 : 27);
            recovered.log().close(false);
        }
    }

    /** The metadata tells what the log cannot: which epochs there have been. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aLeaderEpochThatCannotBeIsMended(boolean clean) throws IOException {
        for (int bit = 2; bit < 31; bit++) {
            write(clean);
            ByteBuffer damaged = ByteBuffer.wrap(read(file(".log")));
            int at = damaged.limit() - batches.get(8).limit() + 12;
            write(file(".log"), damaged.putInt(at, 2 ^ (1 << bit)).array());
            Recovered recovered = open(CONFIG, clean);
            assertThat(recovered.epochs()).hasSize(4).last().isEqualTo(new EpochStart(2 | 1 << bit, 24));
            assertThat(recovered.log().mendEpochs(recovered.epochs(), 3))
                    .containsExactly(new EpochStart(0, 0), new EpochStart(1, 9), new EpochStart(2, 18));
            recovered.log().close(false);
            expect(false, BATCHES);
        }
    }

    @Test
    void theFirstBatchIsMendedToTheFirstEpoch() throws IOException {
        write(false);
        write(file(".log"), Spec.of(0, 3, 1 << 20).build().array());
        Recovered recovered = open(CONFIG, false);
        assertThat(recovered.log().mendEpochs(recovered.epochs(), 1 << 20)).isSameAs(recovered.epochs());
        assertThat(recovered.log().mendEpochs(recovered.epochs(), 7)).containsExactly(new EpochStart(0, 0));
        Batches.append(recovered.log(), Spec.of(3, 1, 7));
        recovered.log().close(true);
        assertThat(open(CONFIG, true).epochs()).containsExactly(new EpochStart(0, 0), new EpochStart(7, 3));
    }

    /** What was cut off must not come back behind what was written in its place, however well it fits. */
    @Test
    void whatRecoveryCutOffStaysAwayAfterAPowerLoss() throws IOException {
        for (int seed = 0; seed < 60; seed++) {
            write(false);
            byte[] damaged = read(file(".log"));
            damaged[damaged.length - batches.get(8).limit() - 1] ^= 1; // the last but one is torn, the last one whole
            write(file(".log"), damaged);
            PartitionLog log = open(CONFIG, false).log();
            assertThat(log.logEndOffset()).isEqualTo(21);
            ByteBuffer other = Spec.of(21, 3, 2).producer(8, 0, 0).build();
            log.append(Batches.header(other), other);
            disk.losePower(new SplittableRandom(seed));
            assertThat(open(CONFIG, false).logEndOffset()).isIn(21L, 24L);
        }
    }

    @Test
    void aFlippedBitIsFoundAfterAnOrderlyStopToo() throws IOException {
        write(true);
        byte[] damaged = read(file(".log"));
        damaged[damaged.length - 3] ^= 4;
        write(file(".log"), damaged);
        expect(true, 8);
    }

    @Test
    void whatFollowsTheLastBatchIsCutOff() throws IOException {
        SplittableRandom random = new SplittableRandom(5);
        for (int size : new int[] {1, 11, 12, 16, 17, 60, 61, 62, 512, 4096, 65536}) {
            for (int kind = 0; kind < 3; kind++) {
                write(false);
                byte[] tail = new byte[size];
                if (kind == 1) {
                    random.nextBytes(tail);
                } else if (kind == 2) {
                    ByteBuffer next = Spec.of(27, 2, 2).payload(66000).build();
                    next.get(tail); // the first part of what would come next
                }
                byte[] whole = read(file(".log"));
                byte[] longer = Arrays.copyOf(whole, whole.length + size);
                System.arraycopy(tail, 0, longer, whole.length, size);
                write(file(".log"), longer);
                expect(false, 9);
            }
        }
    }

    @Test
    void aBatchThatIsThereTwiceIsTakenOnce() throws IOException {
        write(false);
        write(
                file(".log"),
                Batches.concat(List.of(ByteBuffer.wrap(read(file(".log"))), batches.get(8)))
                        .array());
        expect(false, 9);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void indexesMissingEmptyOrGarbage(boolean clean) throws IOException {
        SplittableRandom random = new SplittableRandom(6);
        for (String suffix : List.of(".index", ".timeindex")) {
            for (int size : new int[] {-1, 0, 1, 7, 8, 12, 24, 96, 1000, 4096, 12000}) {
                write(clean);
                if (size < 0) {
                    disk.delete(file(suffix));
                } else {
                    byte[] garbage = new byte[size];
                    random.nextBytes(garbage);
                    write(file(suffix), garbage);
                }
                expect(clean, 9);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void epochFileMissingEmptyOrGarbage(boolean clean) throws IOException {
        for (String content :
                new String[] {null, "", "\0\377 garbage\n", "0\n3\n0 0\n", "0\n1\n7 0\n", "0\n2\n2 0\n1 4\n", "1\n0\n"
                }) {
            write(clean);
            if (content == null) {
                disk.delete(DIR.resolve(EpochFile.NAME));
            } else {
                write(DIR.resolve(EpochFile.NAME), content.getBytes(StandardCharsets.UTF_8));
            }
            expect(clean, 9);
        }
    }

    @Test
    void snapshotGarbageAndStrangeFiles() throws IOException {
        SplittableRandom random = new SplittableRandom(7);
        for (long offset : new long[] {3, 12, 24, 27, 5000}) {
            for (int size : new int[] {0, 1, 6, 10, 200}) {
                write(false);
                byte[] junk = new byte[size];
                random.nextBytes(junk);
                write(LogFiles.snapshot(DIR, offset), junk);
                for (String name : List.of(
                        "00000000000000000000.log.cleaned",
                        "00000000000000000012.log.deleted",
                        "00000000000000000012.timeindex",
                        "leader-epoch-checkpoint.tmp",
                        "partition.metadata.tmp",
                        "00000000000000000024.snapshot.tmp",
                        "99999999999999999999.log.txt",
                        "notes.txt",
                        "core")) {
                    write(DIR.resolve(name), junk);
                }
                expect(false, 9);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void anInterruptedSwapIsFinishedOrDropped(boolean originalLeft) throws IOException {
        write(false);
        byte[] whole = read(file(".log"));
        write(file(".log.swap"), whole);
        write(file(".index.swap"), new byte[8]);
        if (!originalLeft) {
            disk.delete(file(".log"));
        }
        expect(false, 9);
        assertThat(disk.list(DIR)).noneMatch(path -> path.toString().endsWith(".swap"));

        write(false);
        write(file(".log.swap"), Arrays.copyOf(whole, whole.length - 1));
        expect(false, 9);
        assertThat(disk.list(DIR)).noneMatch(path -> path.toString().endsWith(".swap"));
    }

    @Test
    void aHoleBetweenSegmentsEndsTheLog() throws IOException {
        LogConfig small = new LogConfig(400, 100, 1_200, false);
        PartitionLog log = open(small, false).log();
        for (int i = 0; i < 20; i++) {
            Batches.append(log, Spec.of(i, 1, 0));
        }
        log.close(false);
        List<Path> segments = disk.list(DIR).stream()
                .filter(path -> path.toString().endsWith(".log"))
                .toList();
        assertThat(segments).hasSizeGreaterThan(3);
        // The second segment lost its last batch, exactly at its start.
        byte[] second = read(segments.get(1));
        int batch = Spec.of(5, 1, 0).build().limit();
        write(segments.get(1), Arrays.copyOf(second, second.length - batch));
        Recovered recovered = open(small, false);
        long third = LogFiles.offsetOf(LogFiles.nameOf(segments.get(2)), LogFiles.LOG);
        assertThat(recovered.logEndOffset()).isEqualTo(third - 1);
        assertThat(disk.exists(segments.get(2))).isFalse();
        assertThat(recovered.repairs()).anyMatch(line -> line.contains("the next segment begins at " + third));
    }

    @Test
    void aLogThatEndsBeforeItsStartBeginsAnew() throws IOException {
        write(true); // with a producer snapshot
        Recovered recovered = PartitionLog.open(disk, DIR, CONFIG, false, 0, 100);
        assertThat(recovered.producers()).isEmpty();
        assertThat(recovered.logStartOffset()).isEqualTo(100);
        assertThat(recovered.logEndOffset()).isEqualTo(100);
        assertThat(recovered.epochs()).isEmpty();
        Batches.append(recovered.log(), Spec.of(100, 1, 3));
    }

    @Test
    void epochsBelowTheLogStartAreFolded() throws IOException {
        write(false);
        Recovered recovered = PartitionLog.open(disk, DIR, CONFIG, false, 0, 12);
        assertThat(recovered.logStartOffset()).isEqualTo(12);
        assertThat(recovered.epochs()).containsExactly(new EpochStart(1, 12), new EpochStart(2, 18));
    }

    @Test
    void damageBelowTheRecoveryPointIsTakenOnTrustAndFoundByTheReader() throws IOException {
        LogConfig small = new LogConfig(400, 100, 1_200, false);
        PartitionLog log = open(small, false).log();
        for (int i = 0; i < 20; i++) {
            Batches.append(log, Spec.of(i, 1, 0));
        }
        log.flush(20);
        long recoveryPoint = log.recoveryPoint();
        log.close(false);
        byte[] first = read(file(".log"));
        first[16] = 7;
        write(file(".log"), first);
        Recovered recovered = PartitionLog.open(disk, DIR, small, false, recoveryPoint, 0);
        assertThat(recovered.logEndOffset()).isEqualTo(20);
        List<BatchHeader> headers = new ArrayList<>();
        assertThat(catchThrowable(() -> recovered.log().batchesFrom(0, headers::add)))
                .isInstanceOf(StorageException.class)
                .hasMessageContaining("magic 7");
    }

    /** The index entries of the damaged batch and of those behind it still hold: only that batch is lost. */
    @Test
    void aReaderThatMeetsDamageLeavesTheRestOfTheLogAsItWas() throws IOException {
        LogConfig everyBatch = new LogConfig(1 << 20, 0, 1_200, false);
        PartitionLog log = PartitionLog.open(disk, DIR, everyBatch, false, 0, 0).log();
        int batch = Spec.of(0, 1, 0).build().remaining();
        for (int i = 0; i < 6; i++) {
            Batches.append(log, Spec.of(i, 1, 0));
        }
        log.close(true);
        byte[] bytes = read(file(".log"));
        bytes[3 * batch + 16] = 7;
        write(file(".log"), bytes);
        PartitionLog damaged =
                PartitionLog.open(disk, DIR, everyBatch, true, 6, 0).log();
        for (int i = 0; i < 2; i++) {
            assertThat(catchThrowable(() -> damaged.read(3, batch, true, 6)))
                    .isInstanceOfSatisfying(
                            StorageException.class,
                            e -> assertThat(e.isDamage()).isTrue())
                    .hasMessageContaining("damaged at byte " + 3 * batch);
        }
        assertThat(damaged.logEndOffset()).isEqualTo(6);
        Batches.append(damaged, Spec.of(6, 1, 0));
        assertThat(damaged.read(5, batch, true, 7).sizeInBytes()).isEqualTo(batch);
        assertThat(damaged.read(6, batch, true, 7).sizeInBytes()).isEqualTo(batch);
    }
}
