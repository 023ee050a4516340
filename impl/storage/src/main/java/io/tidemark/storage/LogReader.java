package io.tidemark.storage;

import io.tidemark.core.log.BatchHeader;
import io.tidemark.core.log.RecordBytes;
import io.tidemark.core.log.RecordScanner;
import io.tidemark.core.log.RecordsRef;
import io.tidemark.core.log.TimestampOffset;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Finds records in the segments of a log; used by the log's owner. See {@link PartitionLog} for the contracts. */
final class LogReader {
    private final List<Segment> segments;
    private final RecentBatches recent = new RecentBatches();
    private long readOffset = -1;
    private @Nullable Segment readSegment;
    private int readPosition;

    LogReader(List<Segment> segments) {
        this.segments = segments;
    }

    /** A batch was written to the end of the active segment. */
    void added(BatchHeader header, int position) {
        recent.add(header, position);
    }

    /** A segment was added or cut: nothing remembered holds. */
    void reset() {
        recent.clear();
        readOffset = -1;
        readSegment = null;
    }

    private Segment active() {
        return segments.get(segments.size() - 1);
    }

    /** The last segment that begins at or below the offset, which is at least the first offset. */
    int segmentIndex(long offset) {
        if (offset >= active().baseOffset) {
            return segments.size() - 1;
        }
        int low = 0;
        int high = segments.size() - 1;
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            if (segments.get(middle).baseOffset <= offset) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return low;
    }

    RecordsRef read(long fromOffset, int maxBytes, boolean minOneMessage, long bound) throws IOException {
        int index = segmentIndex(fromOffset);
        int start = positionOf(segments.get(index), fromOffset);
        while (start == segments.get(index).size() && index + 1 < segments.size()) {
            index++;
            start = 0;
        }
        Segment segment = segments.get(index);
        int end = bound >= segment.nextOffset() ? segment.size() : positionOf(segment, bound);
        if (end - start > maxBytes) {
            end = limited(segment, start, end, maxBytes, minOneMessage);
        }
        return end <= start ? RecordBytes.EMPTY : new FileRegion(segment.log, start, end - start);
    }

    private int limited(Segment segment, int start, int end, int maxBytes, boolean minOneMessage) throws IOException {
        int limit = start + Math.max(maxBytes, 0);
        int boundary = segment == active() ? recent.boundary(limit) : -1;
        if (boundary < start) {
            boundary = segment.lastBoundary(start, limit);
        }
        if (boundary == start && minOneMessage) {
            boundary = start + segment.batchAt(start).sizeInBytes();
        }
        if (boundary < segment.size()) {
            // A reader in sequence comes back for what begins here.
            readOffset = segment.batchAt(boundary).baseOffset();
            readSegment = segment;
            readPosition = boundary;
        }
        return Math.min(boundary, end);
    }

    private int positionOf(Segment segment, long offset) throws IOException {
        if (segment == active()) {
            int position = recent.positionOf(offset);
            if (position >= 0) {
                return position;
            }
        }
        if (offset == readOffset && segment == readSegment) {
            return readPosition;
        }
        return offset >= segment.nextOffset() ? segment.size() : segment.positionOf(offset);
    }

    void batchesFrom(long fromOffset, Predicate<BatchHeader> visitor) throws IOException {
        for (int i = segmentIndex(fromOffset); i < segments.size(); i++) {
            Segment segment = segments.get(i);
            BatchScan scan = segment.scanAt(positionOf(segment, Math.max(fromOffset, segment.baseOffset)));
            for (BatchHeader header = segment.next(scan); header != null; header = segment.next(scan)) {
                if (!visitor.test(header)) {
                    return;
                }
            }
        }
    }

    @Nullable
    TimestampOffset offsetForTimestamp(long timestamp, long fromOffset, RecordScanner scanner) throws IOException {
        for (Segment segment : segments) {
            if (segment.nextOffset() <= fromOffset || segment.maxTimestamp() < timestamp) {
                continue;
            }
            BatchScan scan = segment.scanAt(segment.positionForTimestamp(timestamp, fromOffset));
            for (BatchHeader header = segment.next(scan); header != null; header = segment.next(scan)) {
                if (header.maxTimestamp() >= timestamp && header.lastOffset() >= fromOffset) {
                    ByteBuffer batch = batch(segment, scan.start(), header);
                    TimestampOffset found;
                    try {
                        found = scanner.firstAtOrAfter(header, batch, timestamp, fromOffset);
                    } catch (IllegalArgumentException e) {
                        throw segment.damage(scan.start(), e);
                    }
                    if (found != null) {
                        return found;
                    }
                }
            }
        }
        return null;
    }

    @Nullable
    TimestampOffset maxTimestampOffset(RecordScanner scanner) throws IOException {
        Segment greatest = segments.get(0);
        for (Segment segment : segments) {
            if (segment.maxTimestamp() > greatest.maxTimestamp()) {
                greatest = segment;
            }
        }
        if (greatest.maxTimestamp() < 0) {
            return null;
        }
        int position = greatest.positionOf(greatest.offsetOfMaxTimestamp());
        BatchHeader header = greatest.batchAt(position);
        ByteBuffer batch = batch(greatest, position, header);
        try {
            return scanner.maxTimestamp(header, batch);
        } catch (IllegalArgumentException e) {
            throw greatest.damage(position, e);
        }
    }

    private static ByteBuffer batch(Segment segment, long position, BatchHeader header) throws IOException {
        ByteBuffer batch = ByteBuffer.allocate(header.sizeInBytes());
        new FileRegion(segment.log, position, header.sizeInBytes()).readFully(batch);
        return batch.flip();
    }
}
