package io.tidemark.workload;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What load is put on a cluster.
 *
 * @param acks {@code all}, {@code 1} or {@code 0}, as the producer's {@code acks}
 * @param recordsPerSecond over all producers
 * @param valueBytes size of a record's value
 */
public record WorkloadConfig(
        String bootstrapServers,
        String topic,
        int partitions,
        String acks,
        boolean idempotence,
        int producers,
        int recordsPerSecond,
        int valueBytes) {
    /** Time-outs of the clients: reports name them, because what a client waits for counts as unavailability. */
    public static final int REQUEST_TIMEOUT_MS = 3_000;

    public static final int DELIVERY_TIMEOUT_MS = 60_000;

    public WorkloadConfig {
        if (partitions < 1 || producers < 1 || recordsPerSecond < producers || valueBytes < 1) {
            throw new IllegalArgumentException("workload: " + partitions + " partitions, " + producers + " producers, "
                    + recordsPerSecond + " records/s; expected at least one partition, and a record/s per producer");
        }
        if (idempotence && !acks.equals("all")) {
            throw new IllegalArgumentException("workload: acks=" + acks + " with idempotence; expected acks=all");
        }
    }

    /** Milliseconds between two sends to one partition: no unavailability is told finer than that. */
    public long resolutionMs() {
        return Math.max(1, Math.round(1_000.0 * partitions / recordsPerSecond));
    }

    Map<String, Object> producerConfig(String clientId) {
        Map<String, Object> config = new LinkedHashMap<>();
        config.put("bootstrap.servers", bootstrapServers);
        config.put("client.id", clientId);
        config.put("acks", acks);
        config.put("enable.idempotence", idempotence);
        config.put("linger.ms", 5);
        config.put("request.timeout.ms", REQUEST_TIMEOUT_MS);
        config.put("delivery.timeout.ms", DELIVERY_TIMEOUT_MS);
        config.put("max.block.ms", 10_000);
        config.put("buffer.memory", 128L << 20);
        reconnectQuickly(config);
        return config;
    }

    Map<String, Object> consumerConfig(String clientId) {
        Map<String, Object> config = new LinkedHashMap<>();
        config.put("bootstrap.servers", bootstrapServers);
        config.put("client.id", clientId);
        config.put("enable.auto.commit", false);
        config.put("auto.offset.reset", "earliest");
        config.put("max.poll.records", 2_000);
        config.put("fetch.max.wait.ms", 100);
        config.put("request.timeout.ms", REQUEST_TIMEOUT_MS);
        config.put("default.api.timeout.ms", 5_000);
        reconnectQuickly(config);
        return config;
    }

    /** A client's defaults are made for clusters that fail rarely; here most of the time would go into backing off. */
    private static void reconnectQuickly(Map<String, Object> config) {
        config.put("retry.backoff.ms", 50);
        config.put("retry.backoff.max.ms", 200);
        config.put("reconnect.backoff.ms", 50);
        config.put("reconnect.backoff.max.ms", 500);
        config.put("socket.connection.setup.timeout.ms", 2_000);
        config.put("socket.connection.setup.timeout.max.ms", 4_000);
        config.put("metadata.max.age.ms", 5_000);
    }
}
