package io.tidemark.core.quorum;

/**
 * Named timers; the runtime turns each into a deadline. Setting one again replaces it. At most one of the three that feed
 * ElectionTimeout is set at a time: the core cancels one before it sets another.
 */
public enum QuorumTimer {
    /** Random in [1, 2) x {@code controller.quorum.election.timeout.ms}; feeds ElectionTimeout. */
    ELECTION,
    /** Short and staggered by the preferred-candidate rank (after EndQuorumEpoch); feeds ElectionTimeout. */
    ELECTION_SOON,
    /** Random up to {@code controller.quorum.election.backoff.max.ms}: after a lost election; feeds ElectionTimeout. */
    ELECTION_BACKOFF,
    /** {@code controller.quorum.fetch.timeout.ms}; feeds FetchTimeout. */
    FETCH,
    /** 1.5 x {@code controller.quorum.fetch.timeout.ms}; feeds CheckQuorumTimeout. */
    CHECK_QUORUM
}
