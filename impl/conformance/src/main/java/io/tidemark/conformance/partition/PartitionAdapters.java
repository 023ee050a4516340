package io.tidemark.conformance.partition;

import io.tidemark.conformance.world.Adapter;
import java.util.ArrayList;
import java.util.List;

/** The actions of module Partition. */
public final class PartitionAdapters {
    private PartitionAdapters() {}

    /** The adapters of the actions of replicas. */
    public static List<Adapter> all(Replicas replicas) {
        List<Adapter> all = new ArrayList<>();
        all.addAll(ReplicaAdapters.all(replicas));
        all.addAll(FetchAdapters.all(replicas));
        all.addAll(IsrAdapters.all(replicas));
        return all;
    }
}
