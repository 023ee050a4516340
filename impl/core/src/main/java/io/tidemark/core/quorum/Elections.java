package io.tidemark.core.quorum;

import io.tidemark.core.ErrorCode;
import io.tidemark.core.Guard;
import io.tidemark.core.ReplyToken;
import io.tidemark.core.Requires;
import java.util.List;

/**
 * Who leads: votes, pre-votes, the announcements of leaders, and how one leaves. Every handler says whether its spec action
 * was taken; if not, no variable of the spec changed.
 */
final class Elections {
    private final QuorumState s;
    private final QuorumOut out;

    Elections(QuorumState state, QuorumOut out) {
        this.s = state;
        this.out = out;
    }

    boolean electionTimeout() {
        QuorumTimer fired = out.electionTimerFired();
        switch (s.role()) {
            case UNATTACHED -> {
                if (!s.isVoter()) {
                    return false;
                }
                s.prospective();
            }
            case PROSPECTIVE -> {
                if (!s.leaderEndpoints().isEmpty()) {
                    s.follower(s.currentEpoch(), s.leaderId(), s.leaderEndpoints());
                } else {
                    s.prospective();
                }
            }
            case CANDIDATE -> s.prospective();
            case RESIGNED -> {
                // Its own epoch is over: nobody must fetch from it there, and it must not follow itself.
                s.unattached(s.currentEpoch() + 1, QuorumStateData.NO_LEADER);
                if (s.isVoter()) {
                    out.emit(new QuorumEffect.Self(new QuorumInput.ElectionTimeout()));
                }
            }
            case FOLLOWER -> {
                if (fired != null) {
                    // Its leader said that it goes: no use in waiting for its fetches to fail.
                    out.emit(new QuorumEffect.Self(new QuorumInput.FetchTimeout()));
                }
                return false;
            }
            case LEADER -> {
                return false;
            }
        }
        return true;
    }

    boolean fetchTimeout() {
        out.fetchTimerFired();
        if (s.role() != QuorumRole.FOLLOWER) {
            return false;
        }
        if (s.isVoter()) {
            s.prospective();
            return true;
        }
        // An observer elects nobody; somebody else may know who leads now.
        out.emit(new QuorumEffect.AbandonAll());
        out.setFetchTimer();
        s.outbox().sendFetch(QuorumEffect.ANY_BOOTSTRAP);
        return false;
    }

    // ---- votes

    boolean handleVoteRequest(QuorumMessage.Vote vote, ReplyToken token) {
        ErrorCode error = validate(vote);
        if (error != ErrorCode.NONE) {
            // It tells the own epoch: a crash must not take that back.
            replyVote(token, error, false, vote.preVote(), Requires.QUORUM_STATE);
            return false;
        }
        boolean newEpoch = vote.epoch() > s.currentEpoch();
        if (newEpoch) {
            s.unattached(vote.epoch(), QuorumStateData.NO_LEADER);
        }
        if (s.config().guards().on(Guard.VOTE_KEY) && !isOwnKey(vote.voter())) {
            replyVote(token, ErrorCode.INVALID_VOTER_KEY, false, vote.preVote(), Requires.QUORUM_STATE);
            return newEpoch;
        }
        boolean granted = vote.preVote() ? grantsPreVote(vote) : grantsVote(vote);
        boolean newVote = granted && !vote.preVote() && !vote.candidate().equals(s.votedKey());
        if (newVote) {
            s.vote(vote.candidate());
        }
        boolean waits = !newVote || s.config().guards().on(Guard.VOTE_DURABLE);
        replyVote(token, ErrorCode.NONE, granted, vote.preVote(), waits ? Requires.QUORUM_STATE : Requires.NOTHING);
        return newEpoch || granted;
    }

    private ErrorCode validate(QuorumMessage.Vote vote) {
        if (!s.config().clusterId().equals(vote.clusterId())) {
            return ErrorCode.INCONSISTENT_CLUSTER_ID;
        }
        // A candidate has raised its epoch above all that its log holds; a prospective has not.
        int lastEpoch = vote.lastLog().epoch();
        boolean illegalEpoch = vote.preVote() ? lastEpoch > vote.epoch() : lastEpoch >= vote.epoch();
        int candidate = vote.candidate().id();
        if (illegalEpoch || lastEpoch < 0 || vote.lastLog().offset() < 0 || candidate < 0 || candidate == s.selfId()) {
            return ErrorCode.INVALID_REQUEST;
        }
        return vote.epoch() < s.currentEpoch() ? ErrorCode.FENCED_LEADER_EPOCH : ErrorCode.NONE;
    }

    private boolean isOwnKey(ReplicaKey named) {
        return matches(named, s.config().self());
    }

    /** Whether {@code named} means {@code replica}: the same id, and the same directory where one is named. */
    private static boolean matches(ReplicaKey named, ReplicaKey replica) {
        return named.id() == replica.id()
                && (named.directoryId().equals(ReplicaKey.NO_DIRECTORY)
                        || named.directoryId().equals(replica.directoryId()));
    }

    /** A pre-vote binds nobody; a follower of a leader that answers has no reason to want another (KIP-996). */
    private boolean grantsPreVote(QuorumMessage.Vote vote) {
        boolean content = s.role() == QuorumRole.LEADER
                || (s.role() == QuorumRole.FOLLOWER
                        && s.fetchedFromLeader()
                        && s.config().guards().on(Guard.PRE_VOTE_FETCHED));
        return !content && isUpToDate(vote);
    }

    private boolean grantsVote(QuorumMessage.Vote vote) {
        if (s.role() != QuorumRole.UNATTACHED && s.role() != QuorumRole.PROSPECTIVE) {
            return false;
        }
        ReplicaKey voted = s.votedKey();
        if (voted != null && matches(voted, vote.candidate())) {
            return true;
        }
        if (voted != null && s.config().guards().on(Guard.VOTE_ONCE)) {
            return false;
        }
        return s.leaderId() == QuorumStateData.NO_LEADER && isUpToDate(vote);
    }

    private boolean isUpToDate(QuorumMessage.Vote vote) {
        return !s.config().guards().on(Guard.VOTE_UP_TO_DATE) || vote.lastLog().compareTo(s.lastLog()) >= 0;
    }

    private void replyVote(ReplyToken token, ErrorCode error, boolean granted, boolean preVote, Requires requires) {
        out.emit(new QuorumEffect.Reply(
                token,
                new QuorumMessage.VoteResult(
                        error, s.currentEpoch(), s.leaderId(), s.leaderEndpoints(), granted, preVote),
                requires));
    }

    boolean handleVoteResponse(int from, QuorumMessage.Vote asked, QuorumMessage.VoteResult result) {
        VoteTally tally = s.tally();
        boolean preVote = s.role() == QuorumRole.PROSPECTIVE;
        if (tally == null || asked.epoch() != s.currentEpoch() || asked.preVote() != preVote) {
            return false;
        }
        boolean leaderFound = s.leaderId() == QuorumStateData.NO_LEADER && result.leaderId() >= 0;
        if (result.epoch() > s.currentEpoch() || (result.epoch() == s.currentEpoch() && leaderFound)) {
            if (s.learn(result.epoch(), result.leaderId(), result.leaderEndpoints())) {
                return true;
            }
        }
        if (result.error() != ErrorCode.NONE || result.epoch() != s.currentEpoch()) {
            s.outbox().sendVote(tally, from);
            return false;
        }
        boolean counted = tally.record(from, result.granted());
        if (tally.isWon()) {
            if (preVote) {
                s.candidate();
            } else {
                s.leader();
            }
            return true;
        }
        return counted && (result.granted() || (tally.isLost() && lose(preVote)));
    }

    /** Too many rejected. @return whether a variable of the spec changed */
    private boolean lose(boolean preVote) {
        if (!preVote) {
            out.emit(new QuorumEffect.AbandonAll());
            out.setElectionTimer(QuorumTimer.ELECTION_BACKOFF);
            return false;
        }
        if (!s.leaderEndpoints().isEmpty()) {
            s.follower(s.currentEpoch(), s.leaderId(), s.leaderEndpoints());
        } else {
            s.unattached(s.currentEpoch(), s.leaderId());
        }
        return true;
    }

    // ---- leaders that come and go

    boolean handleBeginQuorumEpoch(QuorumMessage.BeginQuorumEpoch begin, ReplyToken token) {
        ErrorCode error = validate(begin.clusterId(), begin.epoch(), begin.leaderId());
        boolean taken = error == ErrorCode.NONE;
        if (taken) {
            boolean learned = s.learn(begin.epoch(), begin.leaderId(), begin.leaderEndpoints());
            if (!isOwnKey(begin.voter())) {
                error = ErrorCode.INVALID_VOTER_KEY;
                taken = learned;
            }
        }
        out.emit(new QuorumEffect.Reply(
                token,
                new QuorumMessage.BeginQuorumEpochResult(error, s.currentEpoch(), s.leaderId(), s.leaderEndpoints()),
                Requires.QUORUM_STATE));
        return taken;
    }

    boolean handleEndQuorumEpoch(QuorumMessage.EndQuorumEpoch end, ReplyToken token) {
        ErrorCode error = validate(end.clusterId(), end.epoch(), end.leaderId());
        if (error == ErrorCode.NONE) {
            s.learn(end.epoch(), end.leaderId(), end.leaderEndpoints());
            if (s.role() == QuorumRole.FOLLOWER && s.leaderId() == end.leaderId() && s.isVoter()) {
                out.setElectionSoon(rank(end.preferredCandidates()));
            }
        }
        out.emit(new QuorumEffect.Reply(
                token,
                new QuorumMessage.EndQuorumEpochResult(error, s.currentEpoch(), s.leaderId(), s.leaderEndpoints()),
                Requires.QUORUM_STATE));
        return error == ErrorCode.NONE;
    }

    /** Own place among the candidates; behind all of them if this replica is not named. */
    private int rank(List<ReplicaKey> preferredCandidates) {
        int rank = 0;
        while (rank < preferredCandidates.size() && !isOwnKey(preferredCandidates.get(rank))) {
            rank++;
        }
        return rank;
    }

    private ErrorCode validate(String clusterId, int epoch, int leader) {
        if (!s.config().clusterId().equals(clusterId)) {
            return ErrorCode.INCONSISTENT_CLUSTER_ID;
        }
        if (epoch < s.currentEpoch()) {
            return ErrorCode.FENCED_LEADER_EPOCH;
        }
        return leader < 0 || leader == s.selfId() || s.contradicts(epoch, leader)
                ? ErrorCode.INVALID_REQUEST
                : ErrorCode.NONE;
    }

    boolean checkQuorumTimeout() {
        out.checkQuorumTimerFired();
        if (s.role() != QuorumRole.LEADER || s.voters().voters().size() == 1) {
            return false;
        }
        if (!s.config().guards().on(Guard.CHECK_QUORUM)) {
            s.setCheckQuorumTimer();
            return false;
        }
        s.resigned();
        return true;
    }

    boolean resign() {
        if (s.role() != QuorumRole.LEADER) {
            return false;
        }
        s.resigned();
        return true;
    }
}
