package io.tidemark.core.broker;

import io.tidemark.core.metadata.BrokerRegistration;
import io.tidemark.core.quorum.Endpoint;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What a broker registers with.
 *
 * @param incarnation drawn anew at each start of the process
 * @param features supported [min, max] by feature name
 * @param directories ids of its log directories, at least one
 */
public record BrokerConfig(
        int brokerId,
        String clusterId,
        UUID incarnation,
        List<Endpoint> endpoints,
        SortedMap<String, BrokerRegistration.FeatureRange> features,
        @Nullable String rack,
        List<UUID> directories) {
    public BrokerConfig {
        endpoints = List.copyOf(endpoints);
        features = Collections.unmodifiableSortedMap(new TreeMap<>(features));
        directories = List.copyOf(directories);
    }
}
