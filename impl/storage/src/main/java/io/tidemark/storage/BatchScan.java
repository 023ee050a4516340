package io.tidemark.storage;

import io.tidemark.core.log.BatchHeader;
import io.tidemark.core.log.BatchLayout;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Walks the batches of a file, headers alone or with their checksums, in chunks of bounded size: a length from a damaged
 * file is never allocated.
 */
final class BatchScan {
    private static final int HEADER_CHUNK = 4096;
    private static final int CRC_CHUNK = 64 * 1024;

    private final FileHandle file;
    private final long end;
    private final boolean verify;
    private final ByteBuffer chunk;
    private long chunkAt;
    private long position;
    private long start;

    /** @param end where the last batch may end at most */
    BatchScan(FileHandle file, long from, long end, boolean verify) {
        this.file = file;
        this.position = from;
        this.start = from;
        this.end = end;
        this.verify = verify;
        this.chunk = ByteBuffer.allocate((int) Math.min(verify ? CRC_CHUNK : HEADER_CHUNK, Math.max(end - from, 1)))
                .limit(0);
    }

    /** Position of the batch after the last one returned. */
    long position() {
        return position;
    }

    /** Position of the last batch returned. */
    long start() {
        return start;
    }

    /**
     * The next batch, or null at the end.
     *
     * @throws CorruptBatchException if there is no whole, valid batch at {@link #position}; the position stays there
     */
    @Nullable
    BatchHeader next() throws IOException {
        if (position >= end) {
            return null;
        }
        int at = load(position, (int) Math.min(BatchLayout.HEADER_SIZE, end - position));
        BatchHeader header = BatchFormat.header(chunk, at, end - position);
        if (verify) {
            verify(BatchFormat.storedCrc(chunk, at), header.sizeInBytes());
        }
        start = position;
        position += header.sizeInBytes();
        return header;
    }

    private void verify(int stored, int size) throws IOException {
        CRC32C crc = new CRC32C();
        long batchEnd = position + size;
        for (long at = position + BatchLayout.ATTRIBUTES; at < batchEnd; ) {
            int offset = load(at, 1);
            int count = (int) Math.min(chunk.limit() - offset, batchEnd - at);
            crc.update(chunk.array(), offset, count);
            at += count;
        }
        if ((int) crc.getValue() != stored) {
            throw BatchFormat.crcMismatch(stored, (int) crc.getValue());
        }
    }

    /** Makes {@code count} bytes from {@code at} present in the chunk and returns where they are in it. */
    private int load(long at, int count) throws IOException {
        if (at < chunkAt || at + count > chunkAt + chunk.limit()) {
            chunk.clear().limit((int) Math.min(chunk.capacity(), end - at));
            int read = file.read(chunk, at);
            chunk.limit(read);
            chunkAt = at;
            if (read < count) {
                throw new EOFException(file.path() + ": ends at " + (at + read) + ", expected " + end);
            }
        }
        return (int) (at - chunkAt);
    }
}
