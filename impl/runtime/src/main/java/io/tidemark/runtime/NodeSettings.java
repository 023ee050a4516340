package io.tidemark.runtime;

import io.tidemark.core.Guards;
import io.tidemark.core.controller.ControllerConfig;
import io.tidemark.core.metadata.BrokerRegistration;
import io.tidemark.core.quorum.Endpoint;
import io.tidemark.core.quorum.QuorumConfig;
import io.tidemark.core.quorum.ReplicaKey;
import io.tidemark.core.quorum.VoterSet;
import io.tidemark.storage.LogConfig;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A node's configuration, typed. Times in ms, sizes in bytes; names are Kafka's keys in camel case.
 *
 * @param logDir the one {@code log.dirs} entry
 * @param broker whether {@code process.roles} has broker
 * @param controller whether it has controller
 * @param brokerEndpoints advertised listeners of the broker
 * @param controllerEndpoints advertised controller listeners
 * @param bootstrapControllers {@code controller.quorum.bootstrap.servers}
 * @param staticVoters {@code controller.quorum.voters}, empty with a dynamic quorum
 * @param logConfig segments and indexes of the partitions' logs
 * @param topicDefaults the node's static file: server property names and values, as given
 */
public record NodeSettings(
        int nodeId,
        String clusterId,
        UUID directoryId,
        UUID incarnation,
        Path logDir,
        boolean broker,
        boolean controller,
        List<Endpoint> brokerEndpoints,
        List<Endpoint> controllerEndpoints,
        String interBrokerListener,
        String controllerListener,
        @Nullable String rack,
        List<Endpoint> bootstrapControllers,
        VoterSet staticVoters,
        ControllerConfig controllerConfig,
        SortedMap<String, BrokerRegistration.FeatureRange> features,
        Quorum quorum,
        Broker brokerTimes,
        Logs logTimes,
        LogConfig logConfig,
        SortedMap<String, String> topicDefaults) {

    /** The protocol's guards: one set for all that runs in the node. */
    public Guards guards() {
        return controllerConfig.guards();
    }

    /** What the core's replica of the quorum is told. */
    public QuorumConfig quorumConfig() {
        return new QuorumConfig(
                clusterId,
                new ReplicaKey(nodeId, directoryId),
                controllerEndpoints,
                controller,
                staticVoters,
                guards());
    }

    /** {@code controller.quorum.*}. */
    public record Quorum(
            int electionTimeoutMs,
            int fetchTimeoutMs,
            int electionBackoffMaxMs,
            int requestTimeoutMs,
            int retryBackoffMs) {}

    /** Sessions, heartbeats and replication. */
    public record Broker(
            int sessionTimeoutMs,
            int heartbeatIntervalMs,
            long replicaLagTimeMaxMs,
            int replicaFetchWaitMaxMs,
            int replicaFetchMaxBytes,
            int replicaFetchBackoffMs,
            int replicaSocketTimeoutMs,
            int requestTimeoutMs,
            int initialRegistrationTimeoutMs,
            long highWatermarkCheckpointIntervalMs,
            long leaderImbalanceCheckIntervalMs,
            boolean autoLeaderRebalance,
            long uncleanElectionIntervalMs) {}

    /**
     * What is done to the partitions' logs now and then.
     *
     * @param flushSchedulerIntervalMs how often logs are looked at that {@code flush.ms} wants fsynced
     * @param flushOffsetCheckpointIntervalMs recovery points; 0: only at a stop in order
     * @param flushStartOffsetCheckpointIntervalMs log start offsets; 0: only at a stop in order
     */
    public record Logs(
            long flushSchedulerIntervalMs,
            long flushOffsetCheckpointIntervalMs,
            long flushStartOffsetCheckpointIntervalMs,
            long producerIdExpirationMs,
            long producerIdExpirationCheckIntervalMs) {}
}
