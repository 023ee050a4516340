package io.tidemark.simulation;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.core.log.BatchLayout;
import io.tidemark.storage.FileHandle;
import io.tidemark.storage.memory.MemoryDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Of what recovery leaves, a batch whose records are not those of its CRC is found. */
class WholeLogsTest {
    private final MemoryDisk disk = new MemoryDisk();

    private void write(String directory, int damagedFrom) throws IOException {
        Path path = SimDisk.DIR.resolve(directory);
        disk.createDirectories(path);
        ByteBuffer batch = SimBatch.of(7, 0, -1, (short) -1, -1).buffer();
        for (int at = damagedFrom; at < batch.limit(); at++) {
            batch.put(at, (byte) 0);
        }
        try (FileHandle file = disk.open(path.resolve("00000000000000000000" + SimDisk.LOG_FILE), true)) {
            file.write(batch, 0);
        }
    }

    @Test
    void wholeBatchesAndEmptyLogsAreWell() throws IOException {
        write("topic-0", Integer.MAX_VALUE);
        disk.createDirectories(SimDisk.DIR.resolve("topic-1"));
        assertThatCode(() -> WholeLogs.check(1, disk)).doesNotThrowAnyException();
    }

    @Test
    void aBatchWithoutItsRecordsIsFound() throws IOException {
        write("topic-0", BatchLayout.HEADER_SIZE);
        assertThatThrownBy(() -> WholeLogs.check(1, disk))
                .isInstanceOf(Violation.class)
                .hasMessageContaining("RecoveredWhole: node 1 has started with /data/topic-0");
    }

    @Test
    void whatIsNoPartitionsIsNotLookedAt() throws IOException {
        write("lost+found", BatchLayout.HEADER_SIZE);
        assertThatCode(() -> WholeLogs.check(1, disk)).doesNotThrowAnyException();
    }
}
