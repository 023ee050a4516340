package io.tidemark.wire.batch;

import static io.tidemark.wire.batch.RawBatches.good;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.log.BatchHeader;
import io.tidemark.core.log.TimestampOffset;
import java.nio.ByteBuffer;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.internal.CompressionType;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class KafkaRecordScannerTest {
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
