package io.tidemark.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.tidemark.core.log.EpochStart;
import io.tidemark.storage.Batches.Spec;
import io.tidemark.storage.memory.MemoryDisk;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Records that are gone from the start or the middle of a log. Such a log is no prefix of what it was: as a follower it would
 * join the ISR by its end, as a leader it would take from the other replicas what they hold.
 */
final class LostSegmentsTest {
    private static final Path DIR = Path.of("/data/t-0");
    private static final LogConfig CONFIG = new LogConfig(400, 100, 1_200, false);
    private static final int BATCHES = 24;

    private final MemoryDisk disk = new MemoryDisk();
    private final TreeMap<Long, Path> segments = new TreeMap<>();

    /** Batches of one record, in several segments; what all of them hold is on disk, and every point says so. */
    @BeforeEach
    void write() throws IOException {
        disk.createDirectories(Path.of("/data"));
        PartitionLog log = open(CONFIG, false, 0).log();
        for (int i = 0; i < BATCHES; i++) {
            Batches.append(log, Spec.of(i, 1, 2));
        }
        log.writeEpochs(List.of(new EpochStart(2, 0)));
        log.flush(Long.MAX_VALUE);
        log.close(true);
        for (Path file : disk.list(DIR)) {
            long base = LogFiles.offsetOf(LogFiles.nameOf(file), LogFiles.LOG);
            if (base >= 0) {
                segments.put(base, file);
            }
        }
        assertThat(segments).hasSizeGreaterThan(3);
    }

    private Recovered open(LogConfig config, boolean clean, long start) {
        return PartitionLog.open(disk, DIR, config, clean, BATCHES, start);
    }

    private void refused(boolean clean, String why) {
        assertThatExceptionOfType(StorageException.class)
                .isThrownBy(() -> open(CONFIG, clean, 0))
                .withMessageContaining(why)
                .matches(StorageException::isDamage);
    }

    private long second() {
        return segments.higherKey(0L);
    }

    private void epochs(List<EpochStart> epochs) throws IOException {
        SmallFiles.write(
                disk, DIR.resolve(EpochFile.NAME), EpochFile.encode(epochs).getBytes(StandardCharsets.UTF_8), true);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aLogWithoutItsFirstSegmentIsRefused(boolean clean) throws IOException {
        disk.delete(segments.get(0L));
        refused(clean, "begins at offset " + second() + ", and its start is 0: records are gone");
        disk.delete(DIR.resolve(EpochFile.NAME));
        refused(clean, "begins at offset " + second());
        epochs(List.of());
        refused(clean, "begins at offset " + second());
    }

    @Test
    void aStartThatIsOnRecordIsNone() throws IOException {
        disk.delete(segments.get(0L));
        Recovered recovered = open(CONFIG, true, second());
        assertThat(recovered.logStartOffset()).isEqualTo(second());
        assertThat(recovered.logEndOffset()).isEqualTo(BATCHES);
    }

    /** Kafka's retention leaves a start out of its checkpoint where a segment begins there, and moves the epoch along. */
    @Test
    void whatKafkaDeletedIsNotGone() throws IOException {
        disk.delete(segments.get(0L));
        epochs(List.of(new EpochStart(2, second())));
        assertThat(open(CONFIG, true, 0).logStartOffset()).isEqualTo(second());
    }

    /** An epoch that begins behind the start and in front of the first segment says that its first records are gone. */
    @Test
    void anEpochThatBeginsInWhatIsGoneExcusesNothing() throws IOException {
        disk.delete(segments.get(0L));
        epochs(List.of(new EpochStart(2, second() - 1)));
        refused(true, "begins at offset " + second());
    }

    @Test
    void aLogWithoutASegmentFromItsMiddleIsRefused() throws IOException {
        long third = segments.higherKey(second());
        disk.delete(segments.get(second()));
        refused(true, "ends before offset " + third + ", where the next one begins: records are gone");
        assertThat(disk.exists(segments.get(third))).as("nothing is deleted").isTrue();
        LogConfig compacted = new LogConfig(400, 100, 1_200, true);
        assertThat(open(compacted, true, 0).logEndOffset()).as("a gap may be").isEqualTo(BATCHES);
    }

    /** Its indexes as they were written, or one of them gone: they are as likely to be damaged as the log. */
    enum Indexes {
        WHOLE,
        NO_INDEX,
        NO_TIME_INDEX;

        void leave(MemoryDisk disk, long base) throws IOException {
            Path file = this == NO_INDEX ? LogFiles.index(DIR, base) : LogFiles.timeIndex(DIR, base);
            if (this != WHOLE && disk.exists(file)) {
                disk.delete(file);
            }
        }
    }

    /** Cut at every byte, far in front of its last index entry too; recovery does not look there either, below its point. */
    @ParameterizedTest
    @EnumSource
    void aSealedSegmentThatIsShorterIsRefused(Indexes indexes) throws IOException {
        Path file = segments.get(second());
        byte[] whole = SmallFiles.read(disk, file);
        indexes.leave(disk, second());
        List<Integer> unseen = new ArrayList<>();
        for (int keep = whole.length - 1; keep >= 0; keep--) {
            SmallFiles.write(disk, file, Arrays.copyOf(whole, keep), true);
            for (boolean clean : List.of(true, false)) {
                try {
                    open(CONFIG, clean, 0).log().close(false);
                    unseen.add(keep);
                } catch (StorageException e) {
                    assertThat(e.isDamage()).isTrue();
                }
            }
        }
        assertThat(unseen).isEmpty();
        assertThat(segments.values()).as("nothing is deleted").allMatch(disk::exists);
    }

    /** What lies in front of it and behind it is never touched, whatever the damage to this one: a log without gaps, or none. */
    @ParameterizedTest
    @EnumSource
    void aFlippedBitOfASealedSegmentTakesNothingElse(Indexes indexes) throws IOException {
        Path file = segments.get(second());
        byte[] whole = SmallFiles.read(disk, file);
        int opened = 0;
        for (int at = 0; at < whole.length; at++) {
            byte[] flipped = whole.clone();
            flipped[at] ^= 1;
            SmallFiles.write(disk, file, flipped, true);
            indexes.leave(disk, second());
            try {
                PartitionLog log = open(CONFIG, at % 2 == 0, 0).log();
                assertThat(log.logEndOffset()).isEqualTo(BATCHES);
                log.close(false);
                opened++;
            } catch (StorageException e) {
                assertThat(e.isDamage()).isTrue();
            }
            assertThat(SmallFiles.read(disk, file)).as("byte " + at).isEqualTo(flipped);
            assertThat(segments.values()).allMatch(disk::exists);
        }
        assertThat(opened).as("whoever reads there is told").isGreaterThan(whole.length / 4);
    }

    @ParameterizedTest
    @EnumSource
    void indexesOfASealedSegmentAreRebuilt(Indexes indexes) throws IOException {
        indexes.leave(disk, second());
        Recovered recovered = open(CONFIG, true, 0);
        assertThat(recovered.logEndOffset()).isEqualTo(BATCHES);
        assertThat(recovered.repairs())
                .isEqualTo(
                        indexes == Indexes.WHOLE ? List.of() : List.of(segments.get(second()) + ": indexes rebuilt"));
        recovered.log().close(true);
        assertThat(open(CONFIG, true, 0).repairs()).as("and written").isEmpty();
    }

    /** The segment before the hole has lost an index, too. */
    @Test
    void aLogWithoutASegmentBehindALostIndexIsRefused() throws IOException {
        long third = segments.higherKey(second());
        disk.delete(segments.get(third));
        disk.delete(LogFiles.timeIndex(DIR, second()));
        refused(
                true,
                "ends before offset " + segments.higherKey(third) + ", where the next one begins: records are gone");
        assertThat(disk.exists(segments.get(segments.higherKey(third)))).isTrue();
    }

    /** Whoever reads there is told; nobody can take it for the end of the file. */
    @Test
    void aDamagedHeaderIsNoEnd() throws IOException {
        Path file = segments.get(second());
        byte[] bytes = SmallFiles.read(disk, file);
        bytes[bytes.length - Spec.of(second(), 1, 2).build().limit() + 16] = 7;
        SmallFiles.write(disk, file, bytes, true);
        assertThat(open(CONFIG, true, 0).logEndOffset()).isEqualTo(BATCHES);
    }
}
