package io.tidemark.storage;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Entries of fixed size in a file that grows at its end. The newest entries wait in memory and are written in one piece:
 * an index is rebuilt after a crash, so it need not be written with each append. An index is a hint, never the truth:
 * whoever uses an entry checks what it points to.
 *
 * <p>While its segment is active the file has its full size, zeros behind the entries (a hole, where the file system has
 * holes): Kafka's tools take an empty index for none. It is cut to its entries when the segment is rolled or closed.
 */
final class IndexFile {
    /** A multiple of the entry sizes 8 and 12. */
    private static final int TAIL_BYTES = 4080;

    private final Disk disk;
    private final Path path;
    private final int entrySize;
    private final int fullSize;
    private final ByteBuffer scratch;

    private @Nullable FileHandle file;
    private @Nullable ByteBuffer tail;
    private int written;

    IndexFile(Disk disk, Path path, int entrySize, int maxBytes) {
        this.disk = disk;
        this.path = path;
        this.entrySize = entrySize;
        this.fullSize = maxBytes - maxBytes % entrySize;
        this.scratch = ByteBuffer.allocate(entrySize);
    }

    /** Makes the file, of full size, which stays closed until there is something to write. */
    void create() throws IOException {
        try (FileHandle made = disk.open(path, true)) {
            fill(made);
        }
    }

    /** Brings the file to its full size: its segment is the active one. */
    void preallocate() throws IOException {
        FileHandle open = file();
        if (open.size() < fullSize) {
            fill(open);
        }
    }

    private void fill(FileHandle open) throws IOException {
        open.write(ByteBuffer.allocate(1), fullSize - 1L);
    }

    int maxEntries() {
        return fullSize / entrySize;
    }

    /** Takes over the entries on disk; false if there is no file or it is no whole number of entries. */
    boolean load() throws IOException {
        if (!disk.exists(path)) {
            return false;
        }
        long size = file().size();
        if (size % entrySize != 0 || size > Integer.MAX_VALUE) {
            return false;
        }
        written = (int) (size / entrySize);
        tail = null;
        return true;
    }

    Path path() {
        return path;
    }

    int entries() {
        return written + (tail == null ? 0 : tail.position() / entrySize);
    }

    /** The buffer to put the next entry into: exactly {@code entrySize} bytes must be put. */
    ByteBuffer next() throws IOException {
        ByteBuffer buffer = tail;
        if (buffer == null) {
            buffer = ByteBuffer.allocate(TAIL_BYTES);
            tail = buffer;
        } else if (!buffer.hasRemaining()) {
            spill();
        }
        return buffer;
    }

    int intAt(int slot, int offset) throws IOException {
        return slot(slot).getInt(at(slot) + offset);
    }

    long longAt(int slot, int offset) throws IOException {
        return slot(slot).getLong(at(slot) + offset);
    }

    private int at(int slot) {
        return slot < written ? 0 : (slot - written) * entrySize;
    }

    private ByteBuffer slot(int slot) throws IOException {
        ByteBuffer buffer = tail;
        if (slot >= written && buffer != null) {
            return buffer;
        }
        if (file().read(scratch.clear(), (long) slot * entrySize) < entrySize) {
            throw new IOException(path + ": ends before entry " + slot);
        }
        return scratch;
    }

    void truncateTo(int entries) throws IOException {
        ByteBuffer buffer = tail;
        if (entries >= written) {
            if (buffer != null) {
                buffer.position((entries - written) * entrySize);
            }
        } else {
            tail = null;
            file().truncate((long) entries * entrySize);
            written = entries;
        }
    }

    /** Empties the index, whatever the file holds. */
    void reset() throws IOException {
        tail = null;
        written = 0;
        if (disk.exists(path)) {
            file().truncate(0);
        }
    }

    /** Writes what waits in memory, lets the memory go and cuts the file to its entries; it exists afterwards. */
    void writeOut() throws IOException {
        spill();
        tail = null;
        file().truncate((long) written * entrySize);
    }

    private void spill() throws IOException {
        ByteBuffer buffer = tail;
        if (buffer != null && buffer.position() > 0) {
            int count = buffer.position() / entrySize;
            file().write(buffer.flip(), (long) written * entrySize);
            written += count;
            buffer.clear();
        }
    }

    /** Makes the file durable as it is; safe beside the owner's reads once the index is written out. */
    void force() throws IOException {
        file().force();
    }

    private synchronized FileHandle file() throws IOException {
        FileHandle open = file;
        if (open == null) {
            open = disk.open(path, true);
            file = open;
        }
        return open;
    }

    synchronized void close() throws IOException {
        FileHandle open = file;
        file = null;
        if (open != null) {
            open.close();
        }
    }
}
