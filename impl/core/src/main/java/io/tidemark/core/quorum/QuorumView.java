package io.tidemark.core.quorum;

import io.tidemark.core.log.EpochLogView;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A replica's state as the spec names it, read only. It shows the present, so an observer copies what it keeps; collections
 * are snapshots.
 */
public interface QuorumView {
    int currentEpoch();

    /** Whom this replica voted for in the epoch, or null. */
    @Nullable
    ReplicaKey votedKey();

    /** Leader of the epoch as far as known, or -1. */
    int leaderId();

    QuorumRole role();

    long logStart();

    EpochLogView log();

    /** The log is known to be on disk up to here, exclusive. */
    long flushed();

    /** Committed up to here, exclusive, as far as this replica knows; never falls. */
    long hw();

    /** Who granted the present round of votes or pre-votes; empty unless PROSPECTIVE or CANDIDATE. */
    SortedSet<Integer> grants();

    /** Who refused in it; empty unless PROSPECTIVE or CANDIDATE. */
    SortedSet<Integer> rejects();

    /** Whether the leader of this follower has answered a fetch in the epoch; false in every other role. */
    boolean fetchedFromLeader();

    /**
     * Fetch offset of each voter as the leader knows it, -1 before its first fetch in the epoch; its own is
     * {@link #flushed}. Empty unless LEADER.
     */
    SortedMap<Integer, Long> voterFetch();

    /** The voter set in force: of the last VotersRecord in the log, committed or not. */
    VoterSet voters();

    UUID dirId();

    /** Where the known leader is reached; empty where it is not. */
    List<Endpoint> leaderEndpoints();

    /** Whether this replica is in the voter set in force. */
    boolean isVoter();

    /** Whether this replica leads and its own LeaderChange is committed: it takes metadata records. */
    boolean leaderReady();
}
