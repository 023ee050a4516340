package io.tidemark.core.quorum;

import static io.tidemark.core.quorum.QuorumFixture.*;
import static io.tidemark.core.quorum.QuorumTimer.ELECTION;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.ErrorCode;
import io.tidemark.core.Guards;
import io.tidemark.core.Requires;
import io.tidemark.core.SpecAction;
import io.tidemark.core.Step;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class HandleBeginQuorumEpochTest {
    private static QuorumEffect reply(ErrorCode error, int epoch, int leader) {
        return new QuorumEffect.Reply(
                TOKEN,
                new QuorumMessage.BeginQuorumEpochResult(
                        error, epoch, leader, leader < 0 ? List.of() : endpoints(leader)),
                Requires.QUORUM_STATE);
    }

    @Test
    void theLeaderOfAHigherEpochIsFollowed() {
        QuorumCore core = unattached(3, log(2));
        Step<QuorumEffect> step = core.apply(begin(5, 2));
        assertThat(step.action()).isEqualTo(SpecAction.HandleBeginQuorumEpoch);
        assertThat(step.effects())
                .containsExactly(
                        persist(5, -1, 2),
                        abandon(),
                        role(QuorumRole.FOLLOWER, 5, 2),
                        cancel(ELECTION),
                        set(QuorumTimer.FETCH),
                        reply(ErrorCode.NONE, 5, 2),
                        sendFetch(2, 5, 1, 2, 0));
    }

    @Test
    void theLeaderOfTheOwnEpochIsFollowedAndTheVoteKept() {
        QuorumCore core = unattached(4, log());
        core.apply(request(vote(4, 2, 1, 0, 0, false)));
        assertThat(core.apply(begin(4, 2)).effects()).contains(persist(4, 2, 2), role(QuorumRole.FOLLOWER, 4, 2));
    }

    @Test
    void repeatedItIsAnsweredAndChangesNothing() {
        QuorumCore core = follower(4, log(), Guards.ALL);
        assertThat(core.apply(begin(4, 2)).effects()).containsExactly(reply(ErrorCode.NONE, 4, 2));
    }

    @Test
    void staleForeignOrContradictingAnnouncementsAreRefused() {
        QuorumCore core = follower(4, log(), Guards.ALL);
        assertThat(core.apply(begin(3, 3)).effects()).containsExactly(reply(ErrorCode.FENCED_LEADER_EPOCH, 4, 2));
        assertThat(core.apply(begin(4, 3)).effects()).containsExactly(reply(ErrorCode.INVALID_REQUEST, 4, 2));
        assertThat(core.apply(begin(9, 1)).effects()).containsExactly(reply(ErrorCode.INVALID_REQUEST, 4, 2));
        Step<QuorumEffect> step = core.apply(new QuorumInput.HandleBeginQuorumEpoch(
                new QuorumMessage.BeginQuorumEpoch("other", 9, 3, key(1), endpoints(3)), TOKEN));
        assertThat(step.action()).isNull();
        assertThat(step.effects()).containsExactly(reply(ErrorCode.INCONSISTENT_CLUSTER_ID, 4, 2));
        assertThat(core.view().currentEpoch()).isEqualTo(4);
    }

    @Test
    void anotherDirectoryIsToldSoButTheLeaderIsLearnt() {
        QuorumCore core = unattached(4, log());
        Step<QuorumEffect> step = core.apply(new QuorumInput.HandleBeginQuorumEpoch(
                new QuorumMessage.BeginQuorumEpoch(CLUSTER, 5, 3, new ReplicaKey(1, new UUID(9, 9)), endpoints(3)),
                TOKEN));
        assertThat(step.effects()).contains(reply(ErrorCode.INVALID_VOTER_KEY, 5, 3));
        assertThat(core.view().leaderId()).isEqualTo(3);
    }

    /** Without an endpoint it cannot be followed; the epoch has a leader all the same, so there is no vote in it. */
    @Test
    void aLeaderThatCannotBeReachedLeavesTheReplicaUnattached() {
        QuorumCore core = unattached(4, log());
        Step<QuorumEffect> step = core.apply(new QuorumInput.HandleBeginQuorumEpoch(
                new QuorumMessage.BeginQuorumEpoch(CLUSTER, 5, 9, key(1), List.of()), TOKEN));
        assertThat(step.effects())
                .startsWith(
                        persist(5, -1, 9),
                        abandon(),
                        new QuorumEffect.RoleChanged(QuorumRole.UNATTACHED, 5, 9, List.of()));
        core.apply(request(vote(5, 3, 1, 9, 4, false)));
        assertThat(core.view().votedKey()).isNull();
    }

    @Test
    void endpointsThatTheRequestLacksComeFromTheVoters() {
        QuorumCore core = unattached(4, log());
        core.apply(new QuorumInput.HandleBeginQuorumEpoch(
                new QuorumMessage.BeginQuorumEpoch(CLUSTER, 5, 3, key(1), List.of()), TOKEN));
        assertThat(core.view().role()).isEqualTo(QuorumRole.FOLLOWER);
        assertThat(core.view().leaderEndpoints()).isEqualTo(endpoints(3));
    }
}
