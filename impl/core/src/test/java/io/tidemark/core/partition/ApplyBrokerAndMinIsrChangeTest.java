package io.tidemark.core.partition;

import static io.tidemark.core.partition.Fixture.ALL;
import static io.tidemark.core.partition.Fixture.T;
import static io.tidemark.core.partition.Fixture.acked;
import static io.tidemark.core.partition.Fixture.batch;
import static io.tidemark.core.partition.Fixture.hw;
import static io.tidemark.core.partition.Fixture.produce;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.Guard;
import org.junit.jupiter.api.Test;

class ApplyBrokerAndMinIsrChangeTest {
    @Test
    void registrationsAreRemembered() {
        Fixture replica = Fixture.replica();
        assertThat(replica.view.brokerEpoch()).isEqualTo(101);
        assertThat(replica.applyBroker(2, 205, false)).isEmpty();
        assertThat(replica.view.reg()).containsEntry(2, new KnownBroker(205, false));
        replica.applyBroker(2, -1, false);
        assertThat(replica.view.reg()).doesNotContainKey(2);
    }

    @Test
    void theHwNoLongerWaitsForAFencedJoiner() {
        Fixture leader = Fixture.replica().leads(1, 2).writes(1);
        leader.fetches(3, 0);
        leader.writes(1).fetches(2, 2);
        leader.fetches(3, 1);
        leader.writes(2).fetches(2, 4);
        assertThat(leader.view.hw()).isEqualTo(2);
        assertThat(leader.applyBroker(3, 103, false)).containsExactly(hw(4));
    }

    @Test
    void aNewIncarnationMustFetchBeforeTheHwWaitsForIt() {
        Fixture leader = Fixture.replica().leads(1, 2).writes(1);
        leader.fetches(3, 1);
        leader.writes(1).fetches(2, 2);
        assertThat(leader.view.hw()).isEqualTo(1);
        assertThat(leader.applyBroker(3, 303, true)).containsExactly(hw(2));
    }

    @Test
    void aRaisedMinIsrFreezesTheHwAndALoweredOneReleasesIt() {
        Fixture leader = Fixture.replica().leads(1, 2);
        leader.step(produce(ALL, batch(1)));
        assertThat(leader.applyMinIsr(3)).isEmpty();
        leader.fetches(2, 1);
        assertThat(leader.view.hw()).isZero();
        assertThat(leader.view.pendingAcks()).containsExactly(1L);
        assertThat(leader.applyMinIsr(1)).containsExactly(hw(1), acked(T, 0));
    }

    @Test
    void withoutHwMinIsrItMoves() {
        Fixture leader = Fixture.without(Guard.HW_MIN_ISR).leads(1).writes(1);
        assertThat(leader.view.hw()).isEqualTo(1);
        assertThat(Fixture.replica().leads(1).writes(1).view.hw()).isZero();
    }
}
