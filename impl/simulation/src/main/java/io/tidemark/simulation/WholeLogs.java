package io.tidemark.simulation;

import io.tidemark.storage.BatchFormat;
import io.tidemark.storage.CorruptBatchException;
import io.tidemark.storage.FileHandle;
import io.tidemark.storage.PartitionName;
import io.tidemark.storage.memory.MemoryDisk;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/**
 * What a process has found at its start is whole: after recovery each log on its disk is a row of batches whose CRC is right
 * ({@code RecoveredWhole}). What a power loss tore has been cut off; else it would be given to whoever reads there.
 */
final class WholeLogs {
    private WholeLogs() {}

    static void check(int node, MemoryDisk disk) {
        try {
            for (Path directory : disk.list(SimDisk.DIR)) {
                if (PartitionName.parse(String.valueOf(directory.getFileName())).isPresent()) {
                    for (Path file : disk.list(directory)) {
                        if (file.toString().endsWith(SimDisk.LOG_FILE)) {
                            check(node, disk, file);
                        }
                    }
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void check(int node, MemoryDisk disk, Path file) throws IOException {
        try (FileHandle log = disk.open(file, false)) {
            ByteBuffer bytes = ByteBuffer.allocate((int) log.size());
            if (log.read(bytes, 0) > 0) {
                BatchFormat.batches(bytes.flip());
            }
        } catch (CorruptBatchException torn) {
            throw new Violation(
                    "RecoveredWhole", "node " + node + " has started with " + file + ": " + torn.getMessage());
        }
    }
}
