package io.tidemark.storage;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * An open file. Reads, writes and {@link #force} may run on different threads at once; a write that returned is seen by
 * every later read. Durability: see {@link Disk}.
 */
public interface FileHandle extends AutoCloseable {
    Path path();

    /** Writes all remaining bytes at {@code position}; on an IOException any part of them may have been written. */
    void write(ByteBuffer source, long position) throws IOException;

    /** Reads from {@code position} until {@code target} is full or the file ends; returns the number of bytes, 0 at the end. */
    int read(ByteBuffer target, long position) throws IOException;

    long size() throws IOException;

    /** Cuts the file to at most {@code size} bytes; never extends it. */
    void truncate(long size) throws IOException;

    /** On return the content and size that the file had at the call are durable. After a failure nothing is known. */
    void force() throws IOException;

    /** The channel for {@link FileChannel#transferTo}, or null where there is none (a simulated disk). */
    @Nullable
    FileChannel channel();

    @Override
    void close() throws IOException;
}
