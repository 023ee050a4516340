package io.tidemark.core.quorum;

import org.jspecify.annotations.Nullable;

/**
 * What {@code quorum-state} holds: durable before anything that depends on it is sent.
 *
 * @param currentEpoch 0 in a new node
 * @param votedKey whom this node voted for in the epoch, or null
 * @param leaderId the leader of the epoch as far as known, or -1
 */
public record QuorumStateData(int currentEpoch, @Nullable ReplicaKey votedKey, int leaderId) {
    public static final int NO_LEADER = -1;
    public static final QuorumStateData INITIAL = new QuorumStateData(0, null, NO_LEADER);
}
