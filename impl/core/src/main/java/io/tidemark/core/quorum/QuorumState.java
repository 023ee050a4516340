package io.tidemark.core.quorum;

import io.tidemark.core.Guard;
import io.tidemark.core.SpecAction;
import io.tidemark.core.Step;
import io.tidemark.core.log.EpochLogView;
import io.tidemark.core.log.LogState;
import io.tidemark.core.log.OffsetAndEpoch;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The variables of one replica and the transitions between its roles: what each sends, which timers it sets. What triggers
 * a transition is decided by {@link Elections} and {@link Replication}.
 */
final class QuorumState implements QuorumView {
    private static final int NO_LEADER = QuorumStateData.NO_LEADER;

    private final QuorumConfig config;
    private final QuorumLog log;
    private final QuorumOut out;
    private final QuorumOutbox outbox;

    private QuorumRole role = QuorumRole.UNATTACHED;
    private int currentEpoch;
    private @Nullable ReplicaKey votedKey;
    private int leaderId = NO_LEADER;
    private List<Endpoint> leaderEndpoints = List.of();
    /** Of a PROSPECTIVE or CANDIDATE. */
    private @Nullable VoteTally tally;
    /** Of a LEADER. */
    private @Nullable Leadership leadership;
    /** Of a FOLLOWER: its leader has answered a fetch. */
    private boolean fetchedFromLeader;

    private QuorumStateData persisted;
    private boolean fetchDue;

    QuorumState(
            QuorumConfig config,
            QuorumStateData restored,
            LogState logState,
            SortedMap<Long, VoterSet> voterRecords,
            QuorumOut out) {
        this.config = config;
        this.out = out;
        this.outbox = new QuorumOutbox(this, out);
        this.log = new QuorumLog(logState, config.initialVoters(), voterRecords, out);
        this.persisted = restored;
        if (restored.currentEpoch() < log.view().lastEpoch()) {
            // The log reached the disk in an epoch that quorum-state did not: nothing was promised there.
            this.currentEpoch = log.view().lastEpoch();
            return;
        }
        this.currentEpoch = restored.currentEpoch();
        this.votedKey = restored.votedKey();
        this.leaderId = restored.leaderId();
        if (leaderId == selfId()) {
            this.role = QuorumRole.RESIGNED;
            this.leaderEndpoints = config.endpoints();
        } else if (leaderId != NO_LEADER) {
            this.leaderEndpoints = voters().endpoints(leaderId);
            this.role = leaderEndpoints.isEmpty() ? QuorumRole.UNATTACHED : QuorumRole.FOLLOWER;
        } else if (config.self().equals(votedKey) && isVoter() && log.view().lastEpoch() < currentEpoch) {
            // With records of the epoch in the log the election is over, and this replica may have won it.
            this.role = QuorumRole.CANDIDATE;
            this.tally = new VoteTally(voters().ids(), selfId());
        }
    }

    /** What a replica does as it comes up: the timers and messages of the role that it restored. */
    void start() {
        out.emit(roleChanged());
        if (config.canBeVoter() && flushed() < log.view().endOffset()) {
            out.emit(new QuorumEffect.Flush());
        }
        if (role == QuorumRole.FOLLOWER) {
            out.setFetchTimer();
        } else if (isVoter() || role == QuorumRole.RESIGNED) {
            out.setElectionTimer(QuorumTimer.ELECTION);
        }
        if (tally != null) {
            outbox.sendVotes(tally);
        } else if (role == QuorumRole.RESIGNED) {
            outbox.sendEndQuorumEpoch(List.of());
        } else {
            fetchDue = true;
        }
        if (tally == null && isVoter() && voters().voters().size() == 1) {
            // Nobody else to wait for.
            out.emit(new QuorumEffect.Self(
                    role == QuorumRole.FOLLOWER ? new QuorumInput.FetchTimeout() : new QuorumInput.ElectionTimeout()));
        }
    }

    /** Ends a step: what must be durable first, then the handler's effects, then the fetch that the new state calls for. */
    Step<QuorumEffect> finish(@Nullable SpecAction action) {
        if (currentEpoch != persisted.currentEpoch()
                || leaderId != persisted.leaderId()
                || !Objects.equals(votedKey, persisted.votedKey())) {
            persisted = new QuorumStateData(currentEpoch, votedKey, leaderId);
            out.emitFirst(new QuorumEffect.PersistQuorumState(persisted));
        }
        if (fetchDue) {
            outbox.sendFetch(role == QuorumRole.FOLLOWER ? leaderId : QuorumEffect.ANY_BOOTSTRAP);
            fetchDue = false;
        }
        return new Step<>(action, out.drain());
    }

    /** The fetch that the present state calls for is sent as the step ends. */
    void fetchNext() {
        fetchDue = true;
    }

    // ---- transitions: the rows of QuorumRole's table

    private void become(QuorumRole next, int epoch, @Nullable ReplicaKey vote, int leader, List<Endpoint> endpoints) {
        if (epoch < currentEpoch || !role.mayBecome(next, epoch > currentEpoch)) {
            throw new IllegalStateException(
                    role + " in epoch " + currentEpoch + " cannot become " + next + " in epoch " + epoch);
        }
        role = next;
        currentEpoch = epoch;
        votedKey = vote;
        leaderId = leader;
        leaderEndpoints = endpoints;
        tally = null;
        leadership = null;
        fetchedFromLeader = false;
        fetchDue = false;
        out.emit(new QuorumEffect.AbandonAll());
        out.emit(roleChanged());
        if (role != QuorumRole.FOLLOWER) {
            out.cancelFetchTimer();
        }
        if (role != QuorumRole.LEADER) {
            out.cancelCheckQuorumTimer();
        }
    }

    /** A higher epoch, in which the election timer runs on; or the same after lost pre-votes, and a full wait. */
    void unattached(int epoch, int leader) {
        boolean lost = epoch == currentEpoch;
        become(QuorumRole.UNATTACHED, epoch, lost ? votedKey : null, leader, List.of());
        if (!isVoter()) {
            out.cancelElectionTimer();
        } else if (lost || !out.electionTimerSet()) {
            out.setElectionTimer(QuorumTimer.ELECTION);
        }
        fetchDue = true;
    }

    void follower(int epoch, int leader, List<Endpoint> endpoints) {
        become(QuorumRole.FOLLOWER, epoch, epoch == currentEpoch ? votedKey : null, leader, endpoints);
        out.cancelElectionTimer();
        out.setFetchTimer();
        fetchDue = true;
    }

    void prospective() {
        requireVoter();
        become(QuorumRole.PROSPECTIVE, currentEpoch, votedKey, leaderId, leaderEndpoints);
        nominate();
    }

    void candidate() {
        requireVoter();
        become(QuorumRole.CANDIDATE, currentEpoch + 1, config.self(), NO_LEADER, List.of());
        nominate();
    }

    private void nominate() {
        out.setElectionTimer(QuorumTimer.ELECTION);
        tally = new VoteTally(voters().ids(), selfId());
        outbox.sendVotes(tally);
    }

    void leader() {
        requireVoter();
        List<Integer> granting = List.copyOf(grants());
        become(QuorumRole.LEADER, currentEpoch, votedKey, selfId(), config.endpoints());
        out.cancelElectionTimer();
        leadership = new Leadership(log.view().endOffset(), voters());
        ControlRecord change = new ControlRecord.LeaderChange(selfId(), List.copyOf(voters().ids()), granting);
        out.emit(new QuorumEffect.AppendControl(log.view().endOffset(), currentEpoch, List.of(change)));
        log.appended(currentEpoch, 1);
        setCheckQuorumTimer();
        outbox.sendBeginQuorumEpoch();
    }

    void resigned() {
        List<ReplicaKey> successors = leadership().successors(selfId(), voters());
        become(QuorumRole.RESIGNED, currentEpoch, votedKey, selfId(), config.endpoints());
        out.setElectionTimer(QuorumTimer.ELECTION);
        outbox.sendEndQuorumEpoch(successors);
    }

    private void requireVoter() {
        if (!isVoter()) {
            throw new IllegalStateException(config.self() + " is not one of the " + voters());
        }
    }

    /** The vote is given; the wait for its outcome begins anew. */
    void vote(ReplicaKey candidate) {
        votedKey = candidate;
        out.setElectionTimer(QuorumTimer.ELECTION);
    }

    // ---- what others say about epoch and leader

    /** Whether a message names a leader that cannot be: another one of this epoch, or this replica where it does not lead. */
    boolean contradicts(int epoch, int leader) {
        if (leader == selfId()) {
            return epoch > currentEpoch || (epoch == currentEpoch && leaderId != selfId());
        }
        return epoch == currentEpoch && leader != NO_LEADER && leaderId != NO_LEADER && leader != leaderId;
    }

    /** Takes up what a message says of epoch and leader, where that is news. @return whether it was */
    boolean learn(int epoch, int leader, List<Endpoint> told) {
        if (epoch < currentEpoch || leader == selfId() || contradicts(epoch, leader)) {
            return false;
        }
        List<Endpoint> endpoints = told.isEmpty() && leader != NO_LEADER ? voters().endpoints(leader) : told;
        if (epoch > currentEpoch && (leader == NO_LEADER || endpoints.isEmpty())) {
            unattached(epoch, leader);
        } else if (epoch == currentEpoch && (leader == NO_LEADER || endpoints.size() <= leaderEndpoints.size())) {
            return false;
        } else if (epoch == currentEpoch && role == QuorumRole.FOLLOWER) {
            leaderEndpoints = endpoints;
            out.emit(roleChanged());
        } else {
            follower(epoch, leader, endpoints);
        }
        return true;
    }

    private QuorumEffect roleChanged() {
        return new QuorumEffect.RoleChanged(role, currentEpoch, leaderId, leaderEndpoints);
    }

    // ---- a leader's part

    /** Whether only what is on disk is counted and told (guard {@code quorum-flush}). */
    boolean flushCounts() {
        return config.guards().on(Guard.QUORUM_FLUSH);
    }

    Leadership leadership() {
        if (leadership == null) {
            throw new IllegalStateException(role + " does not lead");
        }
        return leadership;
    }

    /** Recomputes the high watermark of a leader. */
    void commit() {
        Leadership leading = leadership();
        long majority = leading.majorityOffset(
                selfId(), flushCounts() ? flushed() : log.view().endOffset());
        long past = config.guards().on(Guard.OWN_EPOCH_COMMIT) ? leading.epochStart() : -1;
        log.advanceHw(QuorumHwRule.next(hw(), majority, past));
        if (leading.becomesReady(hw())) {
            out.emit(new QuorumEffect.LeaderReady(currentEpoch));
        }
    }

    /** A single voter needs nobody's fetches. */
    void setCheckQuorumTimer() {
        if (voters().voters().size() > 1) {
            out.setCheckQuorumTimer();
        }
    }

    /** The leader answered a fetch. */
    void fetchSucceeded() {
        fetchedFromLeader = true;
        out.cancelElectionSoon();
        out.setFetchTimer();
    }

    // ---- read side

    QuorumLog ownLog() {
        return log;
    }

    OffsetAndEpoch lastLog() {
        return log.last();
    }

    QuorumConfig config() {
        return config;
    }

    QuorumOutbox outbox() {
        return outbox;
    }

    int selfId() {
        return config.self().id();
    }

    @Nullable
    VoteTally tally() {
        return tally;
    }

    @Override
    public boolean fetchedFromLeader() {
        return fetchedFromLeader;
    }

    @Override
    public int currentEpoch() {
        return currentEpoch;
    }

    @Override
    public @Nullable ReplicaKey votedKey() {
        return votedKey;
    }

    @Override
    public int leaderId() {
        return leaderId;
    }

    @Override
    public QuorumRole role() {
        return role;
    }

    @Override
    public long logStart() {
        return log.view().logStart();
    }

    @Override
    public EpochLogView log() {
        return log.view();
    }

    @Override
    public long flushed() {
        return log.flushed();
    }

    @Override
    public long hw() {
        return log.hw();
    }

    @Override
    public SortedSet<Integer> grants() {
        return tally == null ? new TreeSet<>() : new TreeSet<>(tally.granted());
    }

    @Override
    public SortedSet<Integer> rejects() {
        return tally == null ? new TreeSet<>() : new TreeSet<>(tally.rejected());
    }

    @Override
    public SortedMap<Integer, Long> voterFetch() {
        return leadership == null ? new TreeMap<>() : leadership.voterFetch(selfId(), flushed());
    }

    @Override
    public VoterSet voters() {
        return log.voters();
    }

    @Override
    public UUID dirId() {
        return config.self().directoryId();
    }

    @Override
    public List<Endpoint> leaderEndpoints() {
        return leaderEndpoints;
    }

    @Override
    public boolean isVoter() {
        return config.canBeVoter() && voters().contains(config.self());
    }

    @Override
    public boolean leaderReady() {
        return leadership != null && leadership.ready();
    }
}
