package io.tidemark.runtime.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.log.RecordBytes;
import io.tidemark.runtime.ManualLoop;
import io.tidemark.runtime.ManualNetwork;
import io.tidemark.runtime.NodeSettings;
import io.tidemark.runtime.StepListener;
import io.tidemark.runtime.TestBatches;
import io.tidemark.runtime.TestObserver;
import io.tidemark.runtime.TestPorts;
import io.tidemark.runtime.TestSettings;
import io.tidemark.storage.LogConfig;
import io.tidemark.storage.LogDirectory;
import io.tidemark.storage.MetaProperties;
import io.tidemark.storage.PartitionLog;
import io.tidemark.storage.memory.MemoryDisk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.random.RandomGenerator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NodeRuntimeTest {
    /** Everything that was not fsynced is lost. */
    private static final RandomGenerator KEEPS_NOTHING = () -> 0;

    private final NodeSettings settings = TestSettings.node();
    private final Path metadata = settings.logDir().resolve("__cluster_metadata-0");
    private final MemoryDisk disk = new MemoryDisk();

    /**
     * A voter was killed with a record of the metadata log in its page cache; {@code marked}: in a clean stop, whose mark
     * was written when the partitions' logs were closed, before that record.
     */
    private void killed(boolean marked) throws IOException {
        disk.createDirectories(settings.logDir());
        LogDirectory.format(
                disk, settings.logDir(), new MetaProperties(1, TestSettings.CLUSTER, settings.directoryId()));
        if (marked) {
            LogDirectory.open(disk, settings.logDir()).markClean(5);
        }
        disk.createDirectories(metadata);
        disk.syncDirectory(settings.logDir());
        PartitionLog log = PartitionLog.open(disk, metadata, LogConfig.DEFAULT, false, 0, 0)
                .log();
        RecordBytes bytes = TestBatches.produced(1);
        log.append(TestBatches.header(bytes), bytes.buffer());
        disk.kill();
    }

    private long metadataEnd() {
        disk.losePower(KEEPS_NOTHING);
        return PartitionLog.open(disk, metadata, LogConfig.DEFAULT, false, 0, 0).logEndOffset();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whatAKilledProcessLeftInThePageCacheIsOnDiskBeforeTheVoterCountsIt(boolean marked) throws IOException {
        killed(marked);
        NodeRuntime.start(
                settings,
                TestPorts.of(new ManualLoop(), new ManualNetwork(), work -> {}, disk, StepListener.NONE),
                TestObserver.NOBODY);
        assertThat(metadataEnd()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void withoutAStartItIsLost(boolean marked) throws IOException {
        killed(marked);
        assertThat(metadataEnd()).isZero();
    }
}
