package io.tidemark.core.partition;

/** What a replica is, by the metadata it has applied. */
public enum PartitionRole {
    /** No leader is known, or nothing was applied yet. */
    NONE,
    FOLLOWER,
    LEADER
}
