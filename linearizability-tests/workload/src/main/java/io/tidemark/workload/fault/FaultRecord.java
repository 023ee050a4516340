package io.tidemark.workload.fault;

import java.util.List;
import org.jspecify.annotations.Nullable;

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

    /**
     * How long the cluster took to heal: milliseconds from the fault's end until every node knew all nodes as unfenced and
     * each partition with a leader and all its replicas in sync, found out by asking every node again and again. Null
     * where that did not come in time, and where nothing was injected that could heal.
     */
    public @Nullable Long allInSyncAfterMs() {
        return whole && endNanos > startNanos ? (Long) ((healedNanos - endNanos) / 1_000_000) : null;
    }
}
