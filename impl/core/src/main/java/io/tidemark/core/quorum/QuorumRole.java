package io.tidemark.core.quorum;

/** Roles of a replica of the quorum. The table of legal transitions is this type's Javadoc, one test a row. */
public enum QuorumRole {
    UNATTACHED,
    PROSPECTIVE,
    CANDIDATE,
    LEADER,
    FOLLOWER,
    RESIGNED
}
