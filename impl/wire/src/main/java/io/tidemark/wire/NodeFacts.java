package io.tidemark.wire;

import io.tidemark.core.message.PartitionRef;
import io.tidemark.core.quorum.Endpoint;
import io.tidemark.wire.batch.ProduceRules;
import org.jspecify.annotations.Nullable;

/** What decoding and encoding must know of the node. Called from any network thread; answers may be a moment old. */
public interface NodeFacts {
    /** The rules of the topic that a producer writes to, null where this node does not know the topic. */
    @Nullable
    ProduceRules produceRules(PartitionRef partition);

    /** Where a client reaches a broker (KIP-951), null where unknown. */
    @Nullable
    Endpoint broker(int id);

    /** Wall clock, ms since 1970. */
    long nowMs();
}
