package io.tidemark.storage;

import io.tidemark.core.log.BatchHeader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One {@code .log} file with its sparse indexes. {@code .index}: (last offset of a batch minus base offset, its position),
 * {@code .timeindex}: (greatest timestamp so far, last offset of the first batch that has it). Used by the log's owner; the
 * flush thread only forces files.
 */
final class Segment {
    final long baseOffset;
    final FileHandle log;

    private final IndexFile offsets;
    private final IndexFile times;
    private final LogConfig config;
    private int size;
    private long nextOffset;
    private long maxTimestamp = -1;
    private long offsetOfMaxTimestamp;
    private int sinceIndexEntry;

    Segment(Disk disk, Path dir, long baseOffset, LogConfig config, boolean create) throws IOException {
        this.baseOffset = baseOffset;
        this.config = config;
        this.nextOffset = baseOffset;
        this.log = disk.open(LogFiles.log(dir, baseOffset), create);
        this.offsets = new IndexFile(disk, LogFiles.index(dir, baseOffset), 8);
        this.times = new IndexFile(disk, LogFiles.timeIndex(dir, baseOffset), 12);
        if (create) {
            // Empty ones too: Kafka's tools expect them beside every log.
            offsets.create();
            times.create();
        }
    }

    int size() {
        return size;
    }

    /** Offset after the last record, the base offset if there is none. */
    long nextOffset() {
        return nextOffset;
    }

    long maxTimestamp() {
        return maxTimestamp;
    }

    /** Last offset of the first batch with the greatest timestamp. */
    long offsetOfMaxTimestamp() {
        return offsetOfMaxTimestamp;
    }

    /** Whether a batch with this last offset can be indexed here. */
    boolean fits(long lastOffset) {
        return lastOffset - baseOffset <= Integer.MAX_VALUE;
    }

    /** Takes a batch, whose bytes are in the file at {@link #size()}, into account. */
    void added(BatchHeader header) throws IOException {
        if (header.maxTimestamp() > maxTimestamp) {
            maxTimestamp = header.maxTimestamp();
            offsetOfMaxTimestamp = header.lastOffset();
        }
        if (sinceIndexEntry > config.indexIntervalBytes()) {
            offsets.next().putInt((int) (header.lastOffset() - baseOffset)).putInt(size);
            addTimeEntry();
            sinceIndexEntry = 0;
        }
        sinceIndexEntry += header.sizeInBytes();
        size += header.sizeInBytes();
        nextOffset = header.nextOffset();
    }

    private void addTimeEntry() throws IOException {
        int entries = times.entries();
        if (maxTimestamp > (entries == 0 ? -1 : times.longAt(entries - 1, 0))) {
            times.next().putLong(maxTimestamp).putInt((int) (offsetOfMaxTimestamp - baseOffset));
        }
    }

    /** Completes the index files: the segment is rolled or closed. */
    void seal() throws IOException {
        addTimeEntry();
        offsets.writeOut();
        times.writeOut();
    }

    // ---- Loading

    /**
     * Takes over a segment of which only the indexes are looked at.
     *
     * @param end offset after its last record
     * @return false if the indexes are missing or wrong
     */
    boolean loadSealed(long end) throws IOException {
        size = checkedSize();
        nextOffset = end;
        if (size == 0) {
            offsets.reset();
            times.reset();
            return true;
        }
        return loadIndexes(end - 1);
    }

    /**
     * Takes over the indexes and reads on from their last entry, so that the tail is checked whatever the indexes say.
     *
     * @return false if the indexes are missing or wrong; nothing is taken over then
     */
    boolean loadTail(BatchCheck check) throws IOException {
        int fileSize = checkedSize();
        if (!loadIndexes(Long.MAX_VALUE) || !monotonic(fileSize)) {
            return false;
        }
        int entries = offsets.entries();
        int from = entries == 0 ? 0 : offsets.intAt(entries - 1, 4);
        if (entries > 0) {
            // The batch that the last entry names must be there; it is read again with the tail.
            BatchHeader header = headerAt(from, fileSize);
            if (header == null || header.lastOffset() != baseOffset + offsets.intAt(entries - 1, 0)) {
                return false;
            }
            offsets.truncateTo(entries - 1);
            nextOffset = header.baseOffset();
            sinceIndexEntry = config.indexIntervalBytes() + 1;
        }
        size = from;
        scan(fileSize, check);
        return true;
    }

    /** Rebuilds the indexes from the batches, up to the first one that fails the check; the rest of the file is cut off. */
    void recover(BatchCheck check) throws IOException {
        resetIndexes();
        scan(checkedSize(), check);
    }

    private void scan(int fileSize, BatchCheck check) throws IOException {
        BatchScan scan = new BatchScan(log, size, fileSize, true);
        try {
            for (BatchHeader header = scan.next(); header != null; header = scan.next()) {
                check.accept(this, header);
                added(header);
            }
        } catch (CorruptBatchException e) {
            check.refused(log.path() + ": cut from " + fileSize + " to " + size + " bytes, end offset " + nextOffset
                    + ": " + e.getMessage());
            log.truncate(size);
            log.force();
        }
    }

    /** Decides on each batch that recovery reads, and hears why the rest of a file was cut off. */
    interface BatchCheck {
        /** Throws a {@link CorruptBatchException} to cut the segment before this batch. */
        void accept(Segment segment, BatchHeader header);

        void refused(String why);
    }

    private int checkedSize() throws IOException {
        long fileSize = log.size();
        if (fileSize > Integer.MAX_VALUE) {
            throw new IOException("segment of " + fileSize + " bytes; at most " + Integer.MAX_VALUE);
        }
        return (int) fileSize;
    }

    private void resetIndexes() throws IOException {
        offsets.reset();
        times.reset();
        size = 0;
        nextOffset = baseOffset;
        maxTimestamp = -1;
        sinceIndexEntry = 0;
    }

    private boolean loadIndexes(long lastOffset) throws IOException {
        if (!offsets.load() || !times.load()) {
            return false;
        }
        int fileSize = checkedSize();
        int entries = offsets.entries();
        if (entries > 0) {
            int relative = offsets.intAt(entries - 1, 0);
            int position = offsets.intAt(entries - 1, 4);
            if (relative < 0 || baseOffset + relative > lastOffset || position <= 0 || position >= fileSize) {
                return false;
            }
        }
        int timeEntries = times.entries();
        if (timeEntries == 0) {
            maxTimestamp = -1;
            // Sealing adds an entry, so a sealed index without one is lost (or the batches have no timestamps).
            return lastOffset == Long.MAX_VALUE;
        }
        int relative = times.intAt(timeEntries - 1, 8);
        maxTimestamp = times.longAt(timeEntries - 1, 0);
        offsetOfMaxTimestamp = baseOffset + relative;
        return relative >= 0 && offsetOfMaxTimestamp <= lastOffset && maxTimestamp >= 0;
    }

    private boolean monotonic(int fileSize) throws IOException {
        int last = -1;
        int lastPosition = 0;
        for (int slot = 0; slot < offsets.entries(); slot++) {
            int relative = offsets.intAt(slot, 0);
            int position = offsets.intAt(slot, 4);
            if (relative <= last || position <= lastPosition || position >= fileSize) {
                return false;
            }
            last = relative;
            lastPosition = position;
        }
        last = -1;
        long lastTimestamp = -1;
        for (int slot = 0; slot < times.entries(); slot++) {
            long timestamp = times.longAt(slot, 0);
            int relative = times.intAt(slot, 8);
            if (timestamp <= lastTimestamp || relative < last) {
                return false;
            }
            last = relative;
            lastTimestamp = timestamp;
        }
        return true;
    }

    // ---- Finding

    /** Position of the first batch that ends at or after {@code offset}; the size if there is none. */
    int positionOf(long offset) throws IOException {
        BatchScan scan = scanFrom(floorPosition(offset, 0, baseOffset), offset);
        for (BatchHeader header = next(scan); header != null; header = next(scan)) {
            if (header.lastOffset() >= offset) {
                return (int) scan.start();
            }
        }
        return size;
    }

    /** The last end of a batch that is at most {@code limit}, from the batch at {@code from} on; {@code from} if there is none. */
    int lastBoundary(int from, int limit) throws IOException {
        int floor = floorPosition(limit, 4, 0);
        int start = from;
        if (floor > from && headerAt(floor, size) != null) {
            start = floor;
        }
        BatchScan scan = new BatchScan(log, start, size, false);
        int boundary = start;
        while (next(scan) != null && scan.position() <= limit) {
            boundary = (int) scan.position();
        }
        return boundary;
    }

    /** The header of the batch at a position that is known to be a batch's. */
    BatchHeader batchAt(int position) throws IOException {
        BatchHeader header = next(new BatchScan(log, position, size, false));
        if (header == null) {
            throw new StorageException(log.path(), "no batch at " + position);
        }
        return header;
    }

    /** Headers from the batch that holds {@code offset} on. */
    void forEachFrom(long offset, Consumer<BatchHeader> consumer) throws IOException {
        BatchScan scan = new BatchScan(log, positionOf(offset), size, false);
        for (BatchHeader header = next(scan); header != null; header = next(scan)) {
            consumer.accept(header);
        }
    }

    BatchScan scanAt(int position) {
        return new BatchScan(log, position, size, false);
    }

    /** The next header of bytes that were checked before: damage is an error of the disk. */
    @Nullable
    BatchHeader next(BatchScan scan) throws IOException {
        try {
            return scan.next();
        } catch (CorruptBatchException e) {
            throw new StorageException(log.path(), "damaged at byte " + scan.position() + ": " + e.getMessage());
        }
    }

    /** A position from which a scan for a timestamp finds the first batch that has at least it, at or after an offset. */
    int positionForTimestamp(long timestamp, long fromOffset) throws IOException {
        int low = 0;
        int high = times.entries();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (times.longAt(middle, 0) < timestamp) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        // The entry before is the last one below the timestamp: all batches up to it are below as well.
        long offset = low == 0 ? baseOffset : baseOffset + times.intAt(low - 1, 8) + 1;
        return positionOf(Math.max(offset, Math.max(fromOffset, baseOffset)));
    }

    private BatchScan scanFrom(int floor, long offset) throws IOException {
        int from = floor;
        if (floor > 0) {
            BatchHeader header = headerAt(floor, size);
            if (header == null || header.baseOffset() > offset || header.baseOffset() < baseOffset) {
                rebuildIndexes();
                from = floorPosition(offset, 0, baseOffset);
            }
        }
        return new BatchScan(log, from, size, false);
    }

    /** Position in the last index entry whose field ({@code 0}: relative offset, {@code 4}: position) is at most the key. */
    private int floorPosition(long key, int field, long origin) throws IOException {
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
        int position = low == 0 ? 0 : offsets.intAt(low - 1, 4);
        return position < 0 || position >= size ? 0 : position;
    }

    private @Nullable BatchHeader headerAt(int position, int end) throws IOException {
        try {
            return new BatchScan(log, position, end, false).next();
        } catch (CorruptBatchException e) {
            return null;
        }
    }

    /** An index entry pointed to no batch: the file was damaged after it was written. */
    private void rebuildIndexes() throws IOException {
        int end = size;
        resetIndexes();
        BatchScan scan = new BatchScan(log, 0, end, false);
        for (BatchHeader header = next(scan); header != null; header = next(scan)) {
            added(header);
        }
    }

    // ---- Changing

    /** Cuts the segment before the batch that holds {@code offset}, durably. */
    void truncateTo(long offset) throws IOException {
        int position = positionOf(offset);
        if (position == size) {
            return;
        }
        log.truncate(position);
        log.force();
        int entries = offsets.entries();
        while (entries > 0 && offsets.intAt(entries - 1, 4) >= position) {
            entries--;
        }
        offsets.truncateTo(entries);
        int timeEntries = times.entries();
        while (timeEntries > 0 && baseOffset + times.intAt(timeEntries - 1, 8) >= offset) {
            timeEntries--;
        }
        times.truncateTo(timeEntries);
        maxTimestamp = timeEntries == 0 ? -1 : times.longAt(timeEntries - 1, 0);
        offsetOfMaxTimestamp = timeEntries == 0 ? baseOffset : baseOffset + times.intAt(timeEntries - 1, 8);
        int from = entries == 0 ? 0 : offsets.intAt(entries - 1, 4);
        size = position;
        nextOffset = baseOffset;
        sinceIndexEntry = 0;
        BatchScan scan = new BatchScan(log, from, size, false);
        for (BatchHeader header = next(scan); header != null; header = next(scan)) {
            if (header.maxTimestamp() > maxTimestamp) {
                maxTimestamp = header.maxTimestamp();
                offsetOfMaxTimestamp = header.lastOffset();
            }
            nextOffset = header.nextOffset();
            sinceIndexEntry += header.sizeInBytes();
        }
    }

    void write(ByteBuffer records) throws IOException {
        log.write(records, size);
    }

    /** Undoes a write that failed, durably: it may have written all, and must not come back in another's place. */
    void discardUnfinishedWrite() throws IOException {
        log.truncate(size);
        log.force();
    }

    void forceIndexes() throws IOException {
        offsets.force();
        times.force();
    }

    /** Closes the index files; the log stays open for regions that refer to it, until nothing does. */
    void retire() throws IOException {
        offsets.close();
        times.close();
    }

    void close() throws IOException {
        retire();
        log.close();
    }
}
