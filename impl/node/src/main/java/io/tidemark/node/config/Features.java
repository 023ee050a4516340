package io.tidemark.node.config;

import io.tidemark.core.metadata.BrokerRegistration.FeatureRange;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/** The features that a node supports, and the levels that a new cluster starts with; numbers are Kafka 4.3.1's. */
public final class Features {
    public static final String METADATA_VERSION = "metadata.version";
    public static final String KRAFT_VERSION = "kraft.version";
    public static final String ELR_VERSION = "eligible.leader.replicas.version";
    /** 4.3-IV0: the one format of metadata records that is written and read. */
    public static final short METADATA_LEVEL = 30;

    /** The release that has {@link #METADATA_LEVEL}. */
    public static final String RELEASE = "4.3-IV0";

    private Features() {}

    /** [min, max] by name, without {@code kraft.version}, which the quorum keeps. */
    public static SortedMap<String, FeatureRange> supported() {
        TreeMap<String, FeatureRange> ranges = new TreeMap<>();
        ranges.put(METADATA_VERSION, new FeatureRange(METADATA_LEVEL, METADATA_LEVEL));
        ranges.put(ELR_VERSION, new FeatureRange((short) 0, (short) 1));
        return Collections.unmodifiableSortedMap(ranges);
    }

    /** Levels of a new cluster, without {@code kraft.version}. */
    public static SortedMap<String, Short> defaults() {
        TreeMap<String, Short> levels = new TreeMap<>();
        supported().forEach((name, range) -> levels.put(name, range.max()));
        return Collections.unmodifiableSortedMap(levels);
    }
}
