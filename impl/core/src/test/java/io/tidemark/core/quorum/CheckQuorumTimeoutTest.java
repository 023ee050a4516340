package io.tidemark.core.quorum;

import static io.tidemark.core.quorum.QuorumFixture.*;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.Guard;
import io.tidemark.core.Guards;
import io.tidemark.core.SpecAction;
import io.tidemark.core.Step;
import java.util.List;
import org.junit.jupiter.api.Test;

class CheckQuorumTimeoutTest {
    private static final QuorumInput TIMEOUT = new QuorumInput.CheckQuorumTimeout();

    @Test
    void aLeaderThatNobodyFetchesFromResigns() {
        QuorumCore core = leader(4, log());
        Step<QuorumEffect> step = core.apply(TIMEOUT);
        assertThat(step.action()).isEqualTo(SpecAction.CheckQuorumTimeout);
        QuorumMessage.EndQuorumEpoch end =
                new QuorumMessage.EndQuorumEpoch(CLUSTER, 4, 1, List.of(key(2), key(3)), endpoints(1));
        assertThat(step.effects())
                .containsExactly(
                        abandon(),
                        role(QuorumRole.RESIGNED, 4, 1),
                        set(QuorumTimer.ELECTION),
                        send(2, end),
                        send(3, end));
    }

    @Test
    void withoutCheckQuorumItStays() {
        QuorumCore core = leader(4, log(), Guards.without(Guard.CHECK_QUORUM));
        Step<QuorumEffect> step = core.apply(TIMEOUT);
        assertThat(step.action()).isNull();
        assertThat(step.effects()).containsExactly(set(QuorumTimer.CHECK_QUORUM));
        assertThat(core.view().role()).isEqualTo(QuorumRole.LEADER);
    }

    @Test
    void othersIgnoreIt() {
        assertThat(follower(4, log(), Guards.ALL).apply(TIMEOUT).effects()).isEmpty();
        assertThat(resigned(4, log()).apply(TIMEOUT).action()).isNull();
    }
}
