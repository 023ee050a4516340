package io.tidemark.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.broker.BrokerState;
import io.tidemark.core.log.RecordBytes;
import io.tidemark.core.metadata.MetadataRecord;
import io.tidemark.core.metadata.MetadataView;
import io.tidemark.storage.LogConfig;
import io.tidemark.storage.LogDirectory;
import io.tidemark.storage.MetaProperties;
import io.tidemark.storage.ReplicaLog;
import io.tidemark.storage.memory.MemoryDisk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class NodeRuntimeTest {
    private static final NodeRuntime.Observer NOBODY = new NodeRuntime.Observer() {
        @Override
        public void brokerState(BrokerState state) {}

        @Override
        public void brokerReady() {}

        @Override
        public void quorumLeader(int leaderId, int epoch) {}

        @Override
        public void metadataApplied(List<MetadataRecord> records, MetadataView view) {}

        @Override
        public void fatal(String reason) {
            throw new AssertionError(reason);
        }
    };

    /** Everything that was not fsynced is lost. */
    private static final RandomGenerator KEEPS_NOTHING = () -> 0;

    private final NodeSettings settings = TestSettings.node();
    private final Path metadata = settings.logDir().resolve("__cluster_metadata-0");
    private final MemoryDisk disk = new MemoryDisk();

    /** A voter was killed with a record of the metadata log in its page cache. */
    private void killed() throws IOException {
        disk.createDirectories(settings.logDir());
        LogDirectory.format(
                disk, settings.logDir(), new MetaProperties(1, TestSettings.CLUSTER, settings.directoryId()));
        disk.createDirectories(metadata);
        disk.syncDirectory(settings.logDir());
        ReplicaLog log =
                ReplicaLog.open(disk, metadata, LogConfig.DEFAULT, false, 0, 0).log();
        RecordBytes bytes = TestBatches.produced(1);
        log.append(TestBatches.header(bytes), bytes.buffer());
        disk.kill();
    }

    private long metadataEnd() {
        disk.losePower(KEEPS_NOTHING);
        return ReplicaLog.open(disk, metadata, LogConfig.DEFAULT, false, 0, 0).logEndOffset();
    }

    @Test
    void whatAKilledProcessLeftInThePageCacheIsOnDiskBeforeTheVoterCountsIt() throws IOException {
        killed();
        NodeRuntime.start(
                settings,
                TestPorts.of(new ManualLoop(), new ManualNetwork(), work -> {}, disk, StepListener.NONE),
                NOBODY);
        assertThat(metadataEnd()).isEqualTo(1);
    }

    @Test
    void withoutAStartItIsLost() throws IOException {
        killed();
        assertThat(metadataEnd()).isZero();
    }
}
