package io.tidemark.wire;

import io.tidemark.core.message.PartitionRef;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Items by partition, each partition once, with what came last, as Kafka takes a request that names one twice. Its keys are
 * comparable, so that keys made to collide cost no more than others: a map of {@link PartitionRef} would be slow with them.
 */
final class Distinct<T> {
    private final Map<Comparable<?>, Map<Integer, Integer>> positions = new HashMap<>();
    private final List<T> items = new ArrayList<>();

    /** What the partition had before, null where it is new. */
    @Nullable
    T put(PartitionRef ref, T item) {
        String name = ref.topic();
        Comparable<?> topic = name == null ? ref.topicId() : name;
        Integer before =
                positions.computeIfAbsent(topic, t -> new HashMap<>()).putIfAbsent(ref.partition(), items.size());
        if (before == null) {
            items.add(item);
            return null;
        }
        return items.set(before, item);
    }

    /** In the order in which the partitions came first. */
    List<T> items() {
        return List.copyOf(items);
    }
}
