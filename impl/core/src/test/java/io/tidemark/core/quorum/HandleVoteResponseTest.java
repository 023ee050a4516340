package io.tidemark.core.quorum;

import static io.tidemark.core.quorum.QuorumFixture.*;
import static io.tidemark.core.quorum.QuorumTimer.ELECTION;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.ErrorCode;
import io.tidemark.core.Guards;
import io.tidemark.core.SpecAction;
import io.tidemark.core.Step;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class HandleVoteResponseTest {
    @Test
    void aMajorityOfPreVotesMakesACandidateOfTheNextEpoch() {
        QuorumCore core = prospective(3, log(2));
        Step<QuorumEffect> step = grant(core, 2);
        assertThat(step.action()).isEqualTo(SpecAction.HandleVoteResponse);
        assertThat(step.effects())
                .containsExactly(
                        persist(4, 1, -1),
                        abandon(),
                        role(QuorumRole.CANDIDATE, 4, -1),
                        set(ELECTION),
                        sendFlushed(2, vote(4, 1, 2, 1, 2, false), 1),
                        sendFlushed(3, vote(4, 1, 3, 1, 2, false), 1));
        assertThat(core.view().grants()).containsExactly(1);
    }

    private static QuorumInput granted(int asked, int answered) {
        return new QuorumInput.HandleVoteResponse(
                2,
                vote(asked, 1, 2, 1, 2, false),
                new QuorumMessage.VoteResult(ErrorCode.NONE, answered, -1, List.of(), true, false));
    }

    @Test
    void aVoteOfAnEarlierRoundIsNotCountedAndNobodyIsAskedAgain() {
        QuorumCore core = candidate(4, log(2));
        assertThat(core.apply(granted(3, 3)).effects()).isEmpty();
        assertThat(core.view().grants()).containsExactly(1);
    }

    /** No voter answers so: it is asked once more, and not counted. */
    @Test
    void aVoteThatNamesAnotherEpochThanItWasAskedInIsNotCounted() {
        QuorumCore core = candidate(4, log(2));
        assertThat(core.apply(granted(4, 3)).effects()).containsExactly(sendFlushed(2, vote(4, 1, 2, 1, 2, false), 1));
        assertThat(core.view().grants()).containsExactly(1);
    }

    @Test
    void aMajorityOfVotesMakesALeader() {
        QuorumCore core = candidate(4, log(2));
        Step<QuorumEffect> step = grant(core, 3);
        assertThat(step.effects())
                .containsExactly(
                        persist(4, 1, 1),
                        abandon(),
                        role(QuorumRole.LEADER, 4, 1),
                        cancel(ELECTION),
                        new QuorumEffect.AppendControl(
                                1, 4, List.of(new ControlRecord.LeaderChange(1, List.of(1, 2, 3), List.of(1, 3)))),
                        new QuorumEffect.Flush(),
                        new QuorumEffect.LeoMoved(2),
                        set(QuorumTimer.CHECK_QUORUM),
                        send(2, new QuorumMessage.BeginQuorumEpoch(CLUSTER, 4, 1, key(2), endpoints(1))),
                        send(3, new QuorumMessage.BeginQuorumEpoch(CLUSTER, 4, 1, key(3), endpoints(1))));
        assertThat(core.view().voterFetch())
                .containsEntry(1, 1L)
                .containsEntry(2, -1L)
                .containsEntry(3, -1L);
        assertThat(core.view().leaderReady()).isFalse();
    }

    @Test
    void inFiveVotersTwoGrantsAreNotEnough() {
        QuorumCore core = restored(1, voters(1, 2, 3, 5, 6), state(3, -1, -1), log(), Guards.ALL);
        core.start();
        core.apply(new QuorumInput.ElectionTimeout());
        Step<QuorumEffect> step = grant(core, 2);
        assertThat(step.action()).isEqualTo(SpecAction.HandleVoteResponse);
        assertThat(step.effects()).isEmpty();
        assertThat(grant(core, 2).action()).isNull();
        assertThat(core.view().grants()).containsExactly(1, 2);
        grant(core, 6);
        assertThat(core.view().role()).isEqualTo(QuorumRole.CANDIDATE);
    }

    @Test
    void lostPreVotesWithoutALeaderEndUnattached() {
        QuorumCore core = prospective(3, log());
        assertThat(core.apply(answer(core, 2, false)).effects()).isEmpty();
        Step<QuorumEffect> step = core.apply(answer(core, 3, false));
        assertThat(step.action()).isEqualTo(SpecAction.HandleVoteResponse);
        assertThat(step.effects())
                .containsExactly(
                        abandon(),
                        role(QuorumRole.UNATTACHED, 3, -1),
                        set(ELECTION),
                        sendFetch(QuorumEffect.ANY_BOOTSTRAP, 3, 0, 0, 0));
    }

    /** Who forgot it could vote a second time in its epoch. */
    @Test
    void lostPreVotesLeaveTheVoteAsItIs() {
        QuorumCore core = started(state(3, 2, -1), log(), Guards.ALL);
        core.apply(new QuorumInput.ElectionTimeout());
        assertThat(core.view().role()).isEqualTo(QuorumRole.PROSPECTIVE);
        core.apply(answer(core, 2, false));
        core.apply(answer(core, 3, false));
        assertThat(core.view().role()).isEqualTo(QuorumRole.UNATTACHED);
        assertThat(core.view().currentEpoch()).isEqualTo(3);
        assertThat(Objects.requireNonNull(core.view().votedKey()).id()).isEqualTo(2);
    }

    @Test
    void lostPreVotesWithALeaderLeadBackToIt() {
        QuorumCore core = follower(3, log(), Guards.ALL);
        core.apply(new QuorumInput.FetchTimeout());
        core.apply(answer(core, 2, false));
        assertThat(core.apply(answer(core, 3, false)).effects())
                .containsExactly(
                        abandon(),
                        role(QuorumRole.FOLLOWER, 3, 2),
                        cancel(ELECTION),
                        set(QuorumTimer.FETCH),
                        sendFetch(2, 3, 0, 0, 0));
    }

    @Test
    void aLostElectionWaitsForTheBackOff() {
        QuorumCore core = candidate(4, log());
        core.apply(answer(core, 2, false));
        Step<QuorumEffect> step = core.apply(answer(core, 3, false));
        assertThat(step.action()).isNull();
        assertThat(step.effects()).containsExactly(abandon(), cancel(ELECTION), set(QuorumTimer.ELECTION_BACKOFF));
        assertThat(core.view().role()).isEqualTo(QuorumRole.CANDIDATE);
    }

    @Test
    void aHigherEpochOrALeaderOfThisOneEndsTheElection() {
        QuorumCore core = candidate(4, log());
        QuorumMessage.Vote asked = asked(core, 2);
        assertThat(core.apply(new QuorumInput.HandleVoteResponse(
                                2,
                                asked,
                                new QuorumMessage.VoteResult(
                                        ErrorCode.FENCED_LEADER_EPOCH, 6, -1, List.of(), false, false)))
                        .effects())
                .containsExactly(
                        persist(6, -1, -1),
                        abandon(),
                        role(QuorumRole.UNATTACHED, 6, -1),
                        sendFetch(QuorumEffect.ANY_BOOTSTRAP, 6, 0, 0, 0));
        core = candidate(4, log());
        assertThat(core.apply(new QuorumInput.HandleVoteResponse(
                                2, asked, new QuorumMessage.VoteResult(ErrorCode.NONE, 4, 3, List.of(), false, false)))
                        .effects())
                .containsExactly(
                        persist(4, 1, 3),
                        abandon(),
                        role(QuorumRole.FOLLOWER, 4, 3),
                        cancel(ELECTION),
                        set(QuorumTimer.FETCH),
                        sendFetch(3, 4, 0, 0, 0));
    }

    @Test
    void anErrorIsNoVoteAndTheVoterIsAskedAgain() {
        QuorumCore core = candidate(4, log());
        Step<QuorumEffect> step = core.apply(new QuorumInput.HandleVoteResponse(
                2,
                asked(core, 2),
                new QuorumMessage.VoteResult(ErrorCode.INVALID_VOTER_KEY, 4, -1, List.of(), true, false)));
        assertThat(step.action()).isNull();
        assertThat(step.effects()).containsExactly(sendFlushed(2, vote(4, 1, 2, 0, 0, false), 0));
        assertThat(core.view().grants()).containsExactly(1);
    }

    @Test
    void answersOfAnotherRoundOrEpochAreIgnored() {
        QuorumCore core = prospective(3, log());
        QuorumInput preVote = answer(core, 2, true);
        core.apply(preVote);
        Step<QuorumEffect> step = core.apply(preVote);
        assertThat(step.action()).isNull();
        assertThat(step.effects()).isEmpty();
        assertThat(core.view().grants()).containsExactly(1);
        assertThat(leader(4, log()).apply(answer(core, 3, true)).effects()).isEmpty();
    }

    @Test
    void aVoteIsNotCountedAsAPreVote() {
        QuorumCore core = prospective(3, log());
        QuorumMessage.Vote asked = asked(core, 2);
        QuorumMessage.Vote real = vote(
                asked.epoch(), 1, 2, asked.lastLog().offset(), asked.lastLog().epoch(), false);
        Step<QuorumEffect> step = core.apply(new QuorumInput.HandleVoteResponse(
                2, real, new QuorumMessage.VoteResult(ErrorCode.NONE, 3, -1, List.of(), true, false)));
        assertThat(step.action()).isNull();
        assertThat(step.effects()).isEmpty();
        assertThat(core.view().role()).isEqualTo(QuorumRole.PROSPECTIVE);
        assertThat(core.view().grants()).containsExactly(1);
    }

    @Test
    void aGrantOfANodeThatIsNoVoterDoesNotCount() {
        QuorumCore core = candidate(4, log());
        assertThat(grant(core, 4).action()).isNull();
        assertThat(core.view().role()).isEqualTo(QuorumRole.CANDIDATE);
    }
}
