package io.tidemark.workload.fault;

import java.util.List;

/**
 * What an injected fault did, before the cluster is whole again.
 *
 * @param startNanos when its effect began
 * @param endNanos when it was taken back
 * @param proven whether the evidence proves that it took effect
 */
record Effect(List<Integer> nodes, long startNanos, long endNanos, boolean proven, String evidence) {
    Effect {
        nodes = List.copyOf(nodes);
    }
}
