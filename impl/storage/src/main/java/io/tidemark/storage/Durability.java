package io.tidemark.storage;

import io.tidemark.core.log.EpochStart;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * How much of a log is written and durable, and how it becomes so. The owner reports what it changes; a flush on another thread takes a copy
 * of what is to be forced and forces it without holding up the owner. The list of segments is changed here alone.
 */
final class Durability {
    private final Disk disk;
    private final Path dir;
    private final LogHealth health;

    /** Held by flush, truncation and close, each wholly. */
    final Object flushing = new Object();

    /** Guards all below; never held during IO. The owner, who alone changes the list, reads it without. */
    private final Object state = new Object();

    private final List<Segment> segments;
    private final List<Segment> sealed = new ArrayList<>();
    private volatile long logEndOffset;
    private long durableEndOffset;
    private long handedOutRecoveryPoint;
    private long namesMade;
    private long namesSynced;
    private boolean parentUnsynced;
    private boolean topicIdUnforced;
    private List<EpochStart> epochs;
    private List<EpochStart> writtenEpochs;

    Durability(Disk disk, Path dir, LogLoader loaded, boolean clean, long recoveryPoint, LogHealth health) {
        this.disk = disk;
        this.dir = dir;
        this.health = health;
        this.segments = loaded.segments;
        this.logEndOffset = loaded.endOffset();
        // The recovery point may be from before a truncation: what was written in place of what it meant is in the
        // active
        // segment, or was forced when that was rolled.
        this.durableEndOffset =
                clean ? logEndOffset : Math.min(recoveryPoint, segments.get(segments.size() - 1).baseOffset);
        this.handedOutRecoveryPoint = recoveryPoint;
        // A life that was killed may have left names, and a topic id, that are in the page cache alone.
        this.namesMade = loaded.created || !clean ? 1 : 0;
        this.topicIdUnforced = !clean && loaded.hasTopicId;
        this.parentUnsynced = loaded.created || !clean || loaded.endOffset() == segments.get(0).baseOffset;
        this.epochs = List.copyOf(loaded.epochs);
        this.writtenEpochs = loaded.epochsOnDisk;
    }

    long logEndOffset() {
        return logEndOffset;
    }

    long durableEndOffset() {
        synchronized (state) {
            return durableEndOffset;
        }
    }

    long recoveryPoint() {
        synchronized (state) {
            handedOutRecoveryPoint = Math.max(handedOutRecoveryPoint, durableEndOffset);
            return durableEndOffset;
        }
    }

    /**
     * Whether a checkpoint may name a recovery point that a truncation has undone: recovery would then trust the active
     * segment, once it is not the last one any more.
     */
    boolean recoveryPointMayBeAhead() {
        synchronized (state) {
            return handedOutRecoveryPoint > durableEndOffset;
        }
    }

    // ---- The owner's reports

    /** Batches were written, up to this offset. */
    void appended(long end) {
        logEndOffset = end;
    }

    /** A segment was made, and the one before it completed. */
    void rolled(Segment next) {
        synchronized (state) {
            sealed.add(segments.get(segments.size() - 1));
            segments.add(next);
            namesMade++;
        }
    }

    void topicIdWritten() {
        synchronized (state) {
            topicIdUnforced = true;
            namesMade++;
        }
    }

    /** Segments were deleted, durably; {@code only} takes the place of all. */
    void startedAnew(Segment only) {
        synchronized (state) {
            segments.clear();
            sealed.clear();
            segments.add(only);
            namesSynced = namesMade;
        }
    }

    /** The segments from an index on were deleted, durably. */
    void removedFrom(int index) {
        synchronized (state) {
            List<Segment> removed = segments.subList(index, segments.size());
            sealed.removeAll(removed);
            removed.clear();
        }
    }

    /** A batch is the first of its epoch. */
    void epochStarted(EpochStart start) {
        synchronized (state) {
            if (epochs.isEmpty() || epochs.get(epochs.size() - 1).epoch() < start.epoch()) {
                List<EpochStart> longer = new ArrayList<>(epochs);
                longer.add(start);
                epochs = List.copyOf(longer);
            }
        }
    }

    void setEpochs(List<EpochStart> newEpochs) {
        synchronized (state) {
            if (!epochs.equals(newEpochs)) {
                epochs = List.copyOf(newEpochs);
            }
        }
    }

    /**
     * The log ends at {@code end} now, durably; {@code emptied}: it begins there as well.
     *
     * @return the last epoch left, -1 if none
     */
    int truncated(long end, boolean emptied) {
        logEndOffset = end;
        synchronized (state) {
            durableEndOffset = Math.min(durableEndOffset, end);
            epochs = epochs.stream()
                    .filter(start -> !emptied && start.startOffset() < end)
                    .toList();
            return epochs.isEmpty() ? -1 : epochs.get(epochs.size() - 1).epoch();
        }
    }

    // ---- Forcing

    /** A segment's name must not survive where an older one's is lost: the log would begin in the middle. */
    void syncNames() throws IOException {
        long names;
        synchronized (state) {
            names = namesMade;
            if (names == namesSynced) {
                return;
            }
        }
        disk.syncDirectory(dir);
        synchronized (state) {
            namesSynced = Math.max(namesSynced, names);
        }
    }

    /** Makes what is written durable, unless it is so up to {@code upToOffset} or the log is closed; see {@link PartitionLog#flush}. */
    long flush(long upToOffset) {
        synchronized (flushing) {
            if (!health.closed()) {
                health.checkUsable();
                if (durableEndOffset() < upToOffset) {
                    try {
                        force(logEndOffset);
                    } catch (IOException e) {
                        throw health.fail(dir, "cannot be made durable", e);
                    }
                }
            }
            return durableEndOffset();
        }
    }

    /** Makes everything below {@code target} durable, which was written before. */
    private void force(long target) throws IOException {
        List<Segment> dirty;
        List<Segment> indexes;
        long names;
        boolean parent;
        boolean topicId;
        List<EpochStart> newEpochs;
        boolean writeEpochs;
        synchronized (state) {
            dirty = dirtySegments();
            indexes = List.copyOf(sealed);
            names = namesMade;
            parent = parentUnsynced;
            topicId = topicIdUnforced;
            newEpochs = epochs;
            writeEpochs = !epochs.equals(writtenEpochs);
        }
        // Before the records: without it they are nobody's.
        if (topicId) {
            try (FileHandle file = disk.open(dir.resolve(PartitionMetadata.NAME), false)) {
                file.force();
            }
        }
        for (Segment segment : dirty) {
            segment.log.force();
        }
        for (Segment segment : indexes) {
            segment.forceIndexes();
        }
        if (writeEpochs) {
            SmallFiles.replace(disk, dir.resolve(EpochFile.NAME), EpochFile.encode(newEpochs));
        }
        syncNames();
        if (parent) {
            syncParent(disk, dir);
        }
        synchronized (state) {
            namesSynced = Math.max(namesSynced, names);
            sealed.removeAll(indexes);
            parentUnsynced = false;
            topicIdUnforced &= !topicId;
            writtenEpochs = newEpochs;
            durableEndOffset = Math.max(durableEndOffset, target);
        }
    }

    static void syncParent(Disk disk, Path dir) throws IOException {
        Path parent = dir.toAbsolutePath().getParent();
        if (parent != null) {
            disk.syncDirectory(parent);
        }
    }

    /** Segments that may hold something that is not durable; the active one last. */
    private List<Segment> dirtySegments() {
        int from = segments.size() - 1;
        while (from > 0 && segments.get(from).baseOffset > durableEndOffset) {
            from--;
        }
        return List.copyOf(segments.subList(from, segments.size()));
    }
}
