package io.tidemark.core.controller;

import io.tidemark.core.Guards;
import io.tidemark.core.metadata.BrokerRegistration;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What the controller is told at its start.
 *
 * @param nodeId own id
 * @param clusterId the cluster's id: a broker of another cluster is refused
 * @param defaultPartitions {@code num.partitions}
 * @param defaultReplicationFactor {@code default.replication.factor}
 * @param bootstrapFeatures feature levels that a new cluster starts with, by name
 * @param supportedFeatures [min, max] that this controller supports, by name
 * @param readOnlyConfigs server properties that a running node does not take up: an alteration is refused
 * @param guards all on, but in tests
 */
public record ControllerConfig(
        int nodeId,
        String clusterId,
        int defaultPartitions,
        int defaultReplicationFactor,
        SortedMap<String, Short> bootstrapFeatures,
        SortedMap<String, BrokerRegistration.FeatureRange> supportedFeatures,
        SortedSet<String> readOnlyConfigs,
        Guards guards) {
    public ControllerConfig {
        bootstrapFeatures = java.util.Collections.unmodifiableSortedMap(new TreeMap<>(bootstrapFeatures));
        supportedFeatures = java.util.Collections.unmodifiableSortedMap(new TreeMap<>(supportedFeatures));
        readOnlyConfigs = java.util.Collections.unmodifiableSortedSet(new TreeSet<>(readOnlyConfigs));
    }
}
