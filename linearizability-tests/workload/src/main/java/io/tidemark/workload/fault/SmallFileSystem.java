package io.tidemark.workload.fault;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/** A small file system that holds the nodes' data and nothing else: it may be filled to its last byte. */
public final class SmallFileSystem {
    /** Larger ones take too long to fill, and are hardly meant for it. */
    public static final long MAX_BYTES = 4L << 30;

    private static final int CHUNK = 1 << 20;
    private static final int BLOCK = 4_096;

    private final Path dir;
    private final Path filler;

    /**
     * The file system that is mounted at the directory; {@link #unfit} says whether it can be used.
     *
     * @param dir where the filling goes, {@code filler} in it
     */
    public SmallFileSystem(Path dir) {
        this.dir = dir;
        this.filler = dir.resolve("filler");
    }

    /** Why the directory is no small file system of its own, in words; null if it is one. */
    public static @Nullable String unfit(Path dir) {
        try {
            if (!Files.isDirectory(dir)) {
                return "does not exist";
            }
            Path real = dir.toRealPath();
            Path parent = real.getParent();
            if (parent == null || Files.getAttribute(real, "unix:dev").equals(Files.getAttribute(parent, "unix:dev"))) {
                return "is no file system of its own";
            }
            long size = Files.getFileStore(real).getTotalSpace();
            return size > MAX_BYTES ? "is a file system of " + (size >> 20) + " MiB" : null;
        } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
            return "cannot be examined: " + e.getMessage();
        }
    }

    /** Bytes that can still be written. */
    public long usableBytes() {
        try {
            return Files.getFileStore(dir).getUsableSpace();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Writes until no more than so many bytes are left, or a write is refused.
     *
     * @return bytes that this call has written
     */
    long fill(long leave) {
        ByteBuffer zeros = ByteBuffer.allocate(CHUNK);
        long written = 0;
        try (FileChannel channel = FileChannel.open(
                filler, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND)) {
            for (long room = usableBytes() - leave; room > 0 || leave == 0; room = usableBytes() - leave) {
                zeros.clear().limit((int) Math.min(CHUNK, Math.max(BLOCK, room)));
                written += channel.write(zeros);
            }
        } catch (IOException e) {
            // Full: which is what is wanted.
            return written;
        }
        return written;
    }

    /** Whether a write of one block is refused now. */
    boolean refuses() {
        Path probe = dir.resolve("probe");
        try {
            Files.write(probe, new byte[BLOCK]);
            return false;
        } catch (IOException e) {
            return true;
        } finally {
            delete(probe);
        }
    }

    /** Gives the room back. */
    void free() {
        delete(filler);
    }

    private static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
