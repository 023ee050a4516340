package io.tidemark.runtime;

import io.tidemark.core.log.RecordScanner;
import io.tidemark.core.metadata.MetadataCodec;
import io.tidemark.runtime.port.EventLoop;
import io.tidemark.runtime.port.FlushThread;
import io.tidemark.runtime.port.Network;
import io.tidemark.runtime.port.WallClock;
import io.tidemark.storage.Disk;
import java.util.random.RandomGenerator;

/**
 * What a node runs on. Real: threads, sockets, a file system. Simulated: one thread and a queue.
 *
 * @param controlLoop owns the quorum and the controller
 * @param dataLoop owns the partitions and the committed metadata
 * @param metadataFlush fsyncs the metadata log and {@code quorum-state}
 * @param dataFlush fsyncs the partitions' logs
 * @param random election time-outs, topic ids, placement: never read by the core
 */
public record Ports(
        EventLoop controlLoop,
        EventLoop dataLoop,
        FlushThread metadataFlush,
        FlushThread dataFlush,
        Network network,
        WallClock wallClock,
        Disk disk,
        MetadataCodec codec,
        RecordScanner recordScanner,
        RandomGenerator random,
        StepListener listener) {}
