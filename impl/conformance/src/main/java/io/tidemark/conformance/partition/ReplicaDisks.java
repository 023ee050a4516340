package io.tidemark.conformance.partition;

import io.tidemark.conformance.states.Val;
import io.tidemark.core.partition.PartitionEffect;
import java.util.List;

/** The disks of a partition's brokers. */
@FunctionalInterface
interface ReplicaDisks {
    /**
     * The disk of a broker whose process starts.
     *
     * @param log what must be there
     */
    ReplicaDisk of(String broker, Val log);

    /** Records alone, without files. */
    static ReplicaDisks inMemory() {
        return (broker, log) -> new ReplicaDisk() {
            private Val written = log;

            @Override
            public void write(List<PartitionEffect> effects) {
                written = ReplicaStep.written(written, effects);
            }

            @Override
            public void flush() {}

            @Override
            public List<Val> records() {
                return written.list();
            }
        };
    }
}
