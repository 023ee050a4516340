package io.tidemark.storage;

import io.tidemark.core.log.BatchHeader;
import io.tidemark.core.log.EpochStart;
import io.tidemark.core.log.Producers;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Moves the end of a log: appends, rolls, truncates; used by the log's owner. See {@link PartitionLog} for the contracts. */
final class LogWriter {
    private final Disk disk;
    private final Path dir;
    private final LogConfig config;
    private final List<Segment> segments;
    private final Producers producers;
    private final LogReader reader;
    private final Durability durability;
    private final LogHealth health;
    private Segment active;
    private int lastEpoch;

    LogWriter(
            Disk disk,
            Path dir,
            LogConfig config,
            LogLoader loaded,
            LogReader reader,
            Durability durability,
            LogHealth health) {
        this.disk = disk;
        this.dir = dir;
        this.config = config;
        this.segments = loaded.segments;
        this.producers = loaded.producers;
        this.reader = reader;
        this.durability = durability;
        this.health = health;
        this.active = segments.get(segments.size() - 1);
        this.lastEpoch = loaded.epochs.isEmpty()
                ? -1
                : loaded.epochs.get(loaded.epochs.size() - 1).epoch();
    }

    // ---- Appending

    boolean append(List<BatchHeader> headers, ByteBuffer records) {
        health.checkUsable();
        checkContinues(headers, records.remaining());
        boolean rolled = false;
        ByteBuffer source = records.duplicate();
        int from = 0;
        while (from < headers.size()) {
            long last = headers.get(headers.size() - 1).lastOffset();
            if (active.size() > 0 && (active.indexFull() || !fits(source.remaining(), last))) {
                roll();
                rolled = true;
            }
            if (!active.fits(headers.get(from).lastOffset())) {
                throw new IllegalArgumentException(
                        dir + ": offset " + headers.get(from).lastOffset() + " is 2^31 or more above the end offset "
                                + active.baseOffset);
            }
            int bytes = 0;
            int to = from;
            while (to < headers.size()
                    && (to == from
                            || fits(
                                    bytes + headers.get(to).sizeInBytes(),
                                    headers.get(to).lastOffset()))) {
                bytes += headers.get(to++).sizeInBytes();
            }
            source.limit(source.position() + bytes);
            write(source, from > 0);
            source.limit(records.limit());
            added(headers.subList(from, to));
            from = to;
        }
        return rolled;
    }

    private boolean fits(int bytes, long lastOffset) {
        return (long) active.size() + bytes <= config.segmentBytes() && active.fits(lastOffset);
    }

    private void checkContinues(List<BatchHeader> headers, int bytes) {
        long next = active.nextOffset();
        int epoch = lastEpoch;
        long total = 0;
        for (BatchHeader header : headers) {
            if (config.gaps() ? header.baseOffset() < next : header.baseOffset() != next) {
                throw new IllegalArgumentException(
                        dir + ": batch at offset " + header.baseOffset() + " does not continue the log at " + next);
            }
            if (header.leaderEpoch() < epoch) {
                throw new IllegalArgumentException(
                        dir + ": batch of leader epoch " + header.leaderEpoch() + " after epoch " + epoch);
            }
            next = header.nextOffset();
            epoch = header.leaderEpoch();
            total += header.sizeInBytes();
        }
        if (total != bytes) {
            throw new IllegalArgumentException(dir + ": headers of " + total + " bytes for " + bytes + " bytes");
        }
    }

    private void write(ByteBuffer source, boolean partOfAppendDone) {
        try {
            active.write(source);
        } catch (IOException e) {
            boolean undone = true;
            try {
                active.discardUnfinishedWrite();
            } catch (IOException undo) {
                undone = false;
                e.addSuppressed(undo);
            }
            throw undone && !partOfAppendDone
                    ? new StorageException(active.log.path(), "append failed", e)
                    : health.fail(active.log.path(), "append failed", e);
        }
    }

    private void added(List<BatchHeader> headers) {
        try {
            for (BatchHeader header : headers) {
                reader.added(header, active.size());
                active.added(header);
                producers.appended(header);
                if (header.leaderEpoch() > lastEpoch) {
                    lastEpoch = header.leaderEpoch();
                    durability.epochStarted(new EpochStart(lastEpoch, header.baseOffset()));
                }
            }
        } catch (IOException e) {
            throw health.fail(active.log.path(), "index cannot be written", e);
        }
        durability.appended(active.nextOffset());
    }

    void roll() {
        health.checkUsable();
        if (active.size() == 0) {
            return;
        }
        long end = active.nextOffset();
        try {
            if (durability.recoveryPointMayBeAhead()) {
                durability.flush(end);
            }
            durability.syncNames();
            writeProducers(false);
            Segment next = new Segment(disk, dir, end, config, true);
            active.seal();
            durability.rolled(next);
            active = next;
            reader.reset();
        } catch (IOException e) {
            throw health.fail(dir, "next segment cannot be started", e);
        }
    }

    private void writeProducers(boolean force) throws IOException {
        byte[] snapshot = ProducerSnapshot.encode(producers.snapshot());
        SmallFiles.write(disk, LogFiles.snapshot(dir, active.nextOffset()), snapshot, force);
    }

    // ---- Truncating

    /** Cuts the log to end at an offset between the first and the last, or before the batch that holds it. */
    void truncateTo(long offset) throws IOException {
        int keep = reader.segmentIndex(offset) + 1;
        if (keep > 1 && segments.get(keep - 1).baseOffset == offset) {
            keep--;
        }
        deleteSegmentsFrom(keep);
        durability.removedFrom(keep);
        active = segments.get(keep - 1);
        active.truncateTo(offset);
        active.activate();
        truncated(active.nextOffset());
    }

    /** The last batch is of this epoch after all. */
    void lastEpochMended(int epoch) {
        lastEpoch = epoch;
    }

    /** Deletes all segments; an empty one begins at {@code offset}. */
    void startAnew(long offset) throws IOException {
        deleteSegmentsFrom(0);
        active = new Segment(disk, dir, offset, config, true);
        disk.syncDirectory(dir);
        durability.startedAnew(active);
        truncated(-1);
    }

    private void deleteSegmentsFrom(int index) throws IOException {
        List<Long> bases = new ArrayList<>();
        for (Segment segment : segments.subList(index, segments.size())) {
            segment.retire();
            bases.add(segment.baseOffset);
        }
        LogDeletion.deleteSegmentFiles(disk, dir, bases);
    }

    /**
     * The segments end earlier than before: everything derived from them follows.
     *
     * @param lastSnapshot the newest producer snapshot that still holds, -1 if the log was emptied
     */
    private void truncated(long lastSnapshot) throws IOException {
        reader.reset();
        long end = active.nextOffset();
        boolean deleted = false;
        for (Path snapshot :
                ProducerState.snapshots(disk, dir).tailMap(lastSnapshot, false).values()) {
            deleted |= disk.delete(snapshot);
        }
        if (deleted) {
            disk.syncDirectory(dir);
        }
        lastEpoch = durability.truncated(end, lastSnapshot < 0);
        if (!producers.isEmpty()) {
            ProducerState.rebuild(disk, dir, segments, segments.get(0).baseOffset, end, producers, repair -> {});
        }
    }

    // ---- Closing

    /** Writes what opening the log needs to know without recovery, durably. */
    void complete() throws IOException {
        active.seal();
        active.forceIndexes();
        writeProducers(true);
        disk.syncDirectory(dir);
    }
}
