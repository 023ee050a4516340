package io.tidemark.storage;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;

/** Files that are read and written whole. */
final class SmallFiles {
    /** More than any checkpoint of a million partitions. */
    private static final long MAX_BYTES = 256L << 20;

    private SmallFiles() {}

    static byte[] read(Disk disk, Path path) throws IOException {
        try (FileHandle file = disk.open(path, false)) {
            long size = file.size();
            if (size > MAX_BYTES) {
                throw new IOException(size + " bytes; at most " + MAX_BYTES);
            }
            ByteBuffer content = ByteBuffer.allocate((int) size);
            int count = file.read(content, 0);
            return count == size ? content.array() : Arrays.copyOf(content.array(), count);
        }
    }

    static String readText(Disk disk, Path path) throws IOException {
        return new String(read(disk, path), StandardCharsets.UTF_8);
    }

    /**
     * Writes the whole file in place; {@code force}: its content, not its name, is durable afterwards. A write that fails (a
     * full disk takes a part of it) leaves an empty file, as a power loss may: half of one would be taken for damage.
     */
    static void write(Disk disk, Path path, byte[] content, boolean force) throws IOException {
        try (FileHandle file = disk.open(path, true)) {
            file.truncate(0);
            try {
                file.write(ByteBuffer.wrap(content), 0);
            } catch (IOException e) {
                try {
                    file.truncate(0);
                } catch (IOException second) {
                    e.addSuppressed(second); // the first tells why
                }
                throw e;
            }
            if (force) {
                file.force();
            }
        }
    }

    /** Replaces a file: after this returned the new content is durable, before and meanwhile the old one is. */
    static void replace(Disk disk, Path path, byte[] content) throws IOException {
        Path parent = path.toAbsolutePath().getParent();
        Path temporary = path.resolveSibling(LogFiles.nameOf(path) + ".tmp");
        write(disk, temporary, content, true);
        disk.rename(temporary, path);
        if (parent != null) {
            disk.syncDirectory(parent);
        }
    }

    static void replace(Disk disk, Path path, String content) throws IOException {
        replace(disk, path, content.getBytes(StandardCharsets.UTF_8));
    }
}
