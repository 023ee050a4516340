package io.tidemark.node.config;

import io.tidemark.core.Guards;
import io.tidemark.core.controller.ControllerConfig;
import io.tidemark.core.quorum.Endpoint;
import io.tidemark.core.quorum.VoterSet;
import io.tidemark.runtime.NodeSettings;
import io.tidemark.storage.LogConfig;
import io.tidemark.storage.MetaProperties;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A whole {@code server.properties}, typed and checked.
 *
 * @param file as the user named it
 * @param logDir absolute
 * @param given what the file sets, known keys only
 * @param warnings lines for the operator, at most one of a kind
 */
public record ServerConfig(
        String file,
        int nodeId,
        boolean broker,
        boolean controller,
        Path logDir,
        Listeners listeners,
        @Nullable String rack,
        List<Endpoint> bootstrapControllers,
        VoterSet staticVoters,
        Defaults defaults,
        NodeSettings.Quorum quorum,
        NodeSettings.Broker brokerTimes,
        NodeSettings.Logs logTimes,
        LogConfig logConfig,
        NetworkSettings network,
        SortedMap<String, String> given,
        List<String> warnings) {

    /** What the controller gives to topics that do not say. */
    public record Defaults(int partitions, int replicationFactor) {}

    /**
     * Reads and checks a file.
     *
     * @throws ConfigException naming everything found, file and line each
     */
    public static ServerConfig load(Path file) throws ConfigException {
        return ConfigReader.read(PropertiesFile.read(file));
    }

    /**
     * What the runtime is told.
     *
     * @param bootstrapFeatures levels that a new cluster starts with
     * @param brokerEndpoints advertised, with the ports that were bound
     * @param controllerEndpoints advertised, with the ports that were bound
     * @param guards all on, but in tests
     */
    public NodeSettings settings(
            MetaProperties meta,
            UUID incarnation,
            SortedMap<String, Short> bootstrapFeatures,
            List<Endpoint> brokerEndpoints,
            List<Endpoint> controllerEndpoints,
            Guards guards) {
        return new NodeSettings(
                new NodeSettings.Identity(nodeId, meta.directoryId(), meta.clusterId(), incarnation),
                logDir,
                new NodeSettings.BrokerRole(broker, listeners.interBroker(), brokerEndpoints, rack),
                new NodeSettings.ControllerRole(
                        controller, listeners.controllerNames().get(0), controllerEndpoints),
                new NodeSettings.Controllers(bootstrapControllers, staticVoters),
                new ControllerConfig(
                        nodeId,
                        meta.clusterId(),
                        defaults.partitions(),
                        defaults.replicationFactor(),
                        bootstrapFeatures,
                        Features.supported(),
                        NodeConfigs.readOnly(),
                        guards),
                Features.supported(),
                quorum,
                brokerTimes,
                logTimes,
                logConfig,
                given);
    }
}
