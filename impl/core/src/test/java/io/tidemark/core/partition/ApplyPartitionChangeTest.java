package io.tidemark.core.partition;

import static io.tidemark.core.SpecAction.ApplyPartitionChange;
import static io.tidemark.core.metadata.LeaderRecovery.RECOVERED;
import static io.tidemark.core.partition.Fixture.ALL;
import static io.tidemark.core.partition.Fixture.T;
import static io.tidemark.core.partition.Fixture.acked;
import static io.tidemark.core.partition.Fixture.ask;
import static io.tidemark.core.partition.Fixture.batch;
import static io.tidemark.core.partition.Fixture.epochs;
import static io.tidemark.core.partition.Fixture.failed;
import static io.tidemark.core.partition.Fixture.hw;
import static io.tidemark.core.partition.Fixture.lag;
import static io.tidemark.core.partition.Fixture.log;
import static io.tidemark.core.partition.Fixture.produce;
import static io.tidemark.core.partition.Fixture.registration;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.ErrorCode;
import io.tidemark.core.Guard;
import io.tidemark.core.Guards;
import io.tidemark.core.log.EpochStart;
import io.tidemark.core.log.LogState;
import io.tidemark.core.metadata.PartitionRegistration;
import java.util.List;
import org.junit.jupiter.api.Test;

class ApplyPartitionChangeTest {
    private static PartitionEffect role(PartitionRole role, int leader, int leaderEpoch) {
        return new PartitionEffect.RoleChanged(role, leader, leaderEpoch);
    }

    @Test
    void noneToLeader() {
        Fixture replica = Fixture.with(Guards.ALL, log(1, 1, 1));
        assertThat(replica.apply(1, 3, 4, 1, 2, 3))
                .containsExactly(epochs(new EpochStart(1, 0), new EpochStart(3, 2)), role(PartitionRole.LEADER, 1, 3));
        assertThat(replica.view.epochStart()).isEqualTo(2);
        assertThat(replica.view.hw()).as("as it was").isEqualTo(1);
        assertThat(replica.view.follower().values())
                .containsExactly(new FollowerProgress(-1, -1, false, -1), new FollowerProgress(-1, -1, false, -1));
        assertThat(replica.view.isrState()).isEqualTo(new IsrState.Committed(List.of(1, 2, 3)));
    }

    @Test
    void aLeaderAloneInTheIsrMovesTheHwAtOnce() {
        Fixture replica = Fixture.with(Guards.ALL, log(1, 1, 1));
        replica.applyMinIsr(1);
        assertThat(replica.apply(1, 3, 4, 1)).endsWith(role(PartitionRole.LEADER, 1, 3), hw(2));
    }

    @Test
    void noneToFollower() {
        Fixture replica = Fixture.with(Guards.ALL, log(1, 1, 1));
        assertThat(replica.apply(2, 3, 4, 1, 2, 3))
                .containsExactly(role(PartitionRole.FOLLOWER, 2, 3), ask(new FetchAsked(2, 3, 2, 1, 0)));
        assertThat(replica.view.epochStart()).isEqualTo(-1);
    }

    @Test
    void noneToNone() {
        Fixture replica = Fixture.replica();
        assertThat(replica.apply(-1, 3, 4, 1)).containsExactly(role(PartitionRole.NONE, -1, 3));
    }

    @Test
    void followerToFollowerOfAnotherLeader() {
        Fixture replica = Fixture.replica().follows(1);
        assertThat(replica.apply(3, 2, 2, 1, 2, 3))
                .containsExactly(
                        new PartitionEffect.AbandonFetch(),
                        role(PartitionRole.FOLLOWER, 3, 2),
                        ask(new FetchAsked(3, 2, 0, -1, 0)));
    }

    @Test
    void withoutApplyDropsFetchAnAnswerOfTheOldLeaderIsAppended() {
        Fixture replica = Fixture.without(Guard.APPLY_DROPS_FETCH).follows(1);
        assertThat(replica.apply(3, 2, 2, 1, 2, 3)).containsExactly(role(PartitionRole.FOLLOWER, 3, 2));
        replica.step(replica.answer(1, 1));
        assertThat(replica.view.hw()).isEqualTo(1);
    }

    @Test
    void followerToLeader() {
        Fixture replica = Fixture.replica().follows(1);
        assertThat(replica.apply(1, 2, 2, 1, 2, 3))
                .containsExactly(
                        new PartitionEffect.AbandonFetch(),
                        epochs(new EpochStart(2, 0)),
                        role(PartitionRole.LEADER, 1, 2));
        assertThat(replica.view.asked()).isNull();
    }

    @Test
    void followerToNone() {
        Fixture replica = Fixture.replica().follows(1);
        assertThat(replica.apply(-1, 2, 2, 1))
                .containsExactly(new PartitionEffect.AbandonFetch(), role(PartitionRole.NONE, -1, 2));
    }

    @Test
    void leaderToFollowerFailsWhatWaitsAndDropsThePendingChange() {
        Fixture replica = Fixture.replica().leads(1, 2, 3);
        replica.step(produce(ALL, batch(1)));
        replica.step(lag(3));
        assertThat(replica.apply(2, 2, 2, 1, 2, 3))
                .containsExactly(
                        new PartitionEffect.AbandonAlterPartition(),
                        failed(T, ErrorCode.NOT_LEADER_OR_FOLLOWER),
                        role(PartitionRole.FOLLOWER, 2, 2),
                        ask(new FetchAsked(2, 2, 1, 1, 0)));
        assertThat(replica.view.isrState()).isNull();
    }

    @Test
    void anEpochInWhichItWroteNothingIsForgotten() {
        Fixture replica = Fixture.with(Guards.ALL, log(1, 1, 1));
        replica.apply(1, 3, 3, 1, 2, 3);
        assertThat(replica.apply(2, 4, 4, 1, 2, 3))
                .contains(epochs(new EpochStart(1, 0)), ask(new FetchAsked(2, 4, 2, 1, 0)));
        replica.step(replica.answer(2, 1));
        assertThat(replica.view.epochAt(2))
                .as("the new leader has a record of the epoch before")
                .isEqualTo(1);
    }

    @Test
    void leaderToLeaderKeepsWhatWaits() {
        Fixture replica = Fixture.replica().leads(1, 2, 3);
        replica.step(produce(ALL, batch(1)));
        replica.fetches(2, 1);
        replica.step(lag(3));
        assertThat(replica.apply(1, 2, 2, 1, 2, 3))
                .containsExactly(
                        new PartitionEffect.AbandonAlterPartition(),
                        epochs(new EpochStart(1, 0), new EpochStart(2, 1)),
                        role(PartitionRole.LEADER, 1, 2));
        assertThat(replica.view.follower()).as("asked anew").containsEntry(2, new FollowerProgress(-1, -1, false, -1));
        replica.step(Fixture.fetch(2, 102, 2, 1, 1));
        assertThat(replica.step(Fixture.fetch(3, 103, 2, 1, 1)).effects()).contains(hw(1), acked(T, 0));
    }

    @Test
    void leaderToNone() {
        Fixture replica = Fixture.replica().leads(1, 2, 3);
        assertThat(replica.apply(-1, 2, 2, 1)).contains(role(PartitionRole.NONE, -1, 2));
        assertThat(replica.view.role()).isEqualTo(PartitionRole.NONE);
    }

    @Test
    void noLongerAssigned() {
        Fixture replica = Fixture.replica().follows(1);
        var without = registration(2, 2, 2, 2, 3);
        var moved = new io.tidemark.core.metadata.PartitionRegistration(
                List.of(2, 3),
                List.of(),
                without.isr(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                2,
                without.recovery(),
                2,
                2);
        assertThat(replica.takes(ApplyPartitionChange, new PartitionInput.ApplyPartitionChange(99, moved)))
                .containsExactly(new PartitionEffect.AbandonFetch(), role(PartitionRole.NONE, 2, 2));
    }

    @Test
    void theSameLeaderEpochCommitsTheIsrAndOvertakesThePendingChange() {
        Fixture leader = Fixture.replica().leads(1, 2, 3);
        leader.step(produce(ALL, batch(1)));
        leader.fetches(2, 1);
        leader.step(lag(3));
        assertThat(leader.apply(1, 1, 2, 1, 2))
                .containsExactly(
                        new PartitionEffect.AbandonAlterPartition(),
                        new PartitionEffect.IsrChanged(List.of(1, 2)),
                        hw(1),
                        acked(T, 0));
        assertThat(leader.view.isrState()).isEqualTo(new IsrState.Committed(List.of(1, 2)));
        assertThat(leader.view.follower()).containsEntry(2, new FollowerProgress(1, 102, true, 1));
    }

    @Test
    void theRecordOfAnAnswerThatWasFasterChangesNothingMore() {
        Fixture leader = Fixture.replica().leads(1, 2, 3).writes(1);
        leader.step(lag(3));
        leader.step(leader.answered(Fixture.granted(1, 2, 1, 2)));
        assertThat(leader.apply(1, 1, 2, 1, 2)).isEmpty();
    }

    @Test
    void theRecordOfAnAnswerThatWasFasterBringsTheElr() {
        Fixture leader = Fixture.replica().leads(1, 2, 3).writes(1);
        leader.step(lag(2, 3));
        leader.step(leader.answered(Fixture.granted(1, 2, 1)));
        PartitionRegistration record = registration(1, 1, 2, 1).withIsr(List.of(1), List.of(2, 3), RECOVERED, 2);
        leader.takes(ApplyPartitionChange, new PartitionInput.ApplyPartitionChange(99, record));
        assertThat(leader.view.part()).isEqualTo(record);
    }

    /** The change may have been made already: if it were dropped, the high watermark would pass a member of the ISR. */
    @Test
    void thatRecordLeavesAChangeDecidedOnTheAnswerPending() {
        for (Guards guards : List.of(Guards.ALL, Guards.without(Guard.APPLY_OLDER))) {
            Fixture leader = Fixture.with(guards, log(0)).leads(1, 2, 3).writes(1);
            leader.step(lag(3));
            leader.step(leader.answered(Fixture.granted(1, 2, 1, 2)));
            leader.fetches(3, 0);
            leader.step(new PartitionInput.ProposeExpandIsr(3, 103, 0));
            IsrState pending = leader.view.isrState();
            leader.apply(1, 1, 2, 1, 2);
            leader.writes(1).fetches(2, 2);
            leader.fetches(3, 0);
            leader.fetches(3, 0);
            if (guards == Guards.ALL) {
                assertThat(leader.view.isrState()).isEqualTo(pending).isInstanceOf(IsrState.PendingExpand.class);
                assertThat(leader.view.hw()).isZero();
            } else {
                assertThat(leader.view.hw()).as("broker 3 may be in the ISR").isEqualTo(2);
            }
        }
    }

    @Test
    void aFollowerKeepsItsFetchInTheSameEpoch() {
        Fixture follower = Fixture.replica().follows(1);
        FetchAsked asked = follower.view.asked();
        assertThat(follower.apply(2, 1, 2, 2)).isEmpty();
        assertThat(follower.view.asked()).isEqualTo(asked);
    }

    @Test
    void anOlderPartitionEpochIsIgnored() {
        Fixture leader = Fixture.replica().leads(1, 2, 3).writes(1);
        leader.step(lag(3));
        leader.step(leader.answered(Fixture.granted(1, 3, 1, 2)));
        assertThat(leader.apply(1, 1, 2, 1, 2, 3)).isEmpty();
        assertThat(leader.view.isrState()).isEqualTo(new IsrState.Committed(List.of(1, 2)));
        assertThat(leader.view.part().partitionEpoch()).isEqualTo(3);
    }

    @Test
    void withoutApplyOlderAnOldIsrComesBack() {
        PartitionCore core =
                new PartitionCore(new PartitionConfig(1, Guards.without(Guard.APPLY_OLDER)), LogState.empty());
        core.apply(new PartitionInput.ApplyPartitionChange(1, registration(1, 1, 3, 1, 2)));
        core.apply(new PartitionInput.ApplyPartitionChange(2, registration(1, 1, 2, 1)));
        assertThat(core.view().isrState()).isEqualTo(new IsrState.Committed(List.of(1)));
        assertThat(new PartitionInvariants().check(core.view())).isEmpty();
    }

    @Test
    void whatWasAppliedIsRefused() {
        Fixture leader = Fixture.replica().leads(1, 2, 3);
        assertThat(leader.refuses(new PartitionInput.ApplyPartitionChange(3, registration(2, 7, 7, 2))))
                .isEmpty();
        assertThat(leader.refuses(new PartitionInput.ApplyBrokerChange(3, 2, 7, false)))
                .isEmpty();
        assertThat(leader.refuses(new PartitionInput.ApplyMinIsrChange(3, 1))).isEmpty();
    }

    /** Its records must come from epochs before: nothing is cut, nothing is served, and a later leader mends it. */
    @Test
    void aLogWithAnEpochAboveDoesNotLead() {
        Fixture replica = Fixture.with(Guards.ALL, Fixture.log(1, 1, 40));
        assertThat(replica.apply(1, 2, 2, 1, 2, 3))
                .containsExactly(
                        new PartitionEffect.LeadershipRefused(2, 40),
                        new PartitionEffect.RoleChanged(PartitionRole.NONE, 1, 2));
        assertThat(replica.view.logEnd()).isEqualTo(2);
        assertThat(replica.view.epochAt(1)).isEqualTo(40);
        replica.apply(2, 3, 3, 1, 2, 3);
        assertThat(replica.view.role()).isEqualTo(PartitionRole.FOLLOWER);
        assertThat(replica.view.asked()).isEqualTo(new FetchAsked(2, 3, 2, 40, 0));
    }
}
