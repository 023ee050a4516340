package io.tidemark.runtime;

import io.tidemark.core.log.BatchHeader;
import io.tidemark.core.log.BatchLayout;
import io.tidemark.core.log.RecordBytes;
import io.tidemark.storage.BatchFormat;
import java.nio.ByteBuffer;
import java.util.function.Consumer;
import java.util.zip.CRC32C;

/** Batches with a valid header and checksum; what is inside of them is 4 bytes of the test's. */
public final class TestBatches {
    private static final int CONTROL = 0x20;

    private TestBatches() {}

    public static RecordBytes batch(int count, boolean control, int content) {
        ByteBuffer batch = ByteBuffer.allocate(BatchLayout.HEADER_SIZE + 4);
        batch.putLong(0).putInt(batch.capacity() - 12).putInt(0).put((byte) 2).putInt(0);
        batch.putShort((short) (control ? CONTROL : 0))
                .putInt(count - 1)
                .putLong(1_000)
                .putLong(1_000);
        batch.putLong(-1)
                .putShort((short) -1)
                .putInt(-1)
                .putInt(count)
                .putInt(content)
                .flip();
        return with(batch, header -> {});
    }

    /** The batch with another header, and the checksum of that. */
    public static RecordBytes with(ByteBuffer batch, Consumer<ByteBuffer> change) {
        change.accept(batch);
        CRC32C crc = new CRC32C();
        crc.update(batch.duplicate().position(BatchLayout.ATTRIBUTES));
        return new RecordBytes(batch.putInt(BatchLayout.CRC, (int) crc.getValue()));
    }

    /** What a producer sends. */
    public static RecordBytes produced(int count) {
        return batch(count, false, 0);
    }

    public static BatchHeader header(RecordBytes bytes) {
        return BatchFormat.batches(bytes.buffer()).get(0);
    }

    public static int content(ByteBuffer batch) {
        return batch.getInt(BatchLayout.HEADER_SIZE);
    }
}
