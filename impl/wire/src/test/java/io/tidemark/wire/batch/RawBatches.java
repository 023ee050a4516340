package io.tidemark.wire.batch;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.ErrorCode;
import io.tidemark.core.log.BatchLayout;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.function.Consumer;
import java.util.zip.CRC32C;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.record.internal.CompressionType;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.apache.kafka.common.utils.ByteBufferOutputStream;
import org.apache.kafka.common.utils.ByteUtils;

/** Batches of records, good and bad, byte by byte; and what {@link BatchValidator} says of them. */
final class RawBatches {
    static final long NOW = 1_700_000_000_000L;
    static final short VERSION = 9;
    static final int COUNT_AT = 57;
    static final int LAST_DELTA_AT = 23;
    static final int ATTRIBUTES_AT = 21;

    private RawBatches() {}

    static BatchValidator.Result validate(ByteBuffer bytes, ProduceRules rules) {
        return BatchValidator.validate(bytes, rules, VERSION, NOW);
    }

    static ErrorCode error(ByteBuffer bytes) {
        BatchValidator.Result result = validate(bytes, ProduceRules.DEFAULT);
        assertThat(result.header() == null).isEqualTo(result.error() != ErrorCode.NONE);
        assertThat(result.message() == null).isEqualTo(result.error() == ErrorCode.NONE);
        return result.error();
    }

    static ByteBuffer good(Compression compression, SimpleRecord... records) {
        return MemoryRecords.withRecords(compression, records).buffer();
    }

    static SimpleRecord[] three() {
        Header[] headers = {new RecordHeader("h", new byte[] {1}), new RecordHeader("n", (byte[]) null)};
        return new SimpleRecord[] {
            new SimpleRecord(NOW - 5, "k".getBytes(), "v".getBytes(), headers),
            new SimpleRecord(NOW, null, "value".getBytes()),
            new SimpleRecord(NOW - 9, "key".getBytes(), null)
        };
    }

    /** A copy with something changed, the CRC made right again. */
    static ByteBuffer changed(ByteBuffer batch, Consumer<ByteBuffer> change) {
        ByteBuffer copy =
                ByteBuffer.allocate(batch.remaining()).put(batch.duplicate()).flip();
        change.accept(copy);
        CRC32C crc = new CRC32C();
        crc.update(copy.duplicate().position(ATTRIBUTES_AT));
        return copy.putInt(17, (int) crc.getValue());
    }

    /** A batch of records given raw, with a count that may lie. */
    static ByteBuffer raw(int codec, int count, byte[] records) {
        ByteBuffer batch = ByteBuffer.allocate(BatchLayout.HEADER_SIZE + records.length);
        batch.putLong(0).putInt(49 + records.length).putInt(-1).put((byte) 2).putInt(0);
        batch.putShort((short) codec).putInt(count - 1).putLong(NOW).putLong(NOW);
        batch.putLong(-1).putShort((short) -1).putInt(-1).putInt(count).put(records);
        return changed(batch.flip(), b -> {});
    }

    static byte[] compressed(CompressionType codec, Consumer<OutputStream> content) {
        ByteBufferOutputStream bytes = new ByteBufferOutputStream(1024);
        try (OutputStream out = Compression.of(codec).build().wrapForOutput(bytes, (byte) 2)) {
            content.accept(out);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        byte[] array = new byte[bytes.position()];
        bytes.buffer().flip().get(array);
        return array;
    }

    static void put(OutputStream out, byte[] bytes, int times) {
        try {
            for (int i = 0; i < times; i++) {
                out.write(bytes);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static byte[] varints(long... values) {
        ByteBuffer buffer = ByteBuffer.allocate(values.length * 10);
        for (long value : values) {
            ByteUtils.writeVarlong(value, buffer);
        }
        byte[] bytes = new byte[buffer.flip().remaining()];
        buffer.get(bytes);
        return bytes;
    }

    static byte[] join(byte[]... parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }

    /** A record without key, headers: size, attributes, timestamp delta, offset delta, key, value, headers. */
    static byte[] tiny(int delta) {
        byte[] body = join(new byte[] {0}, varints(0, delta, -1, -1, 0));
        return join(varints(body.length), body);
    }

    static byte[] withBody(byte[] body, long size) {
        return join(varints(size), body);
    }

    static byte[] sized(byte[] body) {
        return withBody(body, body.length);
    }
}
