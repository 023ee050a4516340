package io.tidemark.core.metadata;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;

/** A topic as the metadata log has it. Only {@link MetadataState} changes it. */
public final class TopicState {
    private final String name;
    private final UUID id;
    private final SortedMap<Integer, PartitionRegistration> partitions;
    private final SortedMap<Integer, PartitionRegistration> view;

    TopicState(String name, UUID id) {
        this(name, id, new TreeMap<>());
    }

    private TopicState(String name, UUID id, SortedMap<Integer, PartitionRegistration> partitions) {
        this.name = name;
        this.id = id;
        this.partitions = partitions;
        this.view = Collections.unmodifiableSortedMap(partitions);
    }

    public String name() {
        return name;
    }

    public UUID id() {
        return id;
    }

    /** By partition number; a live, read-only view. */
    public SortedMap<Integer, PartitionRegistration> partitions() {
        return view;
    }

    /** Replicas of partition 0, as Kafka takes a topic's replication factor; 0 before it has partitions. */
    public int replicationFactor() {
        PartitionRegistration first = partitions.get(0);
        return first == null ? 0 : first.replicas().size();
    }

    void put(int partition, PartitionRegistration registration) {
        partitions.put(partition, registration);
    }

    TopicState copy() {
        return new TopicState(name, id, new TreeMap<>(partitions));
    }
}
