package io.tidemark.wire;

import static io.tidemark.wire.Samples.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.ErrorCode;
import io.tidemark.core.log.BatchHeader;
import io.tidemark.core.log.TimestampOffset;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.zip.CRC32C;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.record.internal.CompressionType;
import org.apache.kafka.common.record.internal.DefaultRecordBatch;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.apache.kafka.common.utils.ByteBufferOutputStream;
import org.apache.kafka.common.utils.ByteUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class BatchValidatorTest {
    private static final short VERSION = 9;
    private static final int COUNT_AT = 57;
    private static final int LAST_DELTA_AT = 23;
    private static final int ATTRIBUTES_AT = 21;

    private static BatchValidator.Result validate(ByteBuffer bytes, ProduceRules rules) {
        return BatchValidator.validate(bytes, rules, VERSION, NOW);
    }

    private static ErrorCode error(ByteBuffer bytes) {
        BatchValidator.Result result = validate(bytes, ProduceRules.DEFAULT);
        assertThat(result.header() == null).isEqualTo(result.error() != ErrorCode.NONE);
        assertThat(result.message() == null).isEqualTo(result.error() == ErrorCode.NONE);
        return result.error();
    }

    private static ByteBuffer good(Compression compression, SimpleRecord... records) {
        return MemoryRecords.withRecords(compression, records).buffer();
    }

    private static SimpleRecord[] three() {
        Header[] headers = {new RecordHeader("h", new byte[] {1}), new RecordHeader("n", (byte[]) null)};
        return new SimpleRecord[] {
            new SimpleRecord(NOW - 5, "k".getBytes(), "v".getBytes(), headers),
            new SimpleRecord(NOW, null, "value".getBytes()),
            new SimpleRecord(NOW - 9, "key".getBytes(), null)
        };
    }

    /** A copy with something changed, the CRC made right again. */
    private static ByteBuffer changed(ByteBuffer batch, Consumer<ByteBuffer> change) {
        ByteBuffer copy =
                ByteBuffer.allocate(batch.remaining()).put(batch.duplicate()).flip();
        change.accept(copy);
        CRC32C crc = new CRC32C();
        crc.update(copy.duplicate().position(ATTRIBUTES_AT));
        return copy.putInt(17, (int) crc.getValue());
    }

    /** A batch of records given raw, with a count that may lie. */
    private static ByteBuffer raw(int codec, int count, byte[] records) {
        ByteBuffer batch = ByteBuffer.allocate(Batch.HEADER_SIZE + records.length);
        batch.putLong(0).putInt(49 + records.length).putInt(-1).put((byte) 2).putInt(0);
        batch.putShort((short) codec).putInt(count - 1).putLong(NOW).putLong(NOW);
        batch.putLong(-1).putShort((short) -1).putInt(-1).putInt(count).put(records);
        return changed(batch.flip(), b -> {});
    }

    private static byte[] compressed(CompressionType codec, Consumer<OutputStream> content) {
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

    private static void put(OutputStream out, byte[] bytes, int times) {
        try {
            for (int i = 0; i < times; i++) {
                out.write(bytes);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static byte[] varints(long... values) {
        ByteBuffer buffer = ByteBuffer.allocate(values.length * 10);
        for (long value : values) {
            ByteUtils.writeVarlong(value, buffer);
        }
        byte[] bytes = new byte[buffer.flip().remaining()];
        buffer.get(bytes);
        return bytes;
    }

    private static byte[] join(byte[]... parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }

    /** A record without key, headers: size, attributes, timestamp delta, offset delta, key, value, headers. */
    private static byte[] tiny(int delta) {
        byte[] body = join(new byte[] {0}, varints(0, delta, -1, -1, 0));
        return join(varints(body.length), body);
    }

    private static byte[] withBody(byte[] body, long size) {
        return join(varints(size), body);
    }

    @ParameterizedTest
    @EnumSource(CompressionType.class)
    void takesWhatKafkasBuilderMakes(CompressionType codec) {
        ByteBuffer batch = good(Compression.of(codec).build(), three());
        byte[] before = new byte[batch.remaining()];
        batch.duplicate().get(before);
        BatchValidator.Result result = validate(batch, ProduceRules.DEFAULT);
        assertThat(result.error()).isEqualTo(ErrorCode.NONE);
        assertThat(result.header())
                .isEqualTo(new BatchHeader(0, 2, -1, batch.remaining(), NOW, -1, (short) -1, -1, false, false));
        byte[] after = new byte[batch.remaining()];
        result.records().buffer().duplicate().get(after);
        assertThat(after).as("nothing to correct, nothing changed").isEqualTo(before);
    }

    @ParameterizedTest
    @EnumSource(CompressionType.class)
    void takesLargeRecordsAndManyOfThem(CompressionType codec) {
        Random random = new Random(4);
        List<SimpleRecord> records = new ArrayList<>();
        for (int i = 0; i < 400; i++) {
            byte[] value = new byte[random.nextInt(4000)];
            random.nextBytes(value);
            records.add(new SimpleRecord(NOW, new byte[random.nextInt(300)], value));
        }
        ByteBuffer batch = good(Compression.of(codec).build(), records.toArray(SimpleRecord[]::new));
        ProduceRules rules = new ProduceRules(Integer.MAX_VALUE, 5, 5, false, true);
        assertThat(validate(batch, rules).error()).isEqualTo(ErrorCode.NONE);
    }

    @Test
    void takesAnIdempotentProducersBatch() {
        ByteBuffer batch = MemoryRecords.withIdempotentRecords(Compression.NONE, 7L, (short) 3, 11, three())
                .buffer();
        BatchHeader header = validate(batch, ProduceRules.DEFAULT).header();
        assertThat(header.producerId()).isEqualTo(7);
        assertThat(header.producerEpoch()).isEqualTo((short) 3);
        assertThat(header.baseSequence()).isEqualTo(11);
    }

    @Property(tries = 200)
    void agreesWithKafkaOnWhatItsBuilderMakes(@ForAll @Size(min = 1, max = 20) List<byte[]> values, @ForAll int codec) {
        CompressionType type = CompressionType.forId(Math.floorMod(codec, 5));
        SimpleRecord[] records =
                values.stream().map(v -> new SimpleRecord(NOW, v, v)).toArray(SimpleRecord[]::new);
        assertThat(error(good(Compression.of(type).build(), records))).isEqualTo(ErrorCode.NONE);
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
    void everyCutIsFound() {
        ByteBuffer batch = good(Compression.NONE, three());
        for (int size = 0; size < batch.remaining(); size++) {
            assertThat(error(batch.slice(0, size))).as("%d bytes", size).isNotEqualTo(ErrorCode.NONE);
        }
        assertThat(error(null)).isEqualTo(ErrorCode.INVALID_RECORD);
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
    void zstdNeedsVersion7() {
        ByteBuffer batch = good(Compression.zstd().build(), three());
        assertThat(BatchValidator.validate(batch, ProduceRules.DEFAULT, (short) 6, NOW)
                        .error())
                .isEqualTo(ErrorCode.UNSUPPORTED_COMPRESSION_TYPE);
        assertThat(BatchValidator.validate(batch, ProduceRules.DEFAULT, (short) 7, NOW)
                        .error())
                .isEqualTo(ErrorCode.NONE);
    }

    @Test
    void refusesRecordsThatLie() {
        byte[] v = {'v'};
        UnaryOperator<byte[]> none = body -> body;
        List<byte[]> bad = new ArrayList<>();
        byte[] fine = join(new byte[] {0}, varints(0, 0, -1, 1), v, varints(0));
        for (long size : new long[] {-1, Integer.MAX_VALUE, 1L << 40, 3, 10}) {
            bad.add(withBody(none.apply(fine), size));
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

    private static byte[] sized(byte[] body) {
        return withBody(body, body.length);
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
            byte[] cut = java.util.Arrays.copyOf(whole, whole.length - 3);
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
        byte[] claims = join(java.util.Arrays.copyOf(honest, 16), new byte[] {0, 0, 0, (byte) size.length}, size);
        long before = Allocation.bytes();
        assertThat(error(raw(2, 1, claims))).isEqualTo(ErrorCode.INVALID_RECORD);
        assertThat(Allocation.bytes() - before).isLessThan(1 << 20);
    }

    @Test
    void rawSnappyIsTakenAsLibrdkafkaWritesIt() throws Exception {
        byte[] block = org.xerial.snappy.Snappy.compress(join(tiny(0)));
        assertThat(error(raw(2, 1, block))).isEqualTo(ErrorCode.NONE);
        byte[] more = org.xerial.snappy.Snappy.compress(new byte[1 << 20]);
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
    void uncompressedRecordsAreWalkedWithoutAllocation() {
        SimpleRecord[] records = new SimpleRecord[5000];
        java.util.Arrays.setAll(records, i -> new SimpleRecord(NOW, new byte[10], new byte[100]));
        ByteBuffer batch = good(Compression.NONE, records);
        error(batch);
        long before = Allocation.bytes();
        assertThat(error(batch)).isEqualTo(ErrorCode.NONE);
        assertThat(Allocation.bytes() - before).as("for 5000 records").isLessThan(20_000);
    }

    @Test
    void bytesBehindTheBatchAreCutUnlessTheyAreABatch() {
        ByteBuffer batch = good(Compression.NONE, three());
        byte[] bytes = new byte[batch.remaining()];
        batch.duplicate().get(bytes);
        for (byte[] tail : new byte[][] {{1, 2, 3}, java.util.Arrays.copyOf(bytes, 40)}) {
            BatchValidator.Result result = validate(ByteBuffer.wrap(join(bytes, tail)), ProduceRules.DEFAULT);
            assertThat(result.error()).isEqualTo(ErrorCode.NONE);
            assertThat(result.records().sizeInBytes()).isEqualTo(bytes.length);
        }
        assertThat(error(ByteBuffer.wrap(join(bytes, bytes)))).isEqualTo(ErrorCode.INVALID_RECORD);
    }

    @Test
    void sizeIsThatOfTheWholeBatch() {
        ByteBuffer batch = good(Compression.NONE, three());
        int size = batch.remaining();
        assertThat(validate(batch, new ProduceRules(size, 99, 99, false, false)).error())
                .isEqualTo(ErrorCode.NONE);
        assertThat(validate(batch, new ProduceRules(size - 1, 99, 99, false, false))
                        .error())
                .isEqualTo(ErrorCode.MESSAGE_TOO_LARGE);
    }

    @Test
    void timestampsAreBoundedAndKeysRequiredAsTheTopicSays() {
        ByteBuffer batch = good(Compression.NONE, three());
        assertThat(validate(batch, new ProduceRules(9999, 8, 99, false, false)).error())
                .isEqualTo(ErrorCode.INVALID_TIMESTAMP);
        assertThat(validate(batch, new ProduceRules(9999, 9, 0, false, false)).error())
                .isEqualTo(ErrorCode.NONE);
        assertThat(validate(batch, new ProduceRules(9999, 9, 0, false, true)).error())
                .isEqualTo(ErrorCode.INVALID_RECORD);
        for (long timestamp : new long[] {NOW + 4_000_000, Long.MAX_VALUE - 1}) {
            assertThat(error(good(Compression.NONE, new SimpleRecord(timestamp, new byte[1]))))
                    .isEqualTo(ErrorCode.INVALID_TIMESTAMP);
        }
        assertThat(error(good(Compression.NONE, new SimpleRecord(-1, new byte[1]))))
                .isEqualTo(ErrorCode.NONE);
    }

    @Test
    void theGreatestTimestampAndTheTypeAreSetByUs() {
        ByteBuffer batch = changed(
                good(Compression.zstd().build(), three()),
                b -> b.putLong(35, 12).putShort(ATTRIBUTES_AT, (short) (0x7f48 | 4)));
        BatchValidator.Result result = validate(batch, ProduceRules.DEFAULT);
        assertThat(result.header().maxTimestamp()).isEqualTo(NOW);
        RecordBatch stored = stored(result);
        assertThat(stored.isValid()).isTrue();
        assertThat(stored.timestampType()).isEqualTo(TimestampType.CREATE_TIME);
        assertThat(stored.deleteHorizonMs()).isEmpty();

        ByteBuffer other = good(Compression.zstd().build(), three());
        BatchValidator.Result append = validate(other, new ProduceRules(9999, 0, 0, true, false));
        assertThat(append.header().maxTimestamp()).isEqualTo(NOW);
        assertThat(stored(append).isValid()).isTrue();
        assertThat(stored(append).timestampType()).isEqualTo(TimestampType.LOG_APPEND_TIME);
        assertThat(stored(append).iterator().next().timestamp()).isEqualTo(NOW);
    }

    private static RecordBatch stored(BatchValidator.Result result) {
        RecordBatch batch = MemoryRecords.readableRecords(result.records().buffer())
                .batches()
                .iterator()
                .next();
        assertThat(batch).isInstanceOf(DefaultRecordBatch.class);
        return batch;
    }

    @ParameterizedTest
    @EnumSource(CompressionType.class)
    void findsRecordsByTimestamp(CompressionType codec) {
        ByteBuffer batch = good(
                Compression.of(codec).build(),
                new SimpleRecord(10, "a".getBytes()),
                new SimpleRecord(30, "b".getBytes()),
                new SimpleRecord(20, "c".getBytes()),
                new SimpleRecord(30, "d".getBytes()));
        BatchHeader header = new BatchHeader(100, 3, 5, batch.remaining(), 30, -1, (short) -1, -1, false, false);
        KafkaRecordScanner scanner = new KafkaRecordScanner();
        assertThat(scanner.firstAtOrAfter(header, batch, 11, 0)).isEqualTo(new TimestampOffset(30, 101, 5));
        assertThat(scanner.firstAtOrAfter(header, batch, 11, 102)).isEqualTo(new TimestampOffset(20, 102, 5));
        assertThat(scanner.firstAtOrAfter(header, batch, 31, 0)).isNull();
        assertThat(scanner.maxTimestamp(header, batch)).isEqualTo(new TimestampOffset(30, 101, 5));
    }
}
