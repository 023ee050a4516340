package io.tidemark.core.quorum;

import io.tidemark.core.log.BatchHeader;
import java.util.List;

/** A batch of the metadata log as the quorum sees it: its header, and its records where it is a control batch. */
public record MetadataBatch(BatchHeader header, List<ControlRecord> control) {
    public MetadataBatch {
        control = List.copyOf(control);
    }
}
