package io.tidemark.wire;

import io.tidemark.core.metadata.MetadataView;

/** A describe call: a function of the metadata as one node has applied it. */
public interface MetadataQuestion {
    /** Runs on the owner of the view. */
    Answer answer(MetadataView view, DescribeContext context);
}
