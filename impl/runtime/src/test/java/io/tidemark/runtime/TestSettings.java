package io.tidemark.runtime;

import io.tidemark.core.Guards;
import io.tidemark.core.controller.ControllerConfig;
import io.tidemark.core.quorum.Endpoint;
import io.tidemark.core.quorum.ReplicaKey;
import io.tidemark.core.quorum.VoterSet;
import io.tidemark.storage.LogConfig;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;

/** Node 1, broker and the only voter. */
public final class TestSettings {
    public static final String CLUSTER = "cluster";

    private TestSettings() {}

    public static NodeSettings node() {
        Endpoint controller = new Endpoint("CONTROLLER", "127.0.0.1", 9001);
        UUID directory = new UUID(1, 7);
        return new NodeSettings(
                new NodeSettings.Identity(1, directory, CLUSTER, new UUID(1, 1)),
                Path.of("/logs"),
                new NodeSettings.BrokerRole(
                        true, "PLAINTEXT", List.of(new Endpoint("PLAINTEXT", "127.0.0.1", 9091)), null),
                new NodeSettings.ControllerRole(true, "CONTROLLER", List.of(controller)),
                new NodeSettings.Controllers(
                        List.of(),
                        VoterSet.of(List.of(new VoterSet.Voter(new ReplicaKey(1, directory), List.of(controller))))),
                new ControllerConfig(1, CLUSTER, 1, 1, new TreeMap<>(), new TreeMap<>(), new TreeSet<>(), Guards.ALL),
                new TreeMap<>(),
                new NodeSettings.Quorum(1_000, 2_000, 1_000, 2_000, 20),
                new NodeSettings.Broker(
                        9_000, 2_000, 30_000, 500, 1 << 20, 1_000, 30_000, 30_000, 60_000, 5_000, 300_000, true,
                        300_000),
                new NodeSettings.Logs(Long.MAX_VALUE, 60_000, 60_000, 86_400_000, 600_000),
                LogConfig.DEFAULT,
                new TreeMap<>());
    }
}
