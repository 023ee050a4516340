package io.tidemark.runtime.broker;

import io.tidemark.core.log.LogState;
import io.tidemark.core.metadata.TopicPartition;
import io.tidemark.runtime.Ports;
import io.tidemark.storage.LogConfig;
import io.tidemark.storage.LogDirectory;
import io.tidemark.storage.PartitionMetadata;
import io.tidemark.storage.PartitionName;
import io.tidemark.storage.Recovered;
import io.tidemark.storage.ReplicaLog;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The partitions' directories of this node's log directory. All logs are opened, and recovered where the last stop was
 * unclean, before the broker registers; the metadata then tells which of them are in use.
 */
public final class LogManager {
    private static final Logger LOG = LoggerFactory.getLogger(LogManager.class);

    /** The metadata log's directory, which the quorum owns. */
    public static final PartitionName METADATA = new PartitionName("__cluster_metadata", 0);

    /** A log and the state that its replica starts from. */
    record Opened(ReplicaLog log, LogState state) {}

    private final Ports ports;
    private final LogDirectory directory;
    private final LogConfig config;
    private final Map<PartitionName, Opened> unclaimed = new TreeMap<>();
    private final Map<PartitionName, Long> logStarts = new TreeMap<>();

    public LogManager(Ports ports, LogDirectory directory, LogConfig config) {
        this.ports = ports;
        this.directory = directory;
        this.config = config;
    }

    /** Opens every partition's log. */
    public void openAll() {
        directory.repairs().forEach(repair -> LOG.warn("{}", repair));
        for (PartitionName name : directory.partitions()) {
            if (!name.equals(METADATA)) {
                unclaimed.put(name, open(name));
            }
        }
    }

    long previousBrokerEpoch() {
        return directory.previousBrokerEpoch().orElse(-1L);
    }

    private Opened open(PartitionName name) {
        Recovered recovered = ReplicaLog.open(
                ports.disk(),
                directory.directory(name),
                config,
                directory.cleanShutdown(),
                directory.recoveryPoint(name),
                directory.logStartOffset(name));
        recovered.repairs().forEach(repair -> LOG.warn("{}: {}", name, repair));
        ReplicaLog log = recovered.log();
        long hw =
                Math.max(recovered.logStartOffset(), Math.min(directory.highWatermark(name), recovered.logEndOffset()));
        return new Opened(
                log,
                new LogState(
                        recovered.logStartOffset(),
                        recovered.logEndOffset(),
                        log.durableEndOffset(),
                        hw,
                        recovered.epochs(),
                        recovered.producers()));
    }

    /** The log of a replica that the metadata places here: the one found at the start, or a new one. */
    Opened take(TopicPartition id, String topic) {
        PartitionName name = new PartitionName(topic, id.partition());
        Path dir = directory.directory(name);
        Opened found = unclaimed.remove(name);
        if (found != null) {
            Optional<UUID> topicId = PartitionMetadata.read(ports.disk(), dir);
            if (topicId.isEmpty() || topicId.get().equals(id.topicId())) {
                if (topicId.isEmpty()) {
                    found.log().writeTopicId(id.topicId());
                }
                return found;
            }
            // The topic was deleted and created again while this node was down.
            LOG.warn("{}: directory of topic id {}, now {}: starting empty", name, topicId.get(), id.topicId());
            found.log().close(false);
            retire(name);
        }
        Opened made = open(name);
        made.log().writeTopicId(id.topicId());
        return made;
    }

    /** Deletes a replica's directory, in the background but for its rename. */
    void delete(PartitionHost host) {
        host.log.close(false);
        retire(nameOf(host));
    }

    private void retire(PartitionName name) {
        logStarts.remove(name);
        Path renamed =
                directory.markDeleted(name, Long.toHexString(ports.random().nextLong()));
        ports.dataFlush().execute(() -> directory.deleteTree(renamed));
    }

    /** Writes {@code replication-offset-checkpoint}, on the flush thread. */
    void checkpointHighWatermarks(Collection<PartitionHost> hosts) {
        Map<PartitionName, Long> highWatermarks = new TreeMap<>();
        hosts.forEach(host -> highWatermarks.put(nameOf(host), host.view().hw()));
        ports.dataFlush().execute(() -> directory.writeHighWatermarks(highWatermarks));
    }

    /** Writes {@code recovery-point-offset-checkpoint}, on the flush thread. */
    void checkpointRecoveryPoints(Collection<PartitionHost> hosts) {
        Map<PartitionName, Long> recoveryPoints = new TreeMap<>();
        hosts.forEach(host -> recoveryPoints.put(nameOf(host), host.log.recoveryPoint()));
        ports.dataFlush().execute(() -> directory.writeRecoveryPoints(recoveryPoints));
    }

    /** Writes {@code log-start-offset-checkpoint}, on the flush thread. */
    void checkpointLogStarts(Collection<PartitionHost> hosts) {
        collectLogStarts(hosts);
        Map<PartitionName, Long> starts = new TreeMap<>(logStarts);
        ports.dataFlush().execute(() -> directory.writeLogStartOffsets(starts));
    }

    private void collectLogStarts(Collection<PartitionHost> hosts) {
        for (PartitionHost host : hosts) {
            if (host.view().logStart() > 0) {
                logStarts.put(nameOf(host), host.view().logStart());
            }
        }
    }

    /**
     * Closes every log in order, writes the checkpoints and, last, the clean-shutdown file. A life that never registered
     * ({@code brokerEpoch} -1) has changed nothing: the stop before it counts.
     */
    void closeAll(Collection<PartitionHost> hosts, long brokerEpoch) {
        Map<PartitionName, Long> highWatermarks = new TreeMap<>();
        Map<PartitionName, Long> recoveryPoints = new TreeMap<>();
        for (PartitionHost host : hosts) {
            host.log.close(true);
            highWatermarks.put(nameOf(host), host.view().hw());
            recoveryPoints.put(nameOf(host), host.log.recoveryPoint());
        }
        collectLogStarts(hosts);
        unclaimed.forEach((name, opened) -> {
            opened.log().close(true);
            highWatermarks.put(name, opened.state().hw());
            recoveryPoints.put(name, opened.log().recoveryPoint());
        });
        directory.writeHighWatermarks(highWatermarks);
        directory.writeRecoveryPoints(recoveryPoints);
        directory.writeLogStartOffsets(logStarts);
        directory.markClean(brokerEpoch >= 0 ? brokerEpoch : previousBrokerEpoch());
    }

    private static PartitionName nameOf(PartitionHost host) {
        return new PartitionName(host.topic, host.id.partition());
    }
}
