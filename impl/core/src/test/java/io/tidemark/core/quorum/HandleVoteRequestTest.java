package io.tidemark.core.quorum;

import static io.tidemark.core.quorum.QuorumFixture.*;
import static io.tidemark.core.quorum.QuorumTimer.ELECTION;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.ErrorCode;
import io.tidemark.core.Guard;
import io.tidemark.core.Guards;
import io.tidemark.core.Requires;
import io.tidemark.core.SpecAction;
import io.tidemark.core.Step;
import io.tidemark.core.log.OffsetAndEpoch;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class HandleVoteRequestTest {
    private static boolean granted(Step<QuorumEffect> step) {
        return step.effects().stream()
                .filter(e -> e instanceof QuorumEffect.Reply)
                .map(e -> (QuorumMessage.VoteResult) ((QuorumEffect.Reply) e).response())
                .allMatch(QuorumMessage.VoteResult::granted);
    }

    @Test
    void aVoteInAHigherEpochIsDurableBeforeItIsTold() {
        QuorumCore core = unattached(3, log(2));
        Step<QuorumEffect> step = core.apply(request(vote(4, 2, 1, 1, 2, false)));
        assertThat(step.action()).isEqualTo(SpecAction.HandleVoteRequest);
        assertThat(step.effects())
                .containsExactly(
                        persist(4, 2, -1),
                        abandon(),
                        role(QuorumRole.UNATTACHED, 4, -1),
                        set(ELECTION),
                        replyVote(ErrorCode.NONE, 4, -1, true, false),
                        sendFetch(QuorumEffect.ANY_BOOTSTRAP, 4, 1, 2, 0));
    }

    @Test
    void withoutVoteDurableTheAnswerDoesNotWait() {
        QuorumCore core = started(state(4, -1, -1), log(), Guards.without(Guard.VOTE_DURABLE));
        assertThat(core.apply(request(vote(4, 2, 1, 0, 0, false))).effects())
                .contains(new QuorumEffect.Reply(
                        TOKEN,
                        new QuorumMessage.VoteResult(ErrorCode.NONE, 4, -1, List.of(), true, false),
                        Requires.NOTHING));
    }

    @Test
    void theSameCandidateIsGrantedAgainAndNothingChanges() {
        QuorumCore core = unattached(4, log());
        core.apply(request(vote(4, 2, 1, 0, 0, false)));
        assertThat(core.apply(request(vote(4, 2, 1, 0, 0, false))).effects())
                .containsExactly(replyVote(ErrorCode.NONE, 4, -1, true, false));
    }

    /** The disk was replaced: what that candidate knows of the epoch is not what the first one knew. */
    @Test
    void aVoteForOneDirectoryIsNoneForAnotherOfTheSameId() {
        QuorumCore core = unattached(4, log());
        core.apply(request(vote(4, 2, 1, 0, 0, false)));
        QuorumMessage.Vote wiped = new QuorumMessage.Vote(
                CLUSTER, 4, new ReplicaKey(2, new UUID(8, 2)), key(1), new OffsetAndEpoch(0, 0), false);
        assertThat(core.apply(request(wiped)).effects())
                .containsExactly(replyVote(ErrorCode.NONE, 4, -1, false, false));
        assertThat(core.view().votedKey()).isEqualTo(key(2));
    }

    @Test
    void whoFollowsGrantsNobodyNotEvenWhomItVotedFor() {
        QuorumCore core = started(state(4, 3, 2), log(), Guards.ALL);
        assertThat(core.view().role()).isEqualTo(QuorumRole.FOLLOWER);
        assertThat(core.apply(request(vote(4, 3, 1, 0, 0, false))).effects())
                .containsExactly(replyVote(ErrorCode.NONE, 4, 2, false, false));
    }

    @Test
    void noSecondVoteInAnEpoch() {
        QuorumCore core = unattached(4, log());
        core.apply(request(vote(4, 2, 1, 0, 0, false)));
        Step<QuorumEffect> step = core.apply(request(vote(4, 3, 1, 0, 0, false)));
        assertThat(step.action()).isNull();
        assertThat(step.effects()).containsExactly(replyVote(ErrorCode.NONE, 4, -1, false, false));
        assertThat(core.view().votedKey()).isEqualTo(key(2));
    }

    @Test
    void withoutVoteOnceTheSecondCandidateGetsItToo() {
        QuorumCore core = started(state(4, 2, -1), log(), Guards.without(Guard.VOTE_ONCE));
        assertThat(granted(core.apply(request(vote(4, 3, 1, 0, 0, false))))).isTrue();
        assertThat(core.view().votedKey()).isEqualTo(key(3));
    }

    @Test
    void aVoteRestoredFromDiskBinds() {
        QuorumCore core = started(state(4, 2, -1), log(), Guards.ALL);
        assertThat(granted(core.apply(request(vote(4, 3, 1, 0, 0, false))))).isFalse();
    }

    @Test
    void aShorterLogGetsNoVoteButItsHigherEpochCounts() {
        for (boolean preVote : new boolean[] {true, false}) {
            QuorumCore core = unattached(4, log(2, 3));
            Step<QuorumEffect> step = core.apply(request(vote(5, 2, 1, 9, 2, preVote)));
            assertThat(step.action()).isEqualTo(SpecAction.HandleVoteRequest);
            assertThat(granted(step)).isFalse();
            assertThat(core.view().currentEpoch()).isEqualTo(5);
            assertThat(core.view().votedKey()).isNull();
        }
        QuorumCore core = unattached(4, log(2, 3));
        assertThat(granted(core.apply(request(vote(5, 2, 1, 2, 3, false))))).isTrue();
    }

    @Test
    void withoutVoteUpToDateAShorterLogIsElected() {
        QuorumCore core = started(state(4, -1, -1), log(2, 3), Guards.without(Guard.VOTE_UP_TO_DATE));
        assertThat(granted(core.apply(request(vote(5, 2, 1, 0, 0, false))))).isTrue();
    }

    /** A voter whose disk was wiped is another replica: its vote of before does not bind it, so it must not vote. */
    @Test
    void aRequestThatNamesAnotherDirectoryIsNotForThisReplica() {
        QuorumMessage.Vote vote = new QuorumMessage.Vote(
                CLUSTER, 4, key(2), new ReplicaKey(1, new UUID(9, 9)), new OffsetAndEpoch(0, 0), false);
        Step<QuorumEffect> step = unattached(4, log()).apply(request(vote));
        assertThat(step.action()).isNull();
        assertThat(step.effects()).containsExactly(replyVote(ErrorCode.INVALID_VOTER_KEY, 4, -1, false, false));
        QuorumCore unguarded = started(state(4, -1, -1), log(), Guards.without(Guard.VOTE_KEY));
        assertThat(granted(unguarded.apply(request(vote)))).isTrue();
    }

    @Test
    void aStaticVoterIsNamedByItsIdAlone() {
        QuorumMessage.Vote vote = new QuorumMessage.Vote(
                CLUSTER, 4, key(2), new ReplicaKey(1, ReplicaKey.NO_DIRECTORY), new OffsetAndEpoch(0, 0), false);
        assertThat(granted(unattached(4, log()).apply(request(vote)))).isTrue();
    }

    @Test
    void onlyTheUnattachedAndProspectiveVoteAndOnlyWithoutALeader() {
        QuorumMessage.Vote vote = vote(4, 3, 1, 9, 3, false);
        assertThat(granted(unattached(4, log()).apply(request(vote)))).isTrue();
        assertThat(granted(prospective(4, log()).apply(request(vote)))).isTrue();
        assertThat(granted(candidate(4, log()).apply(request(vote)))).isFalse();
        assertThat(granted(leader(4, log()).apply(request(vote)))).isFalse();
        assertThat(granted(resigned(4, log()).apply(request(vote)))).isFalse();
        assertThat(granted(follower(4, log(), Guards.ALL).apply(request(vote)))).isFalse();
        QuorumCore lostItsLeader = follower(4, log(), Guards.ALL);
        lostItsLeader.apply(new QuorumInput.FetchTimeout());
        assertThat(granted(lostItsLeader.apply(request(vote)))).isFalse();
    }

    @Test
    void aProspectiveThatVotesStaysSoAndWaitsAnew() {
        QuorumCore core = prospective(4, log());
        assertThat(core.apply(request(vote(4, 2, 1, 0, 0, false))).effects())
                .containsExactly(persist(4, 2, -1), set(ELECTION), replyVote(ErrorCode.NONE, 4, -1, true, false));
        assertThat(core.view().role()).isEqualTo(QuorumRole.PROSPECTIVE);
    }

    @Test
    void everybodyButALeaderAndAContentFollowerGrantsPreVotes() {
        QuorumMessage.Vote vote = vote(4, 3, 1, 9, 4, true);
        for (QuorumCore core : List.of(
                unattached(4, log()),
                prospective(4, log()),
                candidate(4, log()),
                resigned(4, log()),
                follower(4, log(), Guards.ALL))) {
            var before = QuorumWorld.variables(core.view());
            Step<QuorumEffect> step = core.apply(request(vote));
            assertThat(granted(step)).isTrue();
            assertThat(step.effects()).hasSize(1);
            assertThat(QuorumWorld.variables(core.view())).isEqualTo(before);
        }
        assertThat(granted(leader(4, log()).apply(request(vote)))).isFalse();
    }

    @Test
    void aFollowerThatHasFetchedGrantsNoPreVote() {
        for (boolean guarded : new boolean[] {true, false}) {
            QuorumCore core = follower(4, log(), guarded ? Guards.ALL : Guards.without(Guard.PRE_VOTE_FETCHED));
            core.apply(fetched(core, ErrorCode.NONE, 4, 2, 0));
            assertThat(granted(core.apply(request(vote(4, 3, 1, 9, 4, true))))).isEqualTo(!guarded);
        }
    }

    @Test
    void badRequestsAreRefusedAndChangeNothing() {
        QuorumMessage.Vote good = vote(4, 2, 1, 0, 0, false);
        refused(
                new QuorumMessage.Vote("other", 9, key(2), key(1), good.lastLog(), false),
                ErrorCode.INCONSISTENT_CLUSTER_ID);
        refused(vote(3, 2, 1, 0, 0, false), ErrorCode.FENCED_LEADER_EPOCH);
        refused(vote(9, -1, 1, 0, 0, false), ErrorCode.INVALID_REQUEST);
        refused(vote(9, 1, 1, 0, 0, false), ErrorCode.INVALID_REQUEST);
        refused(vote(9, 2, 1, 5, 9, false), ErrorCode.INVALID_REQUEST);
        refused(vote(9, 2, 1, 5, 10, true), ErrorCode.INVALID_REQUEST);
        refused(vote(9, 2, 1, -1, 0, false), ErrorCode.INVALID_REQUEST);
    }

    private static void refused(QuorumMessage.Vote vote, ErrorCode error) {
        QuorumCore core = unattached(4, log());
        Step<QuorumEffect> step = core.apply(request(vote));
        assertThat(step.action()).isNull();
        assertThat(step.effects())
                .as("it tells the own epoch, so that must be durable")
                .containsExactly(replyVote(error, 4, -1, false, vote.preVote()));
        assertThat(core.view().currentEpoch()).isEqualTo(4);
    }

    @Test
    void aLeaderSteppingDownForAHigherEpochDropsItsTimers() {
        QuorumCore core = leader(4, log());
        assertThat(core.apply(request(vote(5, 2, 1, 9, 4, false))).effects())
                .containsExactly(
                        persist(5, 2, -1),
                        abandon(),
                        role(QuorumRole.UNATTACHED, 5, -1),
                        cancel(QuorumTimer.CHECK_QUORUM),
                        set(ELECTION),
                        set(ELECTION),
                        replyVote(ErrorCode.NONE, 5, -1, true, false),
                        sendFetch(QuorumEffect.ANY_BOOTSTRAP, 5, 1, 4, 0));
    }
}
