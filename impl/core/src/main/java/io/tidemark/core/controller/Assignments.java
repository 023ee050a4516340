package io.tidemark.core.controller;

import io.tidemark.core.ErrorCode;
import io.tidemark.core.metadata.BrokerRegistration;
import io.tidemark.core.metadata.LeaderRecovery;
import io.tidemark.core.metadata.MetadataState;
import io.tidemark.core.metadata.PartitionRegistration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** New partitions, from what the controller places or the administrator assigns. */
final class Assignments {
    /** Kafka's directory ids for a replica that is in no directory yet. */
    private static final UUID UNASSIGNED = new UUID(0, 0);

    private final MetadataState metadata;

    Assignments(MetadataState metadata) {
        this.metadata = metadata;
    }

    /** A topic, or its new partitions, can not be had. */
    static final class Refusal extends Exception {
        private static final long serialVersionUID = 1;

        final ErrorCode error;
        final String reason;

        Refusal(ErrorCode error, String reason) {
            super(reason);
            this.error = error;
            this.reason = reason;
        }
    }

    /** {@code count} partitions, the first of which is partition {@code first}. */
    List<PartitionRegistration> place(int first, int count, int replicationFactor, int placementStart) throws Refusal {
        ReplicaPlacement placement = new ReplicaPlacement(metadata.brokers().values());
        String problem = placement.problem(replicationFactor);
        if (problem != null) {
            throw new Refusal(
                    ErrorCode.INVALID_REPLICATION_FACTOR,
                    "Unable to replicate the partition " + replicationFactor + " time(s): " + problem);
        }
        List<PartitionRegistration> partitions = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            partitions.add(created(placement.place(placementStart + first + i, replicationFactor)));
        }
        return partitions;
    }

    /**
     * Partitions as assigned by hand.
     *
     * @param replicationFactor of partitions that exist already, null where these are the first
     */
    List<PartitionRegistration> assigned(
            int first, List<List<Integer>> assignments, @Nullable Integer replicationFactor) throws Refusal {
        Integer expected = replicationFactor;
        List<PartitionRegistration> partitions = new ArrayList<>();
        for (List<Integer> replicas : assignments) {
            String where = "The assignment of partition " + (first + partitions.size());
            if (replicas.isEmpty()) {
                throw new Refusal(ErrorCode.INVALID_REPLICA_ASSIGNMENT, where + " is empty");
            }
            for (int replica : replicas) {
                if (metadata.broker(replica) == null) {
                    throw new Refusal(
                            ErrorCode.INVALID_REPLICA_ASSIGNMENT,
                            where + " names broker " + replica + ", which is not registered");
                }
            }
            if (new TreeSet<>(replicas).size() != replicas.size()) {
                throw new Refusal(
                        ErrorCode.INVALID_REPLICA_ASSIGNMENT, where + " names a broker more than once: " + replicas);
            }
            if (expected != null && expected != replicas.size()) {
                throw new Refusal(
                        ErrorCode.INVALID_REPLICA_ASSIGNMENT,
                        where + " has " + replicas.size() + " replica(s), other partitions have " + expected);
            }
            if (replicas.stream().noneMatch(metadata::active)) {
                throw new Refusal(
                        ErrorCode.INVALID_REPLICA_ASSIGNMENT,
                        where + " names only brokers that are fenced or shutting down: " + replicas);
            }
            expected = replicas.size();
            partitions.add(created(replicas));
        }
        return partitions;
    }

    /** At least one of the replicas is active; those that are make the ISR, the first leads. */
    private PartitionRegistration created(List<Integer> replicas) {
        List<Integer> isr = replicas.stream().filter(metadata::active).toList();
        return new PartitionRegistration(
                replicas,
                replicas.stream().map(this::directory).toList(),
                isr,
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                isr.get(0),
                LeaderRecovery.RECOVERED,
                0,
                0);
    }

    private UUID directory(int broker) {
        BrokerRegistration registration = metadata.broker(broker);
        return registration != null && registration.directories().size() == 1
                ? registration.directories().get(0)
                : UNASSIGNED;
    }
}
