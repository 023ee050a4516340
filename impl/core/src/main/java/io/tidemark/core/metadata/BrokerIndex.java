package io.tidemark.core.metadata;

import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Which partitions a broker replicates and leads; broker {@link PartitionRegistration#NO_LEADER} leads the leaderless. */
final class BrokerIndex {
    private final SortedMap<Integer, SortedSet<TopicPartition>> replicated = new TreeMap<>();
    private final SortedMap<Integer, SortedSet<TopicPartition>> led = new TreeMap<>();

    /** Null before: the partition is new. Null after: it is gone. */
    void change(
            TopicPartition partition, @Nullable PartitionRegistration before, @Nullable PartitionRegistration after) {
        move(replicated, partition, replicas(before), replicas(after));
        move(led, partition, leader(before), leader(after));
    }

    SortedSet<TopicPartition> replicatedBy(int broker) {
        return view(replicated, broker);
    }

    SortedSet<TopicPartition> ledBy(int broker) {
        return view(led, broker);
    }

    private static List<Integer> replicas(@Nullable PartitionRegistration registration) {
        return registration == null ? List.of() : registration.replicas();
    }

    private static List<Integer> leader(@Nullable PartitionRegistration registration) {
        return registration == null ? List.of() : List.of(registration.leader());
    }

    private static void move(
            SortedMap<Integer, SortedSet<TopicPartition>> index,
            TopicPartition partition,
            List<Integer> before,
            List<Integer> after) {
        if (before.equals(after)) {
            return;
        }
        for (int broker : before) {
            SortedSet<TopicPartition> partitions = index.get(broker);
            if (partitions != null && partitions.remove(partition) && partitions.isEmpty()) {
                index.remove(broker);
            }
        }
        for (int broker : after) {
            index.computeIfAbsent(broker, any -> new TreeSet<>()).add(partition);
        }
    }

    private static SortedSet<TopicPartition> view(SortedMap<Integer, SortedSet<TopicPartition>> index, int broker) {
        SortedSet<TopicPartition> partitions = index.get(broker);
        return partitions == null ? Collections.emptySortedSet() : Collections.unmodifiableSortedSet(partitions);
    }
}
