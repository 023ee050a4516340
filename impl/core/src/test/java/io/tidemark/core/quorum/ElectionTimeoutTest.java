package io.tidemark.core.quorum;

import static io.tidemark.core.quorum.QuorumFixture.*;
import static io.tidemark.core.quorum.QuorumTimer.ELECTION;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.Guards;
import io.tidemark.core.SpecAction;
import io.tidemark.core.Step;
import org.junit.jupiter.api.Test;

class ElectionTimeoutTest {
    private static final QuorumInput TIMEOUT = new QuorumInput.ElectionTimeout();

    @Test
    void anUnattachedVoterAsksForPreVotesInItsEpoch() {
        QuorumCore core = unattached(3, log(2, 2));
        Step<QuorumEffect> step = core.apply(TIMEOUT);
        assertThat(step.action()).isEqualTo(SpecAction.ElectionTimeout);
        assertThat(step.effects())
                .containsExactly(
                        abandon(),
                        role(QuorumRole.PROSPECTIVE, 3, -1),
                        set(ELECTION),
                        send(2, vote(3, 1, 2, 2, 2, true)),
                        send(3, vote(3, 1, 3, 2, 2, true)));
        assertThat(core.view().grants()).containsExactly(1);
    }

    @Test
    void aProspectiveWithoutALeaderBeginsAnotherRound() {
        QuorumCore core = prospective(3, log());
        assertThat(core.apply(TIMEOUT).effects())
                .containsExactly(
                        abandon(),
                        role(QuorumRole.PROSPECTIVE, 3, -1),
                        set(ELECTION),
                        send(2, vote(3, 1, 2, 0, 0, true)),
                        send(3, vote(3, 1, 3, 0, 0, true)));
    }

    @Test
    void aProspectiveThatKnowsALeaderFollowsItAgain() {
        QuorumCore core = follower(3, log(3), Guards.ALL);
        core.apply(new QuorumInput.FetchTimeout());
        Step<QuorumEffect> step = core.apply(TIMEOUT);
        assertThat(step.action()).isEqualTo(SpecAction.ElectionTimeout);
        assertThat(step.effects())
                .containsExactly(
                        abandon(), role(QuorumRole.FOLLOWER, 3, 2), set(QuorumTimer.FETCH), sendFetch(2, 3, 1, 3, 0));
    }

    @Test
    void aCandidateFallsBackToPreVotesInTheSameEpoch() {
        QuorumCore core = candidate(4, log(2));
        assertThat(core.apply(TIMEOUT).effects())
                .containsExactly(
                        abandon(),
                        role(QuorumRole.PROSPECTIVE, 4, -1),
                        set(ELECTION),
                        send(2, vote(4, 1, 2, 1, 2, true)),
                        send(3, vote(4, 1, 3, 1, 2, true)));
        assertThat(core.view().votedKey()).isEqualTo(key(1));
    }

    @Test
    void aResignedLeaderLeavesItsEpochAndThenStands() {
        QuorumCore core = resigned(4, log());
        Step<QuorumEffect> step = core.apply(TIMEOUT);
        assertThat(step.action()).isEqualTo(SpecAction.ElectionTimeout);
        assertThat(step.effects())
                .containsExactly(
                        persist(5, -1, -1),
                        abandon(),
                        role(QuorumRole.UNATTACHED, 5, -1),
                        set(ELECTION),
                        new QuorumEffect.Self(new QuorumInput.ElectionTimeout()),
                        sendFetch(QuorumEffect.ANY_BOOTSTRAP, 5, 1, 4, 0));
        assertThat(core.apply(TIMEOUT).effects()).contains(role(QuorumRole.PROSPECTIVE, 5, -1));
    }

    @Test
    void leadersObserversAndContentFollowersIgnoreIt() {
        for (QuorumCore core : new QuorumCore[] {
            leader(2, log()),
            follower(2, log(), Guards.ALL),
            restored(4, voters(1, 2, 3), state(2, -1, -1), log(), Guards.ALL)
        }) {
            var before = QuorumWorld.variables(core.view());
            Step<QuorumEffect> step = core.apply(TIMEOUT);
            assertThat(step.action()).isNull();
            assertThat(step.effects()).isEmpty();
            assertThat(QuorumWorld.variables(core.view())).isEqualTo(before);
        }
    }

    /** The leader said that it goes: the spec's FetchTimeout, only sooner. */
    @Test
    void aFollowerToldOfTheEndTakesItAsAFetchTimeout() {
        QuorumCore core = follower(2, log(), Guards.ALL);
        core.apply(end(2, 2, 1, 3));
        Step<QuorumEffect> step = core.apply(TIMEOUT);
        assertThat(step.action()).isNull();
        assertThat(step.effects()).containsExactly(new QuorumEffect.Self(new QuorumInput.FetchTimeout()));
    }
}
