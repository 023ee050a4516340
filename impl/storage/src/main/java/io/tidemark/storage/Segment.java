package io.tidemark.storage;

import io.tidemark.core.log.BatchHeader;
import io.tidemark.core.log.BatchLayout;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One {@code .log} file with its {@link SegmentIndex}. Used by the log's owner; the flush thread only forces files. */
final class Segment {
    final long baseOffset;
    final FileHandle log;

    private final SegmentIndex index;
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
        this.index = new SegmentIndex(disk, dir, baseOffset, config.segmentIndexBytes(), create);
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

    boolean indexFull() {
        return index.isFull();
    }

    /** The log is appended to here from now on. */
    void activate() throws IOException {
        index.preallocate();
    }

    /** Takes a batch, whose bytes are in the file at {@link #size()}, into account. */
    void added(BatchHeader header) throws IOException {
        if (header.maxTimestamp() > maxTimestamp) {
            maxTimestamp = header.maxTimestamp();
            offsetOfMaxTimestamp = header.lastOffset();
        }
        if (sinceIndexEntry > config.indexIntervalBytes()) {
            index.add(header.lastOffset(), size);
            index.addTime(maxTimestamp, offsetOfMaxTimestamp);
            sinceIndexEntry = 0;
        }
        sinceIndexEntry += header.sizeInBytes();
        size += header.sizeInBytes();
        nextOffset = header.nextOffset();
    }

    /** Completes the index files: the segment is rolled or closed. */
    void seal() throws IOException {
        index.addTime(maxTimestamp, offsetOfMaxTimestamp);
        index.writeOut();
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
            index.reset();
            return true;
        }
        return loadIndexes(end - 1, size);
    }

    /**
     * Takes over a segment without good indexes and rebuilds them, by the headers of its batches alone; the log is left as it is.
     *
     * @param end offset after its last record
     * @param gaps whether offsets may be missing
     * @throws CorruptBatchException where the batches do not lead from the base offset to {@code end}; nothing is changed then
     */
    void loadByHeaders(long end, boolean gaps) throws IOException {
        long expected = baseOffset;
        BatchScan look = new BatchScan(log, 0, size, false);
        for (BatchHeader header = look.next(); header != null; header = look.next()) {
            if (gaps ? header.baseOffset() < expected : header.baseOffset() != expected) {
                throw new CorruptBatchException(
                        "base offset " + header.baseOffset() + " at byte " + look.start() + "; expected " + expected);
            }
            expected = header.nextOffset();
        }
        if (gaps ? expected > end : expected != end) {
            throw new CorruptBatchException("ends before offset " + end + ", where the next one begins");
        }
        int whole = size;
        resetIndexes();
        BatchScan scan = new BatchScan(log, 0, whole, false);
        for (BatchHeader header = scan.next(); header != null; header = scan.next()) {
            added(header);
        }
        nextOffset = end;
        seal();
    }

    /**
     * Whether the batches behind the last index entry lead up to {@link #nextOffset}, by their headers alone: else records
     * are gone from the end of a sealed segment, or whole segments behind it. A damaged header says nothing of that; who
     * reads there is told.
     */
    boolean reachesItsEnd() throws IOException {
        BatchScan scan = new BatchScan(log, index.lastPosition(), size, false);
        long end = baseOffset;
        try {
            for (BatchHeader header = scan.next(); header != null; header = scan.next()) {
                end = header.nextOffset();
            }
        } catch (CorruptBatchException e) {
            return !e.isTorn();
        }
        return end == nextOffset;
    }

    /**
     * Takes over the indexes and reads on from their last entry, so that the tail is checked whatever the indexes say.
     *
     * @return false if the indexes are missing or wrong; nothing is taken over then
     */
    boolean loadTail(BatchCheck check) throws IOException {
        int fileSize = checkedSize();
        if (!loadIndexes(Long.MAX_VALUE, fileSize) || !index.monotonic(fileSize)) {
            return false;
        }
        int from = index.lastPosition();
        if (!index.isEmpty()) {
            // The batch that the last entry names must be there; it is read again with the tail.
            BatchHeader header = headerAt(from, fileSize);
            if (header == null || header.lastOffset() != index.lastOffset()) {
                return false;
            }
            index.dropLast();
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
        index.reset();
        size = 0;
        nextOffset = baseOffset;
        maxTimestamp = -1;
        sinceIndexEntry = 0;
    }

    private boolean loadIndexes(long lastOffset, int fileSize) throws IOException {
        boolean loaded = index.load(lastOffset, fileSize);
        if (loaded) {
            maxTimestamp = index.maxTimestamp();
            offsetOfMaxTimestamp = index.offsetOfMaxTimestamp();
        }
        return loaded;
    }

    // ---- Finding

    /** Position of the first batch that ends at or after {@code offset}; the size if there is none. */
    int positionOf(long offset) throws IOException {
        BatchScan scan = scanFrom(index.positionForOffset(offset, size), offset);
        for (BatchHeader header = next(scan); header != null; header = next(scan)) {
            if (header.lastOffset() >= offset) {
                return (int) scan.start();
            }
        }
        return size;
    }

    /** The last end of a batch that is at most {@code limit}, from the batch at {@code from} on; {@code from} if there is none. */
    int lastBoundary(int from, int limit) throws IOException {
        int floor = index.positionForPosition(limit, size);
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

    /** Batches from an offset on whose leader epoch is above {@code newest} are of {@code epoch}; durable on return. */
    void lowerEpochs(long offset, int newest, int epoch) throws IOException {
        BatchScan scan = scanAt(positionOf(offset));
        for (BatchHeader header = next(scan); header != null; header = next(scan)) {
            if (header.leaderEpoch() > newest) {
                log.write(ByteBuffer.allocate(Integer.BYTES).putInt(0, epoch), scan.start() + BatchLayout.EPOCH);
            }
        }
        log.force();
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
            throw damage(scan.position(), e);
        }
    }

    /** What to throw where bytes at {@code position} are not what was written. */
    StorageException damage(long position, RuntimeException found) {
        return new StorageException(log.path(), "damaged at byte " + position + ": " + found.getMessage());
    }

    /** A position from which a scan for a timestamp finds the first batch that has at least it, at or after an offset. */
    int positionForTimestamp(long timestamp, long fromOffset) throws IOException {
        long offset = index.offsetForTimestamp(timestamp);
        return positionOf(Math.max(offset, Math.max(fromOffset, baseOffset)));
    }

    private BatchScan scanFrom(int floor, long offset) throws IOException {
        int from = floor;
        if (floor > 0) {
            BatchHeader header = headerAt(floor, size);
            if (header == null || header.baseOffset() > offset || header.baseOffset() < baseOffset) {
                rebuildIndexes();
                from = index.positionForOffset(offset, size);
            }
        }
        return new BatchScan(log, from, size, false);
    }

    private @Nullable BatchHeader headerAt(int position, int end) throws IOException {
        try {
            return new BatchScan(log, position, end, false).next();
        } catch (CorruptBatchException e) {
            return null;
        }
    }

    /** An index entry pointed to no batch: a file was damaged after it was written. If it is the log, all stays as it is. */
    private void rebuildIndexes() throws IOException {
        BatchScan look = scanAt(0);
        while (next(look) != null) {
            // Throws where the log is damaged, before anything is forgotten.
        }
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
        index.truncateTo(offset, position);
        maxTimestamp = index.maxTimestamp();
        offsetOfMaxTimestamp = index.offsetOfMaxTimestamp();
        size = position;
        nextOffset = baseOffset;
        sinceIndexEntry = 0;
        BatchScan scan = new BatchScan(log, index.lastPosition(), size, false);
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
        index.force();
    }

    /** Closes the index files; the log stays open for regions that refer to it, until nothing does. */
    void retire() throws IOException {
        index.close();
    }

    void close() throws IOException {
        retire();
        log.close();
    }
}
