package io.tidemark.node;

import io.tidemark.core.Guards;
import io.tidemark.runtime.NodeApi;

/**
 * What a test makes wrong in a node, to see that a checker notices it. Only this package sees it, and an architecture
 * test keeps every implementation but {@link #NONE} out of what is installed.
 */
interface Alteration {
    /** A node as it should be. */
    Alteration NONE = new Alteration() {};

    /** Which guards are on. */
    default Guards guards() {
        return Guards.ALL;
    }

    /** What the sockets hand requests to: the runtime, or something before it. */
    default NodeApi api(NodeApi runtime) {
        return runtime;
    }
}
