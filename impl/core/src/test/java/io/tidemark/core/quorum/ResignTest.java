package io.tidemark.core.quorum;

import static io.tidemark.core.quorum.QuorumFixture.*;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.Guards;
import io.tidemark.core.SpecAction;
import io.tidemark.core.Step;
import java.util.List;
import org.junit.jupiter.api.Test;

class ResignTest {
    @Test
    void theMostCaughtUpVoterIsNamedFirst() {
        QuorumCore core = leader(4, log(2, 2));
        core.apply(fetch(2, 4, 1, 2, 0));
        core.apply(fetch(3, 4, 2, 2, 0));
        Step<QuorumEffect> step = core.apply(new QuorumInput.Resign());
        assertThat(step.action()).isEqualTo(SpecAction.Resign);
        QuorumMessage.EndQuorumEpoch end =
                new QuorumMessage.EndQuorumEpoch(CLUSTER, 4, 1, List.of(key(3), key(2)), endpoints(1));
        assertThat(step.effects())
                .containsExactly(
                        abandon(),
                        role(QuorumRole.RESIGNED, 4, 1),
                        cancel(QuorumTimer.CHECK_QUORUM),
                        set(QuorumTimer.ELECTION),
                        send(2, end),
                        send(3, end));
        assertThat(core.view().voterFetch()).isEmpty();
    }

    @Test
    void onlyALeaderCan() {
        for (QuorumCore core : List.of(follower(4, log(), Guards.ALL), candidate(4, log()), resigned(4, log()))) {
            Step<QuorumEffect> step = core.apply(new QuorumInput.Resign());
            assertThat(step.action()).isNull();
            assertThat(step.effects()).isEmpty();
        }
    }
}
