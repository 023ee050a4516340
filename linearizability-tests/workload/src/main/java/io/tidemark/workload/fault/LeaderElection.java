package io.tidemark.workload.fault;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.ElectionType;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** Asks the cluster for preferred elections, as an operator does. */
public final class LeaderElection implements AutoCloseable {
    private static final int TIMEOUT_MS = 5_000;

    private final Admin admin;
    private final String topic;

    public LeaderElection(String bootstrapServers, String topic) {
        this.topic = topic;
        this.admin = Admin.create(Map.of(
                "bootstrap.servers", bootstrapServers,
                "client.id", "tidemark-nemesis",
                "request.timeout.ms", TIMEOUT_MS,
                "default.api.timeout.ms", TIMEOUT_MS));
    }

    /** Makes the preferred replicas of the partitions their leaders; why not, where the cluster refuses. */
    @Nullable
    String preferred(List<Integer> partitions) throws InterruptedException {
        try {
            admin.electLeaders(
                            ElectionType.PREFERRED,
                            partitions.stream()
                                    .map(partition -> new TopicPartition(topic, partition))
                                    .collect(Collectors.toSet()))
                    .all()
                    .get(2L * TIMEOUT_MS, TimeUnit.MILLISECONDS);
            return null;
        } catch (ExecutionException | TimeoutException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            return "preferred election refused (" + cause.getClass().getSimpleName() + ")";
        }
    }

    @Override
    public void close() {
        admin.close(Duration.ofSeconds(2));
    }
}
