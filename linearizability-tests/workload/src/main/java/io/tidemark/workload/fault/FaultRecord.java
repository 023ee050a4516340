package io.tidemark.workload.fault;

import java.util.List;

/**
 * A fault that was injected, or could not be.
 *
 * @param fault its name
 * @param nodes the nodes it hit
 * @param startNanos when its effect began: the process gone, standing still, or asked to end
 * @param endNanos when it was taken back: the process started, going on
 * @param healedNanos when all replicas were in sync again, or the wait for it ended
 * @param whole whether the cluster was whole again in time
 * @param effective whether the evidence proves that it took effect; one without proof is no coverage
 */
public record FaultRecord(
        int id,
        String fault,
        String target,
        List<Integer> nodes,
        long startNanos,
        long endNanos,
        long healedNanos,
        boolean whole,
        boolean effective,
        String evidence) {
    public FaultRecord {
        nodes = List.copyOf(nodes);
    }
}
