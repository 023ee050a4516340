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
 * A node's configuration, typed. Times in ms, sizes in bytes; names are Kafka's keys in camel case, shortened where the group says
 * the rest. Neighbours in a group may have one type: a test gives each key a value of its own, and asks every accessor.
 *
 * @param logDir the one {@code log.dirs} entry
 * @param features what this build serves
 * @param logConfig segments and indexes of the partitions' logs
 * @param topicDefaults the node's static file: server property names and values, as given
 */
public record NodeSettings(
        Identity identity,
        Path logDir,
        BrokerRole brokerRole,
        ControllerRole controllerRole,
        Controllers controllers,
        ControllerConfig controllerConfig,
        SortedMap<String, BrokerRegistration.FeatureRange> features,
        Quorum quorum,
        Broker brokerTimes,
        Logs logTimes,
        LogConfig logConfig,
        SortedMap<String, String> topicDefaults) {

    /**
     * Who the node is.
     *
     * @param directoryId of {@link NodeSettings#logDir}
     * @param incarnation of this life of its process
     */
    public record Identity(int nodeId, UUID directoryId, String clusterId, UUID incarnation) {}

    /**
     * The node as a broker.
     *
     * @param on whether {@code process.roles} has broker
     * @param interBrokerListener the name of the listener that other brokers use
     * @param endpoints advertised
     */
    public record BrokerRole(
            boolean on,
            String interBrokerListener,
            List<Endpoint> endpoints,
            @Nullable String rack) {}

    /**
     * The node as a controller.
     *
     * @param on whether {@code process.roles} has controller
     * @param listener the first of {@code controller.listener.names}
     * @param endpoints advertised controller listeners
     */
    public record ControllerRole(boolean on, String listener, List<Endpoint> endpoints) {}

    /**
     * Where the quorum is found.
     *
     * @param bootstrap {@code controller.quorum.bootstrap.servers}
     * @param staticVoters {@code controller.quorum.voters}, empty with a dynamic quorum
     */
    public record Controllers(List<Endpoint> bootstrap, VoterSet staticVoters) {}

    public int nodeId() {
        return identity.nodeId;
    }

    public String clusterId() {
        return identity.clusterId;
    }

    public UUID directoryId() {
        return identity.directoryId;
    }

    public UUID incarnation() {
        return identity.incarnation;
    }

    /** Whether {@code process.roles} has broker. */
    public boolean broker() {
        return brokerRole.on;
    }

    /** Whether {@code process.roles} has controller. */
    public boolean controller() {
        return controllerRole.on;
    }

    /** Advertised listeners of the broker. */
    public List<Endpoint> brokerEndpoints() {
        return brokerRole.endpoints;
    }

    /** Advertised controller listeners. */
    public List<Endpoint> controllerEndpoints() {
        return controllerRole.endpoints;
    }

    /** The protocol's guards: one set for all that runs in the node. */
    public Guards guards() {
        return controllerConfig.guards();
    }

    /** What the core's replica of the quorum is told. */
    public QuorumConfig quorumConfig() {
        return new QuorumConfig(
                clusterId(),
                new ReplicaKey(nodeId(), directoryId()),
                controllerEndpoints(),
                controller(),
                controllers.staticVoters,
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
