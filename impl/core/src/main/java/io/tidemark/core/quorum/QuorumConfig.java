package io.tidemark.core.quorum;

import io.tidemark.core.Guards;
import java.util.List;

/**
 * What a replica of the quorum is told at its start.
 *
 * @param clusterId refuses requests of another cluster
 * @param self own id and directory id
 * @param endpoints own controller listeners, announced to the others; empty for an observer
 * @param canBeVoter whether the node has the controller role; without it a node is an observer for ever
 * @param initialVoters voters until the log holds a VotersRecord: {@code controller.quorum.voters}, or empty
 * @param guards all on, but in tests
 */
public record QuorumConfig(
        String clusterId,
        ReplicaKey self,
        List<Endpoint> endpoints,
        boolean canBeVoter,
        VoterSet initialVoters,
        Guards guards) {
    public QuorumConfig {
        endpoints = List.copyOf(endpoints);
    }
}
