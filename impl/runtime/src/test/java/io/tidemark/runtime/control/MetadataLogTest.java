package io.tidemark.runtime.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.quorum.QuorumStateData;
import io.tidemark.core.quorum.ReplicaKey;
import io.tidemark.runtime.ManualLoop;
import io.tidemark.runtime.ManualNetwork;
import io.tidemark.runtime.Ports;
import io.tidemark.runtime.StepListener;
import io.tidemark.runtime.TestPorts;
import io.tidemark.storage.LogConfig;
import io.tidemark.storage.QuorumStateFile;
import io.tidemark.storage.memory.MemoryDisk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class MetadataLogTest {
    private static final Path DATA = Path.of("/data");
    private static final Path DIR = DATA.resolve("__cluster_metadata-0");

    /** The first vote of a node may be given before anything is in its metadata log. */
    @Test
    void aVoteSurvivesAPowerLossBeforeTheFirstRecord() throws IOException {
        MemoryDisk disk = new MemoryDisk();
        disk.createDirectories(DATA);
        disk.syncDirectory(Path.of("/"));
        ManualLoop loop = new ManualLoop();
        Ports ports = TestPorts.of(loop, new ManualNetwork(), Runnable::run, disk, StepListener.NONE);
        MetadataLog log = MetadataLog.open(ports, DIR, LogConfig.DEFAULT.segmentIndexBytes(), 0);
        QuorumStateData voted = new QuorumStateData(1, new ReplicaKey(2, new UUID(0, 2)), -1);
        log.writeQuorumState(voted, () -> {});
        disk.losePower(() -> 0);
        assertThat(new QuorumStateFile(disk, DIR).read()).contains(voted);
    }
}
