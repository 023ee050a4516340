package io.tidemark.storage;

import java.io.IOException;
import java.nio.file.Path;

/**
 * The sparse indexes of a segment. {@code .index}: (last offset of a batch minus base offset, its position), {@code
 * .timeindex}: (greatest timestamp so far, last offset of the first batch that has it minus base offset).
 */
final class SegmentIndex {
    private static final int OFFSET = 0;
    private static final int POSITION = 4;
    private static final int TIMESTAMP = 0;
    private static final int OFFSET_OF_TIMESTAMP = 8;

    private final long baseOffset;
    private final IndexFile offsets;
    private final IndexFile times;

    SegmentIndex(Disk disk, Path dir, long baseOffset, int maxBytes, boolean create) throws IOException {
        this.baseOffset = baseOffset;
        this.offsets = new IndexFile(disk, LogFiles.index(dir, baseOffset), 8, maxBytes);
        this.times = new IndexFile(disk, LogFiles.timeIndex(dir, baseOffset), 12, maxBytes);
        if (create) {
            offsets.create();
            times.create();
        }
    }

    /** Whether there is no room for another entry; among timestamps one is kept for the sealing. */
    boolean isFull() {
        return offsets.entries() >= offsets.maxEntries() || times.entries() >= times.maxEntries() - 1;
    }

    /** Brings the files to their full size. */
    void preallocate() throws IOException {
        offsets.preallocate();
        times.preallocate();
    }

    // ---- The last entries

    boolean isEmpty() {
        return offsets.entries() == 0;
    }

    /** Of the batch that the last entry names; 0 if there is none. */
    int lastPosition() throws IOException {
        return isEmpty() ? 0 : offsets.intAt(offsets.entries() - 1, POSITION);
    }

    /** Last offset of the batch that the last entry names, of which there must be one. */
    long lastOffset() throws IOException {
        return baseOffset + offsets.intAt(offsets.entries() - 1, OFFSET);
    }

    /** -1 if there is no entry. */
    long maxTimestamp() throws IOException {
        return times.entries() == 0 ? -1 : times.longAt(times.entries() - 1, TIMESTAMP);
    }

    /** The base offset if there is no entry. */
    long offsetOfMaxTimestamp() throws IOException {
        return baseOffset + (times.entries() == 0 ? 0 : times.intAt(times.entries() - 1, OFFSET_OF_TIMESTAMP));
    }

    // ---- Finding

    /** A position at or before the batch that holds {@code offset}; 0 where the entry does not lie below {@code end}. */
    int positionForOffset(long offset, int end) throws IOException {
        return floorPosition(offset, OFFSET, baseOffset, end);
    }

    /** The greatest position of a batch, at most {@code position}; 0 where the entry does not lie below {@code end}. */
    int positionForPosition(int position, int end) throws IOException {
        return floorPosition(position, POSITION, 0, end);
    }

    private int floorPosition(long key, int field, long origin, int end) throws IOException {
        int low = 0;
        int high = offsets.entries();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (origin + offsets.intAt(middle, field) <= key) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        int position = low == 0 ? 0 : offsets.intAt(low - 1, POSITION);
        return position < 0 || position >= end ? 0 : position;
    }

    /** All batches before this offset have lower timestamps. */
    long offsetForTimestamp(long timestamp) throws IOException {
        int low = 0;
        int high = times.entries();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (times.longAt(middle, TIMESTAMP) < timestamp) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low == 0 ? baseOffset : baseOffset + times.intAt(low - 1, OFFSET_OF_TIMESTAMP) + 1;
    }

    // ---- Changing

    /** An entry for the batch at {@code position}. */
    void add(long lastOffset, int position) throws IOException {
        offsets.next().putInt((int) (lastOffset - baseOffset)).putInt(position);
    }

    /** An entry for the greatest timestamp so far, unless there is one. */
    void addTime(long maxTimestamp, long offset) throws IOException {
        if (maxTimestamp > maxTimestamp()) {
            times.next().putLong(maxTimestamp).putInt((int) (offset - baseOffset));
        }
    }

    void dropLast() throws IOException {
        offsets.truncateTo(offsets.entries() - 1);
    }

    /** Drops what names a batch at {@code position} or behind, or an offset from {@code offset} on. */
    void truncateTo(long offset, int position) throws IOException {
        int entries = offsets.entries();
        while (entries > 0 && offsets.intAt(entries - 1, POSITION) >= position) {
            entries--;
        }
        offsets.truncateTo(entries);
        int timeEntries = times.entries();
        while (timeEntries > 0 && baseOffset + times.intAt(timeEntries - 1, OFFSET_OF_TIMESTAMP) >= offset) {
            timeEntries--;
        }
        times.truncateTo(timeEntries);
    }

    void reset() throws IOException {
        offsets.reset();
        times.reset();
    }

    // ---- Files

    /**
     * Takes over the files.
     *
     * @param lastOffset of the segment, {@link Long#MAX_VALUE} where that is not known yet
     * @param fileSize of the log
     * @return false if they are missing, or their last entries cannot be
     */
    boolean load(long lastOffset, int fileSize) throws IOException {
        if (!offsets.load() || !times.load()) {
            return false;
        }
        if (!isEmpty()
                && (lastOffset() < baseOffset
                        || lastOffset() > lastOffset
                        || lastPosition() <= 0
                        || lastPosition() >= fileSize)) {
            return false;
        }
        if (times.entries() == 0) {
            // Sealing adds an entry, so a sealed index without one is lost (or the batches have no timestamps).
            return lastOffset == Long.MAX_VALUE;
        }
        return offsetOfMaxTimestamp() >= baseOffset && offsetOfMaxTimestamp() <= lastOffset && maxTimestamp() >= 0;
    }

    /** Whether all entries rise, and name positions below {@code fileSize}. */
    boolean monotonic(int fileSize) throws IOException {
        int last = -1;
        int lastPosition = 0;
        for (int slot = 0; slot < offsets.entries(); slot++) {
            int relative = offsets.intAt(slot, OFFSET);
            int position = offsets.intAt(slot, POSITION);
            if (relative <= last || position <= lastPosition || position >= fileSize) {
                return false;
            }
            last = relative;
            lastPosition = position;
        }
        last = -1;
        long lastTimestamp = -1;
        for (int slot = 0; slot < times.entries(); slot++) {
            long timestamp = times.longAt(slot, TIMESTAMP);
            int relative = times.intAt(slot, OFFSET_OF_TIMESTAMP);
            if (timestamp <= lastTimestamp || relative < last) {
                return false;
            }
            last = relative;
            lastTimestamp = timestamp;
        }
        return true;
    }

    /** Writes what waits in memory; both files exist afterwards. */
    void writeOut() throws IOException {
        offsets.writeOut();
        times.writeOut();
    }

    void force() throws IOException {
        offsets.force();
        times.force();
    }

    void close() throws IOException {
        offsets.close();
        times.close();
    }
}
