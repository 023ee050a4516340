package io.tidemark.wire.batch;

import static io.tidemark.wire.batch.RawBatches.ATTRIBUTES_AT;
import static io.tidemark.wire.batch.RawBatches.NOW;
import static io.tidemark.wire.batch.RawBatches.changed;
import static io.tidemark.wire.batch.RawBatches.error;
import static io.tidemark.wire.batch.RawBatches.good;
import static io.tidemark.wire.batch.RawBatches.three;
import static io.tidemark.wire.batch.RawBatches.validate;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.ErrorCode;
import io.tidemark.core.log.BatchHeader;
import io.tidemark.wire.Allocation;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.record.internal.CompressionType;
import org.apache.kafka.common.record.internal.DefaultRecordBatch;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class BatchValidatorTest {
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
    void uncompressedRecordsAreWalkedWithoutAllocation() {
        SimpleRecord[] records = new SimpleRecord[5000];
        Arrays.setAll(records, i -> new SimpleRecord(NOW, new byte[10], new byte[100]));
        ByteBuffer batch = good(Compression.NONE, records);
        error(batch);
        long before = Allocation.bytes();
        assertThat(error(batch)).isEqualTo(ErrorCode.NONE);
        assertThat(Allocation.bytes() - before).as("for 5000 records").isLessThan(20_000);
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
}
