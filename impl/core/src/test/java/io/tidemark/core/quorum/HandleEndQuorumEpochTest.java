package io.tidemark.core.quorum;

import static io.tidemark.core.quorum.QuorumFixture.*;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.ErrorCode;
import io.tidemark.core.Guards;
import io.tidemark.core.Requires;
import io.tidemark.core.SpecAction;
import io.tidemark.core.Step;
import org.junit.jupiter.api.Test;

class HandleEndQuorumEpochTest {
    private static QuorumEffect reply(ErrorCode error, int epoch, int leader) {
        return new QuorumEffect.Reply(
                TOKEN,
                new QuorumMessage.EndQuorumEpochResult(error, epoch, leader, endpoints(leader)),
                Requires.QUORUM_STATE);
    }

    @Test
    void aFollowerStandsSoonByItsRank() {
        QuorumCore core = follower(4, log(), Guards.ALL);
        Step<QuorumEffect> step = core.apply(end(4, 2, 3, 1));
        assertThat(step.action()).isEqualTo(SpecAction.HandleEndQuorumEpoch);
        assertThat(step.effects()).containsExactly(new QuorumEffect.SetElectionSoon(1), reply(ErrorCode.NONE, 4, 2));
    }

    @Test
    void oneThatIsNotNamedComesLastAndAnEmptyListPutsAllFirst() {
        QuorumCore core = follower(4, log(), Guards.ALL);
        assertThat(core.apply(end(4, 2, 3)).effects()).contains(new QuorumEffect.SetElectionSoon(1));
        assertThat(core.apply(end(4, 2)).effects()).contains(new QuorumEffect.SetElectionSoon(0));
    }

    @Test
    void aLeaderThatAnswersAgainCallsItOff() {
        QuorumCore core = follower(4, log(), Guards.ALL);
        core.apply(end(4, 2, 1));
        assertThat(core.apply(fetched(core, ErrorCode.NONE, 4, 2, 0)).effects())
                .containsExactly(cancel(QuorumTimer.ELECTION_SOON), set(QuorumTimer.FETCH), sendFetch(2, 4, 0, 0, 0));
    }

    @Test
    void theEndOfAnotherEpochIsNotThisOnes() {
        QuorumCore core = follower(4, log(), Guards.ALL);
        assertThat(core.apply(end(3, 3, 1)).effects()).containsExactly(reply(ErrorCode.FENCED_LEADER_EPOCH, 4, 2));
        assertThat(core.apply(end(4, 3, 1)).effects()).containsExactly(reply(ErrorCode.INVALID_REQUEST, 4, 2));
    }
}
