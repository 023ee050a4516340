package io.tidemark.storage;

import io.tidemark.core.log.BatchHeader;
import io.tidemark.core.log.Producers;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Rebuilds producer state from snapshot files and batch headers. */
final class ProducerState {
    private ProducerState() {}

    /** Snapshot files by the offset up to which they tell. */
    static NavigableMap<Long, Path> snapshots(Disk disk, Path dir) throws IOException {
        TreeMap<Long, Path> snapshots = new TreeMap<>();
        for (Path file : disk.list(dir)) {
            long offset = LogFiles.offsetOf(LogFiles.nameOf(file), LogFiles.SNAPSHOT);
            if (offset >= 0) {
                snapshots.put(offset, file);
            }
        }
        return snapshots;
    }

    /**
     * Fills {@code table} with the state at {@code end}: the newest readable snapshot at or below it, then the headers.
     * Snapshots that cannot be read are deleted.
     *
     * @return the offset of the snapshot used, -1 if there was none
     */
    static long rebuild(
            Disk disk,
            Path dir,
            List<Segment> segments,
            long logStartOffset,
            long end,
            Producers table,
            Consumer<String> repairs)
            throws IOException {
        table.load(List.of());
        NavigableMap<Long, Path> snapshots = snapshots(disk, dir);
        long used = -1;
        for (Map.Entry<Long, Path> entry :
                snapshots.headMap(end, true).descendingMap().entrySet()) {
            try {
                table.load(ProducerSnapshot.decode(SmallFiles.read(disk, entry.getValue())));
                used = entry.getKey();
                break;
            } catch (CorruptBatchException e) {
                repairs.accept(entry.getValue() + ": deleted: " + e.getMessage());
                disk.delete(entry.getValue());
            }
        }
        long from = Math.max(used, logStartOffset);
        for (Segment segment : segments) {
            if (segment.nextOffset() <= from) {
                continue;
            }
            BatchScan scan = segment.scanAt(segment.positionOf(Math.max(from, segment.baseOffset)));
            for (@Nullable BatchHeader header = segment.next(scan); header != null; header = segment.next(scan)) {
                if (header.baseOffset() >= end) {
                    break;
                }
                table.appended(header);
            }
        }
        return used;
    }
}
