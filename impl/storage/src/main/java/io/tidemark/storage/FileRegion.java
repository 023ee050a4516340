package io.tidemark.storage;

import io.tidemark.core.log.RecordsRef;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import org.jspecify.annotations.Nullable;

/**
 * Whole batches in a segment file, named without being read. It stays readable when the segment is deleted meanwhile: a
 * deleted segment's file is closed when nothing refers to it any more. If the log is truncated below its end, reading it
 * fails or yields bytes that a checksum refuses; what lies below the high watermark is never truncated.
 *
 * @param length bytes, more than 0
 */
public record FileRegion(FileHandle file, long position, int length) implements RecordsRef {
    public FileRegion {
        if (position < 0 || length <= 0) {
            throw new IllegalArgumentException("region of " + length + " bytes at " + position);
        }
    }

    @Override
    public int sizeInBytes() {
        return length;
    }

    /** For {@link FileChannel#transferTo}; null where the disk is simulated, then {@link #readFully} is the way. */
    public @Nullable FileChannel channel() {
        return file.channel();
    }

    /**
     * Sends bytes from {@code offset} (0 to length) on, without copying them where the disk is real.
     *
     * @return the number of bytes sent, possibly 0 where the target does not block
     */
    public long transferTo(int offset, WritableByteChannel target) throws IOException {
        FileChannel channel = file.channel();
        if (channel != null) {
            long sent = channel.transferTo(position + offset, length - offset, target);
            if (sent == 0 && position + offset >= channel.size()) {
                throw new EOFException(file.path() + ": truncated below " + (position + length));
            }
            return sent;
        }
        ByteBuffer copy = ByteBuffer.allocate(length);
        readFully(copy);
        return target.write(copy.position(offset).limit(length));
    }

    /** Reads the region into {@code target}, which must have room for {@link #length} bytes. */
    public void readFully(ByteBuffer target) throws IOException {
        int end = target.position() + length;
        int limit = target.limit();
        int read = file.read(target.limit(end), position);
        target.limit(limit);
        if (read < length) {
            throw new EOFException(file.path() + ": ends " + (length - read) + " bytes before " + (position + length));
        }
    }
}
