package io.tidemark.core.metadata;

import io.tidemark.core.quorum.Endpoint;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A broker as the metadata log has it; the spec's {@code reg}.
 *
 * @param epoch broker epoch: the offset of its registration record
 * @param incarnation drawn anew at each start of the process
 * @param features supported [min, max] by feature name
 * @param directories ids of its log directories
 * @param fenced neither leads nor joins an ISR
 * @param shuttingDown in controlled shutdown
 */
public record BrokerRegistration(
        int id,
        long epoch,
        UUID incarnation,
        List<Endpoint> endpoints,
        SortedMap<String, FeatureRange> features,
        @Nullable String rack,
        List<UUID> directories,
        boolean fenced,
        boolean shuttingDown) {

    /** Versions of a feature that a node supports. */
    public record FeatureRange(short min, short max) {}

    public BrokerRegistration {
        endpoints = List.copyOf(endpoints);
        features = java.util.Collections.unmodifiableSortedMap(new TreeMap<>(features));
        directories = List.copyOf(directories);
    }

    /** May lead and be in an ISR. */
    public boolean active() {
        return !fenced && !shuttingDown;
    }

    public BrokerRegistration with(boolean newFenced, boolean newShuttingDown) {
        return new BrokerRegistration(
                id, epoch, incarnation, endpoints, features, rack, directories, newFenced, newShuttingDown);
    }
}
