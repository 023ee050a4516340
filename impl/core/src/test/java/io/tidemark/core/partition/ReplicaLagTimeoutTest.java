package io.tidemark.core.partition;

import static io.tidemark.core.SpecAction.ReplicaLagTimeout;
import static io.tidemark.core.partition.Fixture.asking;
import static io.tidemark.core.partition.Fixture.granted;
import static io.tidemark.core.partition.Fixture.hw;
import static io.tidemark.core.partition.Fixture.lag;
import static io.tidemark.core.partition.Fixture.member;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.Guard;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReplicaLagTimeoutTest {
    private final Fixture leader = Fixture.replica().leads(1, 2, 3).writes(2);

    @Test
    void asksForAnIsrWithoutThem() {
        leader.fetches(2, 2);
        AlterPartitionAsked asked = asking(1, member(1, 101), member(2, 102));
        assertThat(leader.takes(ReplicaLagTimeout, lag(3)))
                .containsExactly(new PartitionEffect.SendAlterPartition(asked));
        assertThat(leader.view.isrState()).isEqualTo(new IsrState.PendingShrink(List.of(1, 2, 3), List.of(3), asked));
    }

    @Test
    void aMemberThatNeverFetchedHasNoBrokerEpoch() {
        assertThat(leader.takes(ReplicaLagTimeout, lag(3)))
                .containsExactly(new PartitionEffect.SendAlterPartition(asking(1, member(1, 101), member(2, -1))));
    }

    @Test
    void untilTheMetadataLogSaysSoTheyCount() {
        leader.fetches(2, 2);
        leader.step(lag(3));
        leader.fetches(2, 2);
        assertThat(leader.view.hw()).isZero();
        assertThat(leader.step(leader.answered(Fixture.granted(1, 2, 1, 2))).effects())
                .containsExactly(
                        new PartitionEffect.AbandonAlterPartition(), new PartitionEffect.IsrChanged(List.of(1, 2)));
        assertThat(leader.apply(1, 1, 2, 1, 2)).containsExactly(hw(2));
    }

    @Test
    void withoutHwMaximalIsrTheyDoNotCount() {
        Fixture blind = Fixture.without(Guard.HW_MAXIMAL_ISR).leads(1, 2, 3).writes(2);
        blind.step(lag(3));
        blind.fetches(2, 2);
        assertThat(blind.view.hw())
                .as("though the controller may still elect broker 3")
                .isEqualTo(2);
    }

    @Test
    void refusedForWhoHasCaughtUpMeanwhile() {
        leader.fetches(3, 2);
        assertThat(leader.refuses(lag(3))).isEmpty();
    }

    @Test
    void refusedWhilePendingForStrangersAndByFollowers() {
        assertThat(leader.refuses(lag(9))).isEmpty();
        assertThat(leader.refuses(lag(1))).as("itself").isEmpty();
        leader.step(lag(3));
        assertThat(leader.refuses(lag(2))).isEmpty();
        assertThat(Fixture.replica().follows(1).refuses(lag(3))).isEmpty();
    }

    @Test
    void theHwWaitsNoLongerForOneOutsideTheIsr() {
        Fixture leader = Fixture.replica().leads(1, 2).writes(1);
        leader.fetches(3, 0);
        leader.writes(1).fetches(2, 2);
        leader.fetches(3, 1);
        leader.writes(2).fetches(2, 4);
        assertThat(leader.view.hw()).isEqualTo(2);
        assertThat(leader.takes(ReplicaLagTimeout, lag(3))).containsExactly(hw(4));
        assertThat(leader.refuses(lag(3))).isEmpty();
    }

    @Test
    void theHwWaitsNoLongerForOneThatLeftTheIsrForItsLag() {
        Fixture leader = Fixture.replica().leads(1, 2, 3).writes(1);
        leader.fetches(2, 1);
        leader.fetches(3, 1);
        leader.writes(1).fetches(2, 2);
        leader.step(lag(3));
        assertThat(leader.view.hw()).isEqualTo(1);
        leader.step(leader.answered(granted(1, 2, 1, 2)));
        leader.apply(1, 1, 2, 1, 2);
        assertThat(leader.view.hw()).as("3 was caught up once, and lags").isEqualTo(2);
    }

    @Test
    void itIsToldWhileAnotherChangeIsPending() {
        leader.fetches(2, 2);
        leader.fetches(3, 2);
        leader.writes(1).fetches(2, 3);
        leader.step(lag(3));
        leader.writes(1);
        assertThat(leader.takes(ReplicaLagTimeout, lag(2)))
                .as("no effect but that it no longer counts as caught up")
                .isEmpty();
        assertThat(leader.refuses(lag(2))).isEmpty();
    }
}
