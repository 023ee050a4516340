package io.tidemark.storage;

import java.util.Optional;

/** A topic's partition, and the directory that holds it: {@code topic-partition}. */
public record PartitionName(String topic, int partition) implements Comparable<PartitionName> {
    /** The metadata log: beside the partitions' directories, but the quorum's. */
    public static final PartitionName METADATA_LOG = new PartitionName("__cluster_metadata", 0);

    public PartitionName {
        if (topic.isEmpty() || partition < 0) {
            throw new IllegalArgumentException("topic '" + topic + "', partition " + partition);
        }
    }

    /** The partition that a directory's name means; empty if it means none. */
    public static Optional<PartitionName> parse(String directory) {
        int dash = directory.lastIndexOf('-');
        if (dash <= 0 || directory.length() - dash > 11) {
            return Optional.empty();
        }
        String digits = directory.substring(dash + 1);
        try {
            int partition = Integer.parseInt(digits);
            return Integer.toString(partition).equals(digits)
                    ? Optional.of(new PartitionName(directory.substring(0, dash), partition))
                    : Optional.empty();
        } catch (NumberFormatException noNumber) {
            return Optional.empty();
        }
    }

    /** Name of the directory. */
    public String directory() {
        return topic + "-" + partition;
    }

    @Override
    public int compareTo(PartitionName other) {
        int byTopic = topic.compareTo(other.topic);
        return byTopic != 0 ? byTopic : Integer.compare(partition, other.partition);
    }

    @Override
    public String toString() {
        return directory();
    }
}
