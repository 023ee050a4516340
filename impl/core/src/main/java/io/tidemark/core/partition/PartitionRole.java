package io.tidemark.core.partition;

/** What a replica is, by the metadata it has applied; {@link PartitionCore} has the table of its changes. */
public enum PartitionRole {
    /** No leader is known, or nothing was applied yet. */
    NONE,
    FOLLOWER,
    LEADER
}
