package io.tidemark.conformance;

import java.util.ArrayList;
import java.util.List;

/** The actions of module Partition. */
final class PartitionAdapters {
    private PartitionAdapters() {}

    static List<Adapter> all(Replicas replicas) {
        List<Adapter> all = new ArrayList<>();
        all.addAll(ReplicaAdapters.all(replicas));
        all.addAll(FetchAdapters.all(replicas));
        all.addAll(IsrAdapters.all(replicas));
        return all;
    }
}
