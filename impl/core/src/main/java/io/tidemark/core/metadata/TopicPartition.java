package io.tidemark.core.metadata;

import java.util.Comparator;
import java.util.UUID;

/** A partition, by topic id: a topic that was deleted and created again is another one. */
public record TopicPartition(UUID topicId, int partition) implements Comparable<TopicPartition> {
    private static final Comparator<TopicPartition> ORDER =
            Comparator.comparing(TopicPartition::topicId).thenComparingInt(TopicPartition::partition);

    @Override
    public int compareTo(TopicPartition other) {
        return ORDER.compare(this, other);
    }
}
