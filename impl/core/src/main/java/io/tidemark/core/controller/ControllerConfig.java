package io.tidemark.core.controller;

import io.tidemark.core.Guards;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What the controller is told at its start.
 *
 * @param nodeId own id
 * @param staticMinInsyncReplicas {@code min.insync.replicas} of the controller's own static file
 * @param staticUncleanElection {@code unclean.leader.election.enable} of that file
 * @param defaultPartitions {@code num.partitions}
 * @param defaultReplicationFactor {@code default.replication.factor}
 * @param bootstrapFeatures feature levels that a new cluster starts with, by name
 * @param supportedFeatures [min, max] that this controller supports, by name
 * @param guards all on, but in tests
 */
public record ControllerConfig(
        int nodeId,
        int staticMinInsyncReplicas,
        boolean staticUncleanElection,
        int defaultPartitions,
        int defaultReplicationFactor,
        SortedMap<String, Short> bootstrapFeatures,
        SortedMap<String, io.tidemark.core.metadata.BrokerRegistration.FeatureRange> supportedFeatures,
        Guards guards) {
    public ControllerConfig {
        bootstrapFeatures = java.util.Collections.unmodifiableSortedMap(new TreeMap<>(bootstrapFeatures));
        supportedFeatures = java.util.Collections.unmodifiableSortedMap(new TreeMap<>(supportedFeatures));
    }
}
