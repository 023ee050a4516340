package io.tidemark.storage;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.log.BatchHeader;
import io.tidemark.core.log.EpochStart;
import io.tidemark.core.log.Producers;
import io.tidemark.storage.Batches.Spec;
import io.tidemark.storage.memory.Faults;
import io.tidemark.storage.memory.MemoryDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/**
 * A log is used in all ways while the power fails before and after each effect on the disk, one run each and several
 * outcomes of each. What was reported durable must be there, and nothing but a prefix of what the log was.
 */
final class PowerLossTest {
    private static final Path ROOT = Path.of("/data");
    private static final PartitionName NAME = new PartitionName("t", 0);
    private static final LogConfig CONFIG = new LogConfig(700, 150, 1_200, false);

    /** Ends a run at its n-th point, before and after each effect. */
    private static final class Stop implements Faults {
        private int left;

        private Stop(int left) {
            this.left = left;
        }

        private void point() throws IOException {
            if (left-- == 0) {
                throw new PowerLoss();
            }
            if (left < 0) {
                throw new IOException("power is off");
            }
        }

        @Override
        public void before(Effect effect, Path path) throws IOException {
            point();
        }

        @Override
        public void after(Effect effect, Path path) throws IOException {
            point();
        }
    }

    private static final class PowerLoss extends IOException {
        private static final long serialVersionUID = 1L;
    }

    /** The batches as they should be, and what the log promised. */
    private static final class Model {
        private final List<ByteBuffer> batches = new ArrayList<>();
        private final List<List<ByteBuffer>> allowed = new ArrayList<>();
        private long durable;
        private int sequence;

        private long end() {
            return batches.isEmpty()
                    ? 0
                    : Batches.header(batches.get(batches.size() - 1)).nextOffset();
        }

        private int nextSequence(int count) {
            sequence += count;
            return sequence - count;
        }
    }

    private static void append(PartitionLog log, Model model, int epoch, int count, int payload) {
        Spec spec = Spec.of(model.end(), count, epoch).payload(payload).producer(5, 0, model.nextSequence(count));
        ByteBuffer batch = spec.build();
        model.batches.add(batch); // a write that is under way may be there or not
        log.append(Batches.header(batch), batch);
    }

    private static void flush(PartitionLog log, Model model) {
        model.durable = log.flush(log.logEndOffset());
    }

    private static void truncate(PartitionLog log, Model model, long offset) {
        model.allowed.add(new ArrayList<>(model.batches)); // until it returns, the old log is right as well
        model.batches.removeIf(batch -> Batches.header(batch).nextOffset() > offset);
        model.durable = Math.min(model.durable, model.end());
        log.truncateTo(offset);
        model.allowed.clear();
    }

    /** Runs until it is stopped; returns the model. */
    private static Model run(Disk disk, Model model) {
        LogDirectory directory = LogDirectory.open(disk, ROOT);
        PartitionLog log = open(disk, directory).log();
        for (int i = 0; i < 12; i++) {
            append(log, model, 1, 2, 20 + i);
        }
        flush(log, model);
        directory.writeRecoveryPoints(Map.of(NAME, log.recoveryPoint()), directory.cuts());
        for (int i = 0; i < 8; i++) {
            append(log, model, 2, 1 + i % 3, 50);
        }
        log.writeEpochs(List.of(new EpochStart(1, 0), new EpochStart(2, 24)));
        flush(log, model);
        directory.writeRecoveryPoints(Map.of(NAME, log.recoveryPoint()), directory.cuts());
        // Back over segments, below the recovery point that the checkpoint names; then other records in their place.
        truncate(log, model, 9);
        for (int i = 0; i < 14; i++) {
            append(log, model, 4, 2, 30);
        }
        truncate(log, model, model.end() - 3);
        append(log, model, 5, 1, 900);
        append(log, model, 5, 3, 10);
        flush(log, model);
        append(log, model, 6, 1, 10);
        log.close(true);
        model.durable = model.end();
        directory.writeRecoveryPoints(Map.of(NAME, log.recoveryPoint()), directory.cuts());
        directory.markClean(77);
        directory.close();
        return model;
    }

    private static Recovered open(Disk disk, LogDirectory directory) {
        return PartitionLog.open(
                disk,
                directory.directory(NAME),
                CONFIG,
                directory.cleanShutdown(),
                directory.recoveryPoint(NAME),
                directory.logStartOffset(NAME));
    }

    @Test
    void nothingDurableIsLostAndNothingElseAppears() throws IOException {
        int points = 0;
        for (; ; points++) {
            boolean finished = false;
            for (int outcome = 0; outcome < 6; outcome++) {
                MemoryDisk disk = new MemoryDisk();
                LogDirectory.format(disk, ROOT, new MetaProperties(1, "c", new UUID(1, 2)));
                Model model = new Model();
                disk.setFaults(new Stop(points));
                try {
                    run(disk, model);
                    finished = true;
                } catch (StorageException stopped) {
                    assertThat(stopped).hasRootCauseInstanceOf(PowerLoss.class);
                }
                disk.setFaults(Faults.NONE);
                disk.losePower(new SplittableRandom(points * 100L + outcome));
                check(disk, model, "point " + points + ", outcome " + outcome);
            }
            if (finished) {
                break;
            }
        }
        assertThat(points).isGreaterThan(150);
    }

    private static void check(MemoryDisk disk, Model model, String at) throws IOException {
        for (int round = 0; round < 2; round++) {
            LogDirectory directory = LogDirectory.open(disk, ROOT);
            Recovered recovered = open(disk, directory);
            List<ByteBuffer> found = contents(recovered.log());
            assertThat(recovered.logEndOffset()).as(at).isGreaterThanOrEqualTo(model.durable);
            List<List<ByteBuffer>> allowed = new ArrayList<>(model.allowed);
            allowed.add(model.batches);
            assertThat(allowed)
                    .as("%s: %d batches, durable %d, %s", at, found.size(), model.durable, recovered.repairs())
                    .anyMatch(batches -> found.size() <= batches.size()
                            && batches.subList(0, found.size()).equals(found));
            assertThat(recovered.epochs()).as(at).isEqualTo(epochs(found));
            Producers producers = new Producers();
            found.forEach(batch -> producers.appended(Batches.header(batch)));
            // A snapshot keeps one batch a producer: the newest is what must be right.
            assertThat(recovered.producers()).as(at).hasSameSizeAs(producers.snapshot());
            if (!found.isEmpty()) {
                assertThat(recovered.producers().get(0).batches())
                        .as(at)
                        .last()
                        .isEqualTo(producers
                                .snapshot()
                                .get(0)
                                .batches()
                                .get(producers.snapshot().get(0).batches().size() - 1));
            }
            // The log goes on from there with other batches, and the power fails again before any of it is durable.
            if (round == 0) {
                assertThat(recovered.log().durableEndOffset()).isLessThanOrEqualTo(recovered.logEndOffset());
                model.durable = Math.max(model.durable, recovered.log().durableEndOffset());
                model.allowed.clear();
                model.batches.clear();
                model.batches.addAll(found);
                for (int i = 0; i < 4; i++) {
                    append(recovered.log(), model, 9, 2, 10 * i);
                    if (i == 1 && at.hashCode() % 2 == 0) {
                        flush(recovered.log(), model);
                    }
                }
                disk.losePower(new SplittableRandom(at.hashCode()));
            }
        }
    }

    private static List<EpochStart> epochs(List<ByteBuffer> batches) {
        List<EpochStart> epochs = new ArrayList<>();
        for (ByteBuffer batch : batches) {
            BatchHeader header = Batches.header(batch);
            if (epochs.isEmpty() || epochs.get(epochs.size() - 1).epoch() != header.leaderEpoch()) {
                epochs.add(new EpochStart(header.leaderEpoch(), header.baseOffset()));
            }
        }
        return epochs;
    }

    static List<ByteBuffer> contents(PartitionLog log) throws IOException {
        List<ByteBuffer> batches = new ArrayList<>();
        for (long offset = log.firstOffset(); offset < log.logEndOffset(); ) {
            FileRegion region = (FileRegion) log.read(offset, 1, true, log.logEndOffset());
            ByteBuffer batch = ByteBuffer.allocate(region.length());
            region.readFully(batch);
            BatchHeader header = BatchFormat.batches(batch.flip()).get(0);
            batches.add(batch);
            offset = header.nextOffset();
        }
        return batches;
    }
}
