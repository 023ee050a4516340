package io.tidemark.cli.drill;

import io.tidemark.node.config.Features;
import io.tidemark.workload.WorkloadConfig;
import io.tidemark.workload.fault.FaultKind;
import io.tidemark.workload.fault.FaultSpec;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a drill does.
 *
 * @param acks {@code all}, {@code 1} or {@code 0}
 * @param rate records per second over all producers
 * @param load how long the load runs and faults are injected
 * @param latest when at the latest a fault of a kind that was not tried yet begins
 * @param elr whether replicas that left the ISR below min.insync.replicas stay eligible to lead
 * @param flush {@code none} or {@code every-message}
 * @param expectLoss whether loss is what is asked for
 */
record DrillConfig(
        int nodes,
        int partitions,
        int replicationFactor,
        int minInsyncReplicas,
        String acks,
        int rate,
        Duration load,
        Duration latest,
        List<FaultSpec> faults,
        long seed,
        boolean uncleanLeaderElection,
        boolean elr,
        String flush,
        boolean expectLoss) {
    static final String TOPIC = "drill";
    static final int SESSION_TIMEOUT_MS = 3_000;
    static final int HEARTBEAT_INTERVAL_MS = 500;
    /** How long the cluster may take until all its nodes serve. */
    static final Duration START_LIMIT = Duration.ofMinutes(2);
    /** Beyond the drill's own limit: on a slow machine the drill gives up first, with a verdict, and no node by itself. */
    static final int REGISTRATION_TIMEOUT_MS = 180_000;
    /** What a fault takes on a good machine, with its calm before and the healing behind it. */
    static final long SECONDS_PER_FAULT = 8;

    private static final int PRODUCERS = 3;
    private static final int VALUE_BYTES = 100;

    DrillConfig {
        faults = List.copyOf(faults);
    }

    boolean idempotence() {
        return acks.equals("all");
    }

    /** Whether a leader's death alone may lose what it acknowledged. */
    boolean acknowledgesAlone() {
        return !acks.equals("all");
    }

    /** Whether a fault needs a file system that can run full. */
    boolean fillsDisk() {
        return faults.stream().anyMatch(spec -> spec.kind() == FaultKind.DISK_FULL);
    }

    WorkloadConfig workload(String bootstrapServers) {
        return new WorkloadConfig(
                bootstrapServers, TOPIC, partitions, acks, idempotence(), PRODUCERS, rate, VALUE_BYTES);
    }

    /** Kafka's keys for every node's file. */
    Map<String, String> nodeProperties() {
        Map<String, String> properties = new LinkedHashMap<>();
        properties.put("broker.session.timeout.ms", Integer.toString(SESSION_TIMEOUT_MS));
        properties.put("broker.heartbeat.interval.ms", Integer.toString(HEARTBEAT_INTERVAL_MS));
        properties.put("initial.broker.registration.timeout.ms", Integer.toString(REGISTRATION_TIMEOUT_MS));
        properties.put("auto.create.topics.enable", "false");
        properties.put("default.replication.factor", Integer.toString(replicationFactor));
        properties.put("min.insync.replicas", Integer.toString(minInsyncReplicas));
        if (uncleanLeaderElection) {
            properties.put("unclean.leader.election.enable", "true");
        }
        if (flush.equals("every-message")) {
            properties.put("log.flush.interval.messages", "1");
        }
        return properties;
    }

    /** Features of the new cluster whose level is not the default one, as {@code NAME=LEVEL}. */
    List<String> features() {
        return elr ? List.of() : List.of(Features.ELR_VERSION + "=0");
    }

    /** One effective fault for every 20 s of the run. */
    long faultsNeeded() {
        return load.toSeconds() / 20;
    }
}
