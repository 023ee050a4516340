package io.tidemark.runtime;

import io.tidemark.core.log.RecordBytes;
import io.tidemark.core.log.RecordsRef;
import io.tidemark.storage.FileRegion;
import io.tidemark.storage.StorageException;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Reads what a {@link RecordsRef} names. */
public final class Regions {
    private Regions() {}

    /** The bytes from 0 to the limit; of a region a copy, of bytes a view. */
    public static ByteBuffer bytes(RecordsRef ref) {
        if (ref instanceof RecordBytes bytes) {
            return bytes.buffer().slice();
        }
        FileRegion region = (FileRegion) ref;
        ByteBuffer buffer = ByteBuffer.allocate(region.length());
        try {
            region.readFully(buffer);
        } catch (IOException e) {
            throw new StorageException(region.file().path(), "cannot be read", e);
        }
        return buffer.flip();
    }
}
