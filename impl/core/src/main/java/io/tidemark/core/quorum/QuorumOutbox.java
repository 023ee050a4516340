package io.tidemark.core.quorum;

import io.tidemark.core.ErrorCode;
import io.tidemark.core.Requires;
import io.tidemark.core.quorum.VoterSet.Voter;
import java.util.List;

/** The requests of a replica: each a function of its state. */
final class QuorumOutbox {
    /** How long a leader may park this replica's fetch: Kafka's constant. */
    static final int FETCH_MAX_WAIT_MS = 500;

    private final QuorumState state;
    private final QuorumOut out;

    QuorumOutbox(QuorumState state, QuorumOut out) {
        this.state = state;
        this.out = out;
    }

    /**
     * It tells the own epoch; voters (and those that may become one) promise by it that they hold what is before its offset.
     */
    void sendFetch(int to) {
        Requires requires = state.config().canBeVoter() ? stateAndLog() : Requires.QUORUM_STATE;
        QuorumMessage.MetadataFetch fetch = new QuorumMessage.MetadataFetch(
                state.config().clusterId(),
                state.config().self(),
                state.currentEpoch(),
                state.log().endOffset(),
                state.lastLog().epoch(),
                state.hw(),
                FETCH_MAX_WAIT_MS);
        out.emit(new QuorumEffect.Send(to, fetch, requires));
    }

    /** Asks every voter whose answer is awaited. */
    void sendVotes(VoteTally round) {
        for (Voter voter : state.voters().voters().values()) {
            if (round.isOpen(voter.key().id())) {
                sendVote(voter);
            }
        }
        if (round.isWon()) {
            // The only voter: its own grant is the majority, and stands for the answer that it would wait for.
            out.emit(new QuorumEffect.Self(new QuorumInput.HandleVoteResponse(
                    state.selfId(),
                    vote(state.config().self()),
                    new QuorumMessage.VoteResult(
                            ErrorCode.NONE,
                            state.currentEpoch(),
                            QuorumStateData.NO_LEADER,
                            List.of(),
                            true,
                            state.role() == QuorumRole.PROSPECTIVE))));
        }
    }

    /** Asks one voter again: its answer was none. */
    void sendVote(VoteTally round, int voterId) {
        Voter voter = state.voters().voters().get(voterId);
        if (voter != null && round.isOpen(voterId)) {
            sendVote(voter);
        }
    }

    /**
     * A vote outlives a crash, and binds the voter to this candidate: so must the log that it was given for. A voter
     * grants a repeated request without another look at the log.
     */
    private void sendVote(Voter voter) {
        send(voter, vote(voter.key()), state.role() == QuorumRole.CANDIDATE ? stateAndLog() : Requires.QUORUM_STATE);
    }

    private QuorumMessage.Vote vote(ReplicaKey voter) {
        return new QuorumMessage.Vote(
                state.config().clusterId(),
                state.currentEpoch(),
                state.config().self(),
                voter,
                state.lastLog(),
                state.role() == QuorumRole.PROSPECTIVE);
    }

    void sendBeginQuorumEpoch() {
        for (Voter voter : state.voters().voters().values()) {
            send(
                    voter,
                    new QuorumMessage.BeginQuorumEpoch(
                            state.config().clusterId(),
                            state.currentEpoch(),
                            state.selfId(),
                            voter.key(),
                            state.config().endpoints()));
        }
    }

    /** @param successors most caught up first; empty if this replica cannot tell */
    void sendEndQuorumEpoch(List<ReplicaKey> successors) {
        for (Voter voter : state.voters().voters().values()) {
            send(
                    voter,
                    new QuorumMessage.EndQuorumEpoch(
                            state.config().clusterId(),
                            state.currentEpoch(),
                            state.selfId(),
                            successors,
                            state.config().endpoints()));
        }
    }

    private void send(Voter to, QuorumMessage.Request request) {
        // Whatever tells the own epoch waits for it to be durable.
        send(to, request, Requires.QUORUM_STATE);
    }

    private void send(Voter to, QuorumMessage.Request request, Requires requires) {
        if (to.key().id() != state.selfId()) {
            out.emit(new QuorumEffect.Send(to.key().id(), request, requires));
        }
    }

    private Requires stateAndLog() {
        return state.flushCounts()
                ? new Requires.QuorumStateAndFlushed(state.log().endOffset())
                : Requires.QUORUM_STATE;
    }
}
