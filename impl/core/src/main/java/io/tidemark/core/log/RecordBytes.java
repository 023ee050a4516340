package io.tidemark.core.log;

import java.nio.ByteBuffer;

/** Records in memory: zero or more whole batches between the buffer's position and limit. */
public record RecordBytes(ByteBuffer buffer) implements RecordsRef {
    public static final RecordBytes EMPTY = new RecordBytes(ByteBuffer.allocate(0));

    @Override
    public int sizeInBytes() {
        return buffer.remaining();
    }
}
