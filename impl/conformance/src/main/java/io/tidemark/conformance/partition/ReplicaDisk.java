package io.tidemark.conformance.partition;

import io.tidemark.conformance.states.Val;
import io.tidemark.core.partition.PartitionEffect;
import java.util.List;

/** Where a replica's records are, while its process lives. */
interface ReplicaDisk {
    /** Carries out what a step does to the log; other effects are nothing to it. */
    void write(List<PartitionEffect> effects);

    /** All that was written is fsynced. */
    void flush();

    /** As they are there, from offset 0; offsets without a record are told as the specification tells them. */
    List<Val> records();
}
