package io.tidemark.storage;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Deletes segments from the end of a log so that a power loss in between leaves a prefix, never a hole. */
final class LogDeletion {
    private LogDeletion() {}

    /** Deletes all files of segments, the newest first, each durably before the next. */
    static void deleteSegmentFiles(Disk disk, Path dir, List<Long> bases) throws IOException {
        for (int i = bases.size() - 1; i >= 0; i--) {
            long base = bases.get(i);
            disk.delete(LogFiles.log(dir, base));
            disk.delete(LogFiles.index(dir, base));
            disk.delete(LogFiles.timeIndex(dir, base));
            disk.delete(LogFiles.txnIndex(dir, base));
            disk.syncDirectory(dir);
        }
    }
}
