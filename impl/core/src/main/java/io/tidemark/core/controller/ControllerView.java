package io.tidemark.core.controller;

import io.tidemark.core.metadata.BrokerRegistration;
import io.tidemark.core.metadata.MetadataView;
import io.tidemark.core.metadata.PartitionRegistration;
import io.tidemark.core.metadata.TopicPartition;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/** The controller's state to read, by the spec's names; live, valid until the next input. */
public interface ControllerView {
    /** End of the metadata log, exclusive, as far as this controller has decided; uncommitted records included. */
    long metaLogEnd();

    /** Committed length of the metadata log. */
    long metaHw();

    /** Whether this node is the active controller; an inactive one refuses everything. */
    boolean active();

    /** The epoch it became active in; -1 before. */
    int epoch();

    /** Everything folded, uncommitted records included. */
    MetadataView metadata();

    /** The spec's {@code reg}. */
    default SortedMap<Integer, BrokerRegistration> reg() {
        return metadata().brokers();
    }

    /** The spec's {@code part}; null where there is no such partition. */
    default @Nullable PartitionRegistration part(TopicPartition partition) {
        return metadata().partition(partition);
    }

    /** The spec's {@code minIsr}, effective. */
    default int minIsr(String topic) {
        return metadata().effectiveMinIsr(topic);
    }
}
