package io.tidemark.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.core.log.RecordBytes;
import io.tidemark.storage.BatchFormat;
import io.tidemark.storage.LogConfig;
import io.tidemark.storage.PartitionLog;
import io.tidemark.storage.StorageException;
import io.tidemark.storage.memory.Faults;
import io.tidemark.storage.memory.MemoryDisk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Loop and fsync thread are the test's. */
class FlusherTest {
    private final ManualLoop loop = new ManualLoop();
    private final List<Runnable> fsyncs = new ArrayList<>();
    private final List<Long> durable = new ArrayList<>();
    private final MemoryDisk disk = new MemoryDisk();
    private final PartitionLog log;
    private final Flusher flusher;

    FlusherTest() throws IOException {
        Path dir = Path.of("/logs/t-0");
        disk.createDirectories(dir);
        log = PartitionLog.open(disk, dir, LogConfig.DEFAULT, true, 0, 0).log();
        flusher = new Flusher(log, fsyncs::add, loop, durable::add);
    }

    private void append() {
        RecordBytes bytes = TestBatches.produced(1);
        BatchFormat.assign(bytes.buffer(), 0, log.logEndOffset(), 0);
        log.append(TestBatches.header(bytes), bytes.buffer());
    }

    @Test
    void whatIsAskedWhileOneIsUnderWayIsServedByOneMore() {
        append();
        flusher.flush();
        fsyncs.remove(0).run();
        append();
        flusher.flush();
        append();
        flusher.flush();
        assertThat(fsyncs).as("one at a time").isEmpty();
        loop.run();
        assertThat(durable).containsExactly(1L);
        assertThat(fsyncs).hasSize(1);
        fsyncs.remove(0).run();
        loop.run();
        assertThat(durable).containsExactly(1L, 3L);
        assertThat(fsyncs).as("nobody has asked since").isEmpty();
    }

    @Test
    void anFsyncThatFindsItsLogClosedIsNothing() {
        append();
        flusher.flush();
        flusher.close();
        log.close(false);
        fsyncs.remove(0).run();
        loop.run();
        assertThat(durable).isEmpty();
    }

    /** The flush thread ends the node: nothing is reported as durable. */
    @Test
    void anFsyncThatFailsIsNotReported() {
        append();
        flusher.flush();
        disk.setFaults(new Faults() {
            @Override
            public void before(Effect effect, Path path) throws IOException {
                throw new IOException("no");
            }
        });
        Runnable failing = fsyncs.remove(0);
        assertThatThrownBy(failing::run).isInstanceOf(StorageException.class);
        loop.run();
        assertThat(durable).isEmpty();
    }

    @Test
    void whatIsUnderWayIsNotReportedOnceItIsClosed() {
        append();
        flusher.flush();
        append();
        flusher.flush();
        Runnable underWay = fsyncs.remove(0);
        underWay.run();
        flusher.close();
        loop.run();
        assertThat(durable).isEmpty();
        assertThat(fsyncs).isEmpty();
    }
}
