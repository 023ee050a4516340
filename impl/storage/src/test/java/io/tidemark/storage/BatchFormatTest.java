package io.tidemark.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.tidemark.core.log.BatchHeader;
import io.tidemark.storage.Batches.Spec;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

final class BatchFormatTest {
    private static ByteBuffer batch() {
        return Spec.of(7, 3, 5).timestamp(1000).producer(77, 4, 12).build();
    }

    private static void refused(Consumer<ByteBuffer> damage, String why) {
        ByteBuffer batch = batch();
        damage.accept(batch);
        assertThatThrownBy(() -> BatchFormat.batches(batch))
                .isInstanceOf(CorruptBatchException.class)
                .hasMessageContaining(why);
    }

    @Test
    void readsEveryField() {
        ByteBuffer batch = batch();
        assertThat(Batches.header(batch))
                .isEqualTo(new BatchHeader(7, 2, 5, batch.limit(), 1002, 77, (short) 4, 12, false, false));
        batch.putShort(21, (short) 0x30);
        assertThat(Batches.header(batch).transactional()).isTrue();
        assertThat(Batches.header(batch).control()).isTrue();
    }

    @Test
    void assignsOffsetAndEpochOutsideOfTheChecksum() {
        ByteBuffer two = Batches.concat(List.of(batch(), batch()));
        BatchFormat.assign(two, 0, 100, 9);
        BatchFormat.assign(two, two.limit() / 2, 103, 9);
        assertThat(BatchFormat.batches(two))
                .extracting(BatchHeader::baseOffset, BatchHeader::leaderEpoch)
                .containsExactly(tuple(100L, 9), tuple(103L, 9));
        assertThat(two.position()).isZero();
    }

    @Test
    void refusesWithTheReason() {
        refused(batch -> batch.limit(60), "torn batch: 60 bytes left");
        refused(batch -> batch.limit(batch.limit() - 1), "announced");
        refused(batch -> batch.put(16, (byte) 1), "magic 1");
        refused(batch -> batch.putInt(8, 48), "batch length 48");
        refused(batch -> batch.putInt(8, 0), "batch length 0");
        refused(batch -> batch.putInt(8, -1), "batch length -1");
        refused(batch -> batch.putInt(8, Integer.MAX_VALUE), "below 2 GiB");
        refused(batch -> batch.putInt(8, 1 << 30), "torn batch: 1073741836 bytes announced");
        refused(batch -> batch.putInt(23, -1), "last offset delta -1");
        refused(batch -> batch.putLong(0, -1), "base offset -1");
        refused(batch -> batch.putLong(0, Long.MAX_VALUE), "base offset");
        refused(batch -> batch.putInt(57, 4), "4 records announced, last offset delta 2");
        refused(batch -> batch.putInt(57, -1), "-1 records announced");
        refused(batch -> batch.putInt(57, 2), "CRC32C is");
        refused(batch -> batch.put(70, (byte) 99), "CRC32C is");
    }
}
