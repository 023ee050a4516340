package io.tidemark.simulation;

import io.tidemark.core.controller.ControllerConfig;
import io.tidemark.core.metadata.BrokerRegistration.FeatureRange;
import io.tidemark.core.metadata.MetadataState;
import io.tidemark.core.quorum.Endpoint;
import io.tidemark.core.quorum.ReplicaKey;
import io.tidemark.core.quorum.VoterSet;
import io.tidemark.runtime.NodeSettings;
import io.tidemark.storage.LogConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The configuration of the nodes of a simulated cluster. */
final class SimSettings {
    static final String CLUSTER = "simulatedCluster000000";
    static final int BROKER_PORT = 9000;
    static final int CONTROLLER_PORT = 9500;

    /** Segments and indexes so small that a run rolls many. */
    static final LogConfig LOG = new LogConfig(2_000, 300, 1_200, false);

    /** For runs that are about speed: a segment rolls every few thousand records. */
    private static final LogConfig ROOMY_LOG = new LogConfig(1 << 20, 4_096, 12_000, false);

    private final Shape shape;
    private final List<Endpoint> controllers = new ArrayList<>();
    private final VoterSet voters;

    SimSettings(Shape shape) {
        this.shape = shape;
        List<VoterSet.Voter> all = new ArrayList<>();
        for (int node = 1; node <= shape.controllers; node++) {
            Endpoint endpoint = new Endpoint("CONTROLLER", "sim", CONTROLLER_PORT + node);
            controllers.add(endpoint);
            // A static voter is known by its id alone, as in controller.quorum.voters.
            UUID directory = shape.dynamicVoters ? directory(node, 0) : ReplicaKey.NO_DIRECTORY;
            all.add(new VoterSet.Voter(new ReplicaKey(node, directory), List.of(endpoint)));
        }
        this.voters = VoterSet.of(all);
    }

    /** What a voter's metadata log is formatted with; null with static voters. */
    @Nullable
    VoterSet initialVoters() {
        return shape.dynamicVoters ? voters : null;
    }

    boolean isController(int node) {
        return node <= shape.controllers;
    }

    /** The directory id of a node's disk after so many wipes. */
    static UUID directory(int node, int wipes) {
        return new UUID(0xD1 + wipes, node);
    }

    static LogConfig log(Shape shape) {
        return shape.kafkaTimes ? ROOMY_LOG : LOG;
    }

    private SortedMap<String, String> statics() {
        SortedMap<String, String> statics = new TreeMap<>();
        statics.put("min.insync.replicas", Integer.toString(shape.minIsr));
        if (shape.flushMessages > 0) {
            statics.put("log.flush.interval.messages", Integer.toString(shape.flushMessages));
        }
        if (shape.unclean) {
            statics.put("unclean.leader.election.enable", "true");
        }
        return statics;
    }

    private ControllerConfig controllerConfig(int id, SortedMap<String, FeatureRange> supported) {
        TreeMap<String, Short> bootstrap = new TreeMap<>();
        bootstrap.put("metadata.version", (short) 27);
        if (shape.elr) {
            bootstrap.put(MetadataState.ELR_FEATURE, (short) 1);
        }
        return new ControllerConfig(id, CLUSTER, 1, 1, bootstrap, supported, new TreeSet<>(), shape.guards);
    }

    private NodeSettings.Broker broker() {
        return shape.kafkaTimes
                ? new NodeSettings.Broker(
                        9_000, 2_000, 30_000, 500, 1 << 20, 1_000, 30_000, 30_000, 60_000, 5_000, 300_000, true,
                        300_000)
                : new NodeSettings.Broker(
                        3_000,
                        500,
                        2_000,
                        500,
                        1 << 20,
                        100,
                        3_000,
                        shape.requestTimeoutMs,
                        600_000,
                        1_000,
                        5_000,
                        true,
                        1_000);
    }

    private NodeSettings.Logs logs() {
        return shape.kafkaTimes
                ? new NodeSettings.Logs(Long.MAX_VALUE, 60_000, 60_000, 86_400_000, 600_000)
                : new NodeSettings.Logs(Long.MAX_VALUE, 1_000, 1_000, 86_400_000, 600_000);
    }

    /**
     * One life of a node.
     *
     * @param wipes how often its disk was replaced
     * @param life the number of the life
     */
    NodeSettings of(int id, int wipes, long life) {
        TreeMap<String, FeatureRange> supported = new TreeMap<>();
        supported.put("metadata.version", new FeatureRange((short) 7, (short) 30));
        supported.put(MetadataState.ELR_FEATURE, new FeatureRange((short) 0, (short) 1));
        return new NodeSettings(
                new NodeSettings.Identity(id, directory(id, wipes), CLUSTER, SimTrace.incarnation(id, life)),
                SimDisk.DIR,
                new NodeSettings.BrokerRole(
                        true,
                        "PLAINTEXT",
                        List.of(new Endpoint("PLAINTEXT", "sim", BROKER_PORT + id)),
                        "rack-" + shape.rack(id)),
                new NodeSettings.ControllerRole(
                        isController(id),
                        "CONTROLLER",
                        isController(id) ? List.of(controllers.get(id - 1)) : List.of()),
                new NodeSettings.Controllers(controllers, shape.dynamicVoters ? VoterSet.EMPTY : voters),
                controllerConfig(id, supported),
                supported,
                new NodeSettings.Quorum(1_000, 2_000, 1_000, 2_000, 20),
                broker(),
                logs(),
                log(shape),
                statics());
    }
}
