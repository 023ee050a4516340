package io.tidemark.history.log;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Counts anomalies by type and keeps the first one of each; merges what several checks found. */
public final class AnomalyLog {
    private final Set<AnomalyType> allowed;
    private final Map<AnomalyType, Long> counts = new EnumMap<>(AnomalyType.class);
    private final Map<AnomalyType, Anomaly.First> firsts = new EnumMap<>(AnomalyType.class);

    /**
     * A log without anomalies.
     *
     * @param allowed types that the client's settings permit
     */
    public AnomalyLog(Set<AnomalyType> allowed) {
        this.allowed = Set.copyOf(allowed);
    }

    /** One more; what it is like is asked for only where it is the first of its type. */
    void add(AnomalyType type, Supplier<Anomaly.First> first) {
        counts.merge(type, 1L, Long::sum);
        if (!firsts.containsKey(type)) {
            firsts.put(type, first.get());
        }
    }

    void add(
            AnomalyType type,
            Object key,
            @Nullable Long offset,
            @Nullable Object value,
            String explanation,
            List<Long> operations) {
        add(type, () -> first(key, offset, value, explanation, operations));
    }

    static Anomaly.First first(
            Object key, @Nullable Long offset, @Nullable Object value, String explanation, List<Long> operations) {
        PartitionKey name = PartitionKey.of(key);
        return new Anomaly.First(name.topic(), name.partition(), offset, value, null, null, explanation, operations);
    }

    public List<Anomaly> anomalies() {
        List<Anomaly> all = new ArrayList<>();
        counts.forEach((type, count) -> {
            Anomaly.First first = firsts.get(type);
            if (first != null) {
                all.add(new Anomaly(type, count, allowed.contains(type), first));
            }
        });
        return all;
    }
}
