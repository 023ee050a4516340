package io.tidemark.wire.batch;

import static io.tidemark.wire.batch.RawBatches.ATTRIBUTES_AT;
import static io.tidemark.wire.batch.RawBatches.COUNT_AT;
import static io.tidemark.wire.batch.RawBatches.LAST_DELTA_AT;
import static io.tidemark.wire.batch.RawBatches.changed;
import static io.tidemark.wire.batch.RawBatches.compressed;
import static io.tidemark.wire.batch.RawBatches.error;
import static io.tidemark.wire.batch.RawBatches.good;
import static io.tidemark.wire.batch.RawBatches.join;
import static io.tidemark.wire.batch.RawBatches.put;
import static io.tidemark.wire.batch.RawBatches.raw;
import static io.tidemark.wire.batch.RawBatches.sized;
import static io.tidemark.wire.batch.RawBatches.three;
import static io.tidemark.wire.batch.RawBatches.tiny;
import static io.tidemark.wire.batch.RawBatches.validate;
import static io.tidemark.wire.batch.RawBatches.varints;
import static io.tidemark.wire.batch.RawBatches.withBody;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.ErrorCode;
import io.tidemark.wire.Allocation;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.internal.CompressionType;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.junit.jupiter.api.Test;
import org.xerial.snappy.Snappy;

/** A batch that lies is refused, whatever it lies about, and costs neither time nor memory. */
class HostileBatchTest {
    @Test
    void everyCutIsFound() {
        ByteBuffer batch = good(Compression.NONE, three());
        for (int size = 0; size < batch.remaining(); size++) {
            assertThat(error(batch.slice(0, size))).as("%d bytes", size).isNotEqualTo(ErrorCode.NONE);
        }
        assertThat(error(null)).isEqualTo(ErrorCode.INVALID_RECORD);
    }

    @Property(tries = 500)
    void everyChangedBitIsFound(@ForAll int where, @ForAll int bit) {
        ByteBuffer batch = good(Compression.gzip().build(), three());
        int at = 16 + Math.floorMod(where, batch.remaining() - 16);
        byte[] bytes = new byte[batch.remaining()];
        batch.get(bytes);
        bytes[at] ^= (byte) (1 << Math.floorMod(bit, 8));
        assertThat(error(ByteBuffer.wrap(bytes))).isNotEqualTo(ErrorCode.NONE);
    }

    @Property(tries = 2000)
    void noBytesMakeItThrow(@ForAll int where, @ForAll int what, @ForAll int codec) {
        CompressionType type = CompressionType.forId(Math.floorMod(codec, 5));
        ByteBuffer batch = changed(good(Compression.of(type).build(), three()), b -> {
            int at = ATTRIBUTES_AT + Math.floorMod(where, b.remaining() - ATTRIBUTES_AT - 4);
            b.putInt(at, what);
        });
        error(batch);
    }

    @Test
    void refusesHeadersThatLie() {
        ByteBuffer batch = good(Compression.NONE, three());
        for (int count : new int[] {4, 2, 0, -1, Integer.MAX_VALUE}) {
            assertThat(error(changed(batch, b -> b.putInt(COUNT_AT, count)))).isEqualTo(ErrorCode.INVALID_RECORD);
            assertThat(error(changed(batch, b -> b.putInt(COUNT_AT, count).putInt(LAST_DELTA_AT, count - 1))))
                    .isEqualTo(ErrorCode.INVALID_RECORD);
        }
        for (int length : new int[] {-1, Integer.MIN_VALUE, 0, 13}) {
            assertThat(error(changed(batch, b -> b.putInt(8, length)))).isEqualTo(ErrorCode.CORRUPT_MESSAGE);
        }
        assertThat(error(changed(batch, b -> b.putInt(8, Integer.MAX_VALUE)))).isEqualTo(ErrorCode.INVALID_RECORD);
        assertThat(error(changed(batch, b -> b.put(16, (byte) 1)))).isEqualTo(ErrorCode.INVALID_RECORD);
        assertThat(error(changed(batch, b -> b.put(16, (byte) 3)))).isEqualTo(ErrorCode.CORRUPT_MESSAGE);
        assertThat(error(changed(batch, b -> b.putLong(0, 7)))).isEqualTo(ErrorCode.INVALID_RECORD);
        for (int attributes : new int[] {0x20, 0x10, 0x30}) {
            assertThat(error(changed(batch, b -> b.putShort(ATTRIBUTES_AT, (short) attributes))))
                    .isEqualTo(ErrorCode.INVALID_RECORD);
        }
        for (int codec : new int[] {5, 6, 7}) {
            assertThat(error(changed(batch, b -> b.putShort(ATTRIBUTES_AT, (short) codec))))
                    .isEqualTo(ErrorCode.UNSUPPORTED_COMPRESSION_TYPE);
        }
        ByteBuffer idempotent = MemoryRecords.withIdempotentRecords(Compression.NONE, 7L, (short) 3, 11, three())
                .buffer();
        assertThat(error(changed(idempotent, b -> b.putInt(53, -1)))).isEqualTo(ErrorCode.INVALID_RECORD);
        assertThat(error(changed(idempotent, b -> b.putShort(51, (short) -1)))).isEqualTo(ErrorCode.INVALID_RECORD);
        assertThat(error(changed(idempotent, b -> b.putLong(43, -2)))).isEqualTo(ErrorCode.INVALID_RECORD);
    }

    @Test
    void refusesRecordsThatLie() {
        byte[] v = {'v'};
        List<byte[]> bad = new ArrayList<>();
        byte[] fine = join(new byte[] {0}, varints(0, 0, -1, 1), v, varints(0));
        for (long size : new long[] {-1, Integer.MAX_VALUE, 1L << 40, 3, 10}) {
            bad.add(withBody(fine, size));
        }
        bad.add(withBody(join(fine, new byte[] {1, 2, 3}), 10));
        bad.add(withBody(new byte[] {-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1}, 15));
        for (long key : new long[] {-2, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
            bad.add(sized(join(new byte[] {0}, varints(0, 0, key, 1), v, varints(0))));
            bad.add(sized(join(new byte[] {0}, varints(0, 0, -1, key), v, varints(0))));
        }
        for (long headers : new long[] {-1, Integer.MAX_VALUE, 1}) {
            bad.add(sized(join(new byte[] {0}, varints(0, 0, -1, 1), v, varints(headers))));
        }
        bad.add(sized(join(new byte[] {0}, varints(0, 0, -1, 1), v, varints(1, -1, -1))));
        bad.add(sized(join(new byte[] {0}, varints(0, 0, -1, 1), v, varints(1, 1), v, varints(Integer.MAX_VALUE))));
        for (long delta : new long[] {1, -1, 5, Integer.MAX_VALUE}) {
            bad.add(sized(join(new byte[] {0}, varints(0, delta, -1, 1), v, varints(0))));
        }
        for (byte[] records : bad) {
            assertThat(error(raw(0, 1, records))).isEqualTo(ErrorCode.INVALID_RECORD);
            for (CompressionType codec : CompressionType.values()) {
                assertThat(error(raw(codec.id, 1, compressed(codec, out -> put(out, records, 1)))))
                        .as(codec.name)
                        .isEqualTo(ErrorCode.INVALID_RECORD);
            }
        }
        assertThat(error(raw(0, 1, sized(fine)))).isEqualTo(ErrorCode.NONE);
    }

    @Test
    void offsetDeltasMustRunFromZero() {
        for (int[] deltas : new int[][] {{0, 0, 0}, {5, 6, 7}, {-1, 0, 1}, {2, 1, 0}, {0, 1, 3}}) {
            byte[] records = join(tiny(deltas[0]), tiny(deltas[1]), tiny(deltas[2]));
            assertThat(error(raw(0, 3, records))).isEqualTo(ErrorCode.INVALID_RECORD);
            assertThat(error(raw(1, 3, compressed(CompressionType.GZIP, out -> put(out, records, 1)))))
                    .isEqualTo(ErrorCode.INVALID_RECORD);
        }
        assertThat(error(raw(0, 3, join(tiny(0), tiny(1), tiny(2))))).isEqualTo(ErrorCode.NONE);
    }

    @Test
    void refusesWhatCannotBeDecompressed() {
        byte[] garbage = new byte[100];
        new Random(3).nextBytes(garbage);
        for (CompressionType codec : CompressionType.values()) {
            assertThat(error(raw(codec.id, 1, garbage))).as(codec.name).isEqualTo(ErrorCode.INVALID_RECORD);
            assertThat(error(raw(codec.id, 1, new byte[0]))).as(codec.name).isEqualTo(ErrorCode.INVALID_RECORD);
            byte[] whole = compressed(codec, out -> put(out, tiny(0), 1));
            byte[] cut = Arrays.copyOf(whole, whole.length - 3);
            assertThat(error(raw(codec.id, 1, cut))).as(codec.name).isEqualTo(ErrorCode.INVALID_RECORD);
        }
    }

    @Test
    void aSnappyBlockMayNotClaimMoreThanItCanBecome() {
        byte[] honest = compressed(CompressionType.SNAPPY, out -> put(out, tiny(0), 1));
        assertThat(error(raw(2, 1, honest))).isEqualTo(ErrorCode.NONE);
        ByteBuffer chunk = ByteBuffer.wrap(honest.clone());
        chunk.putInt(16, Integer.MAX_VALUE);
        assertThat(error(raw(2, 1, chunk.array()))).isEqualTo(ErrorCode.INVALID_RECORD);
        byte[] size = {-1, -1, -1, -1, 7, 0, 0};
        byte[] claims = join(Arrays.copyOf(honest, 16), new byte[] {0, 0, 0, (byte) size.length}, size);
        long before = Allocation.bytes();
        assertThat(error(raw(2, 1, claims))).isEqualTo(ErrorCode.INVALID_RECORD);
        assertThat(Allocation.bytes() - before).isLessThan(1 << 20);
    }

    @Test
    void rawSnappyIsTakenAsLibrdkafkaWritesIt() throws Exception {
        byte[] block = Snappy.compress(join(tiny(0)));
        assertThat(error(raw(2, 1, block))).isEqualTo(ErrorCode.NONE);
        byte[] more = Snappy.compress(new byte[1 << 20]);
        assertThat(error(raw(2, 1, more))).isEqualTo(ErrorCode.INVALID_RECORD);
        byte[] claims = {-1, -1, -1, -1, 7, 0, 0};
        long before = Allocation.bytes();
        assertThat(error(raw(2, 1, claims))).isEqualTo(ErrorCode.INVALID_RECORD);
        assertThat(Allocation.bytes() - before).isLessThan(1 << 20);
        assertThat(error(raw(2, 1, new byte[0]))).isEqualTo(ErrorCode.INVALID_RECORD);
    }

    @Test
    void bombsCostNeitherTimeNorMemory() {
        byte[] zeros = new byte[1 << 20];
        List<ByteBuffer> bombs = new ArrayList<>();
        for (CompressionType codec : List.of(CompressionType.GZIP, CompressionType.ZSTD)) {
            byte[] many = compressed(codec, out -> put(out, join(tiny(0)), 3_000_000));
            bombs.add(raw(codec.id, 3_000_000, many));
            byte[] short10 = compressed(codec, out -> {
                put(out, tiny(0), 1);
                put(out, zeros, 300);
            });
            bombs.add(raw(codec.id, 1, short10));
            byte[] huge = compressed(codec, out -> {
                put(out, join(varints(1 << 30), new byte[] {0}, varints(0, 0, -1, (1 << 30) - 20)), 1);
                put(out, zeros, 300);
            });
            bombs.add(raw(codec.id, 1, huge));
        }
        long before = Allocation.bytes();
        long start = System.nanoTime();
        for (ByteBuffer bomb : bombs) {
            assertThat(error(bomb)).isEqualTo(ErrorCode.INVALID_RECORD);
        }
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(10));
        assertThat(Allocation.bytes() - before).isLessThan(8 << 20);
    }

    @Test
    void bytesBehindTheBatchAreCutUnlessTheyAreABatch() {
        ByteBuffer batch = good(Compression.NONE, three());
        byte[] bytes = new byte[batch.remaining()];
        batch.duplicate().get(bytes);
        for (byte[] tail : new byte[][] {{1, 2, 3}, Arrays.copyOf(bytes, 40)}) {
            BatchValidator.Result result = validate(ByteBuffer.wrap(join(bytes, tail)), ProduceRules.DEFAULT);
            assertThat(result.error()).isEqualTo(ErrorCode.NONE);
            assertThat(result.records().sizeInBytes()).isEqualTo(bytes.length);
        }
        assertThat(error(ByteBuffer.wrap(join(bytes, bytes)))).isEqualTo(ErrorCode.INVALID_RECORD);
    }
}
