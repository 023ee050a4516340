package io.tidemark.workload.fault;

import java.util.List;
import java.util.Set;

/**
 * What one broker knows of the cluster, from its own metadata.
 *
 * @param brokers those that are not fenced
 * @param partitions of the topic under load; empty where the topic is not known yet
 */
public record ClusterView(Set<Integer> brokers, List<PartitionView> partitions) {
    /**
     * One partition.
     *
     * @param leader -1 for none
     */
    public record PartitionView(int partition, int leader, int leaderEpoch, List<Integer> replicas, List<Integer> isr) {
        public PartitionView {
            replicas = List.copyOf(replicas);
            isr = List.copyOf(isr);
        }

        boolean whole() {
            return leader >= 0 && isr.size() == replicas.size();
        }
    }

    /** The quorum's leader as a node knows it. */
    public record QuorumView(int leader, int epoch) {}

    public ClusterView {
        brokers = Set.copyOf(brokers);
        partitions = List.copyOf(partitions);
    }
}
