package io.tidemark.storage;

import io.tidemark.core.log.BatchHeader;
import io.tidemark.core.log.EpochStart;
import io.tidemark.core.log.Producers;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Loads a log's directory, mending what a crash or a damaged disk left. After an unclean stop every batch of the segments
 * at or behind the recovery point, and of the last segment, is read and checked; the first that fails ends the log. After
 * a clean stop the tail behind the last index entry is. What precedes is taken on trust, as in Kafka, and never cut: where
 * it lacks records, the load fails and everything stays as it is.
 */
final class LogLoader {
    final List<Segment> segments = new ArrayList<>();
    final List<EpochStart> epochs = new ArrayList<>();
    final Producers producers = new Producers();
    final List<String> repairs = new ArrayList<>();
    List<EpochStart> epochsOnDisk = List.of();
    boolean hasTopicId;
    long logStartOffset;
    boolean created;

    private static final String SWAP = ".swap";

    private final Disk disk;
    private final Path dir;
    private final LogConfig config;
    private final boolean clean;
    private final long recoveryPoint;
    private boolean cut;
    private boolean namesChanged;

    LogLoader(Disk disk, Path dir, LogConfig config, boolean clean, long recoveryPoint, long logStartOffset) {
        this.disk = disk;
        this.dir = dir;
        this.config = config;
        this.clean = clean;
        this.recoveryPoint = recoveryPoint;
        this.logStartOffset = logStartOffset;
    }

    void load() throws IOException {
        if (!disk.exists(dir)) {
            disk.createDirectories(dir);
            created = true;
        }
        List<Long> bases = tidy();
        readEpochs();
        refuseWithoutStart(bases);
        Check check = new Check();
        for (int i = 0; i < bases.size(); i++) {
            long nextBase = i + 1 < bases.size() ? bases.get(i + 1) : Long.MAX_VALUE;
            if (cut) {
                LogDeletion.deleteSegmentFiles(disk, dir, bases.subList(i, bases.size()));
                repairs.add(dir + ": deleted " + (bases.size() - i) + " segments behind the cut");
                break;
            }
            check = load(bases.get(i), nextBase, check);
        }
        if (!segments.isEmpty() && endOffset() < logStartOffset) {
            repairs.add(
                    dir + ": ends at " + endOffset() + ", before its start " + logStartOffset + "; started anew there");
            for (Segment segment : segments) {
                segment.close();
            }
            for (Path snapshot : ProducerState.snapshots(disk, dir).values()) {
                disk.delete(snapshot);
            }
            LogDeletion.deleteSegmentFiles(disk, dir, bases);
            segments.clear();
            check = new Check();
        }
        if (segments.isEmpty()) {
            segments.add(new Segment(disk, dir, logStartOffset, config, true));
            namesChanged = true;
        }
        logStartOffset = Math.max(logStartOffset, segments.get(0).baseOffset);
        loadEpochs(check);
        loadProducers();
        if (namesChanged && !created) {
            disk.syncDirectory(dir);
        }
    }

    /**
     * A log that begins above its checkpointed start has lost its first segments: once it led, the other replicas would take
     * its start over, and hide what they hold. Kafka writes down only starts within a segment, but where it deletes segments
     * it moves the first leader epoch along.
     */
    private void refuseWithoutStart(List<Long> bases) throws MalformedFileException {
        if (bases.isEmpty() || bases.get(0) <= logStartOffset) {
            return;
        }
        boolean deleted = !epochsOnDisk.isEmpty() && epochsOnDisk.get(0).startOffset() >= bases.get(0);
        if (!deleted) {
            throw new MalformedFileException(dir + ": begins at offset " + bases.get(0) + ", and its start is "
                    + logStartOffset + ": records are gone");
        }
    }

    /** Closes what was opened before the load failed. */
    void close(IOException failure) {
        for (Segment segment : segments) {
            try {
                segment.close();
            } catch (IOException e) {
                failure.addSuppressed(e);
            }
        }
    }

    long endOffset() {
        return segments.get(segments.size() - 1).nextOffset();
    }

    /** Deletes what an interrupted operation left, and index files without a log; returns the base offsets. */
    private List<Long> tidy() throws IOException {
        for (Path file : disk.list(dir)) {
            long base = LogFiles.offsetOf(LogFiles.nameOf(file), LogFiles.LOG + SWAP);
            if (base >= 0) {
                finishSwap(file, base);
            }
        }
        TreeSet<Long> bases = new TreeSet<>();
        List<Path> files = disk.list(dir);
        for (Path file : files) {
            long base = LogFiles.offsetOf(LogFiles.nameOf(file), LogFiles.LOG);
            if (base >= 0) {
                bases.add(base);
            }
        }
        for (Path file : files) {
            String name = LogFiles.nameOf(file);
            if (isTemporary(name) || isOrphan(name, bases)) {
                disk.delete(file);
                namesChanged = true;
            }
        }
        return new ArrayList<>(bases);
    }

    /**
     * Kafka's cleaner was stopped while it put a whole, forced {@code .swap} in the place of the segments that it was made
     * from, some of which may be gone.
     */
    private void finishSwap(Path swap, long base) throws IOException {
        long end = base;
        try (FileHandle file = disk.open(swap, false)) {
            BatchScan scan = new BatchScan(file, 0, file.size(), true);
            for (BatchHeader header = scan.next(); header != null; header = scan.next()) {
                end = header.nextOffset();
            }
        } catch (CorruptBatchException e) {
            repairs.add(swap + ": deleted: " + e.getMessage());
            return;
        }
        List<Long> replaced = new ArrayList<>();
        for (Path file : disk.list(dir)) {
            long segment = LogFiles.offsetOf(LogFiles.nameOf(file), LogFiles.LOG);
            if (segment >= base && segment < end) {
                replaced.add(segment);
            }
        }
        if (end > base) {
            repairs.add(swap + ": put in the place of " + replaced.size() + " segments");
            LogDeletion.deleteSegmentFiles(disk, dir, replaced);
            disk.rename(swap, LogFiles.log(dir, base));
            disk.syncDirectory(dir);
        }
    }

    private static boolean isTemporary(String name) {
        for (String suffix :
                List.of(LogFiles.LOG, LogFiles.INDEX, LogFiles.TIME_INDEX, LogFiles.TXN_INDEX, LogFiles.SNAPSHOT)) {
            for (String state : List.of(".cleaned", ".deleted", ".tmp", SWAP)) {
                if (LogFiles.offsetOf(name, suffix + state) >= 0) {
                    return true;
                }
            }
        }
        return name.equals(EpochFile.NAME + ".tmp") || name.equals(PartitionMetadata.NAME + ".tmp");
    }

    private static boolean isOrphan(String name, Set<Long> bases) {
        for (String suffix : List.of(LogFiles.INDEX, LogFiles.TIME_INDEX, LogFiles.TXN_INDEX)) {
            long base = LogFiles.offsetOf(name, suffix);
            if (base >= 0 && !bases.contains(base)) {
                return true;
            }
        }
        return false;
    }

    private Check load(long base, long nextBase, Check before) throws IOException {
        Segment segment = new Segment(disk, dir, base, config, false);
        segments.add(segment);
        boolean last = nextBase == Long.MAX_VALUE;
        boolean recover = !clean && (last || nextBase > recoveryPoint);
        if (!recover && !last) {
            if (!segment.loadSealed(nextBase)) {
                try {
                    segment.loadByHeaders(nextBase, config.gaps());
                } catch (CorruptBatchException e) {
                    throw new MalformedFileException(segment.log.path() + ": " + e.getMessage() + ": records are gone");
                }
                repairs.add(segment.log.path() + ": indexes rebuilt");
            } else if (!config.gaps() && !segment.reachesItsEnd()) {
                throw new MalformedFileException(segment.log.path() + ": ends before offset " + nextBase
                        + ", where the next one begins: records are gone");
            }
            return before;
        }
        Check check = before.copy(nextBase);
        if (!recover
                && segment.loadTail(check)
                && !check.refused
                && segment.offsetOfMaxTimestamp() < Math.max(segment.nextOffset(), base + 1)) {
            return check;
        }
        if (!recover) {
            repairs.add(segment.log.path() + ": indexes rebuilt");
            check = before.copy(nextBase);
        }
        segment.recover(check);
        finish(segment, nextBase, check);
        return check;
    }

    /** A segment in front of others that was cut, or that ends before the next begins, ends the log. */
    private void finish(Segment segment, long nextBase, Check check) throws IOException {
        cut |= check.refused;
        if (nextBase == Long.MAX_VALUE) {
            return;
        }
        if (!cut
                && !config.gaps()
                && segment.nextOffset() < nextBase
                && nextBase - segment.baseOffset <= Integer.MAX_VALUE) {
            repairs.add(segment.log.path() + ": ends at offset " + segment.nextOffset()
                    + ", the next segment begins at " + nextBase);
            cut = true;
        }
        if (!cut) {
            segment.seal();
        }
    }

    /** What must hold from batch to batch, and the epochs seen. */
    private final class Check implements Segment.BatchCheck {
        private final List<EpochStart> seen = new ArrayList<>();
        private long firstOffset = -1;
        private boolean all;
        private long bound = Long.MAX_VALUE;
        private int lastEpoch = -1;
        private boolean refused;

        private Check copy(long nextBase) {
            Check copy = new Check();
            copy.seen.addAll(seen);
            copy.firstOffset = firstOffset;
            copy.all = all;
            copy.lastEpoch = lastEpoch;
            copy.bound = nextBase;
            return copy;
        }

        @Override
        public void accept(Segment segment, BatchHeader header) {
            long expected = segment.nextOffset();
            if (config.gaps() ? header.baseOffset() < expected : header.baseOffset() != expected) {
                throw new CorruptBatchException("base offset " + header.baseOffset() + "; expected " + expected);
            }
            if (header.lastOffset() >= bound || !segment.fits(header.lastOffset())) {
                throw new CorruptBatchException("last offset " + header.lastOffset() + "; it must be below "
                        + Math.min(bound, segment.baseOffset + Integer.MAX_VALUE + 1L));
            }
            if (header.leaderEpoch() < lastEpoch) {
                throw new CorruptBatchException("leader epoch " + header.leaderEpoch() + " after " + lastEpoch);
            }
            if (header.leaderEpoch() > lastEpoch) {
                lastEpoch = header.leaderEpoch();
                seen.add(new EpochStart(lastEpoch, header.baseOffset()));
            }
            if (firstOffset < 0) {
                firstOffset = header.baseOffset();
                all = segment == segments.get(0) && segment.size() == 0;
            }
        }

        @Override
        public void refused(String why) {
            refused = true;
            repairs.add(why);
        }
    }

    // ---- Epochs: the file for what was not read, the batches for what was.

    private void readEpochs() throws IOException {
        try {
            epochsOnDisk = EpochFile.read(disk, dir);
        } catch (MalformedFileException e) {
            repairs.add(String.valueOf(e.getMessage()));
        }
    }

    private void loadEpochs(Check check) throws IOException {
        hasTopicId = disk.exists(dir.resolve(PartitionMetadata.NAME));
        long readFrom = check.firstOffset < 0 ? endOffset() : check.firstOffset;
        long firstBase = segments.get(0).baseOffset;
        List<EpochStart> known = new ArrayList<>();
        if (!check.all && readFrom > firstBase) {
            for (EpochStart start : epochsOnDisk) {
                if (start.startOffset() < readFrom) {
                    known.add(start);
                }
            }
            int firstSeen =
                    check.seen.isEmpty() ? Integer.MAX_VALUE : check.seen.get(0).epoch();
            if (known.isEmpty()
                    || (!config.gaps() && known.get(0).startOffset() > logStartOffset)
                    || known.get(known.size() - 1).epoch() > firstSeen) {
                repairs.add(dir.resolve(EpochFile.NAME) + ": rebuilt from the batches");
                known.clear();
                for (Segment segment : segments) {
                    segment.forEachFrom(
                            segment.baseOffset, header -> add(known, header.leaderEpoch(), header.baseOffset()));
                }
            }
        }
        check.seen.forEach(start -> add(known, start.epoch(), start.startOffset()));
        for (int i = 0; i < known.size(); i++) {
            boolean ended = i + 1 < known.size() && known.get(i + 1).startOffset() <= logStartOffset;
            if (!ended && known.get(i).startOffset() < endOffset()) {
                epochs.add(new EpochStart(
                        known.get(i).epoch(), Math.max(known.get(i).startOffset(), logStartOffset)));
            }
        }
    }

    private static void add(List<EpochStart> epochs, int epoch, long offset) {
        if (epoch >= 0 && (epochs.isEmpty() || epochs.get(epochs.size() - 1).epoch() < epoch)) {
            epochs.add(new EpochStart(epoch, offset));
        }
    }

    // ---- Producers: the newest snapshot that can be read, and the batches behind it.

    private void loadProducers() throws IOException {
        Map<Long, Path> snapshots = ProducerState.snapshots(disk, dir);
        TreeSet<Long> keep = new TreeSet<>();
        segments.forEach(segment -> keep.add(segment.baseOffset));
        long used = ProducerState.rebuild(disk, dir, segments, logStartOffset, endOffset(), producers, repairs::add);
        for (var snapshot : snapshots.entrySet()) {
            long offset = snapshot.getKey();
            if (offset > endOffset() || (offset != used && !keep.contains(offset))) {
                disk.delete(snapshot.getValue());
                namesChanged = true;
            }
        }
    }
}
