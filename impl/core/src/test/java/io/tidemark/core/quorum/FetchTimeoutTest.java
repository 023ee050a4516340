package io.tidemark.core.quorum;

import static io.tidemark.core.quorum.QuorumFixture.*;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.Guards;
import io.tidemark.core.Requires;
import io.tidemark.core.SpecAction;
import io.tidemark.core.Step;
import org.junit.jupiter.api.Test;

class FetchTimeoutTest {
    @Test
    void aFollowerBecomesProspectiveAndKeepsTheKnownLeader() {
        QuorumCore core = follower(3, log(3), Guards.ALL);
        Step<QuorumEffect> step = core.apply(new QuorumInput.FetchTimeout());
        assertThat(step.action()).isEqualTo(SpecAction.FetchTimeout);
        assertThat(step.effects())
                .containsExactly(
                        abandon(),
                        role(QuorumRole.PROSPECTIVE, 3, 2),
                        set(QuorumTimer.ELECTION),
                        send(2, vote(3, 1, 2, 1, 3, true)),
                        send(3, vote(3, 1, 3, 1, 3, true)));
        assertThat(core.view().leaderId()).isEqualTo(2);
    }

    @Test
    void anObserverAsksAnybodyWhoLeads() {
        QuorumCore core = restored(4, voters(1, 2, 3), state(3, -1, 2), log(3), Guards.ALL);
        core.start();
        Step<QuorumEffect> step = core.apply(new QuorumInput.FetchTimeout());
        assertThat(step.action()).isNull();
        assertThat(step.effects())
                .containsExactly(
                        abandon(),
                        set(QuorumTimer.FETCH),
                        new QuorumEffect.Send(
                                QuorumEffect.ANY_BOOTSTRAP, fetchBy(4, 3, 1, 3, 0), Requires.QUORUM_STATE));
    }

    @Test
    void othersIgnoreIt() {
        Step<QuorumEffect> step = leader(3, log()).apply(new QuorumInput.FetchTimeout());
        assertThat(step.action()).isNull();
        assertThat(step.effects()).isEmpty();
    }
}
