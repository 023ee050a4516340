package io.tidemark.cli.drill;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;

/** Makes the topic that is written to. */
final class DrillTopic implements AutoCloseable {
    private static final int TIMEOUT_MS = 20_000;

    private final Admin admin;

    DrillTopic(String bootstrapServers) {
        this.admin = Admin.create(Map.of(
                "bootstrap.servers", bootstrapServers,
                "client.id", "tidemark-drill",
                "request.timeout.ms", TIMEOUT_MS,
                "default.api.timeout.ms", TIMEOUT_MS));
    }

    /** @throws NotStartedException if the cluster does not make it */
    void create(DrillConfig config) throws InterruptedException {
        NewTopic topic = new NewTopic(DrillConfig.TOPIC, config.partitions(), (short) config.replicationFactor())
                .configs(Map.of(
                        "min.insync.replicas", Integer.toString(config.minInsyncReplicas()),
                        "unclean.leader.election.enable", Boolean.toString(config.uncleanLeaderElection())));
        try {
            admin.createTopics(List.of(topic)).all().get(2L * TIMEOUT_MS, TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new NotStartedException("the topic cannot be created: " + cause + "; see the logs of the nodes");
        }
    }

    @Override
    public void close() {
        admin.close(Duration.ofSeconds(2));
    }
}
