package io.tidemark.core.partition;

import static io.tidemark.core.SpecAction.ProposeExpandIsr;
import static io.tidemark.core.partition.Fixture.asking;
import static io.tidemark.core.partition.Fixture.member;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.Guard;
import io.tidemark.core.Guards;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProposeExpandIsrTest {
    /** Leads 1 and 2; both hold 2 records, the high watermark is 2, broker 3 has fetched at {@code offset}. */
    private static Fixture leader(Guards guards, long offset) {
        Fixture leader = Fixture.with(guards, io.tidemark.core.log.LogState.empty());
        leader.leads(1, 2).writes(2);
        leader.fetches(2, 2);
        leader.fetches(3, offset);
        return leader;
    }

    private static PartitionInput propose(long brokerEpoch, long offset) {
        return new PartitionInput.ProposeExpandIsr(3, brokerEpoch, offset);
    }

    @Test
    void sendsTheWholeIsrWithBrokerEpochs() {
        Fixture leader = leader(Guards.ALL, 2);
        AlterPartitionAsked asked = asking(1, member(1, 101), member(2, 102), member(3, 103));
        assertThat(leader.takes(ProposeExpandIsr, propose(103, 2)))
                .containsExactly(new PartitionEffect.SendAlterPartition(asked));
        assertThat(leader.view.isrState())
                .isEqualTo(new IsrState.PendingExpand(List.of(1, 2), 3, List.of(1, 2, 3), asked));
    }

    @Test
    void fromThenOnTheHwWaitsForIt() {
        Fixture leader = leader(Guards.ALL, 2);
        leader.step(propose(103, 2));
        leader.writes(1).fetches(2, 3);
        assertThat(leader.view.hw()).isEqualTo(2);
    }

    @Test
    void withoutHwMaximalIsrItPassesTheNewMember() {
        // The follower must not be waited for as one about to join either: it has fallen behind again.
        Fixture leader = leader(Guards.without(Guard.HW_MAXIMAL_ISR), 2);
        leader.step(propose(103, 2));
        leader.writes(2);
        leader.fetches(3, 1);
        leader.writes(1);
        leader.fetches(3, 1);
        leader.fetches(2, 5);
        assertThat(leader.view.hw()).isEqualTo(5);
    }

    @Test
    void refusedWhileAnotherChangeIsPending() {
        Fixture leader = leader(Guards.ALL, 2);
        leader.step(propose(103, 2));
        assertThat(leader.refuses(propose(103, 2))).isEmpty();
    }

    @Test
    void refusedForMembersStrangersAndByFollowers() {
        Fixture leader = leader(Guards.ALL, 2);
        assertThat(leader.refuses(new PartitionInput.ProposeExpandIsr(2, 102, 2)))
                .isEmpty();
        assertThat(leader.refuses(new PartitionInput.ProposeExpandIsr(9, 109, 2)))
                .isEmpty();
        assertThat(Fixture.replica().follows(1).refuses(propose(103, 2))).isEmpty();
    }

    @Test
    void refusedWhileFencedOrShuttingDown() {
        Fixture leader = leader(Guards.ALL, 2);
        leader.applyBroker(3, 103, false);
        assertThat(leader.refuses(propose(103, 2))).isEmpty();
        leader.applyBroker(3, -1, false);
        assertThat(leader.refuses(propose(103, 2))).isEmpty();
    }

    @Test
    void refusedForAnotherIncarnation() {
        Fixture leader = leader(Guards.ALL, 2);
        assertThat(leader.refuses(propose(104, 2))).isEmpty();
        assertThat(leader.refuses(propose(-1, 2))).as("none sent").isEmpty();
        Fixture blind = leader(Guards.without(Guard.EXPAND_BROKER_EPOCH), 2);
        assertThat(blind.takes(ProposeExpandIsr, propose(102, 2))).hasSize(1);
    }

    @Test
    void refusedBelowTheHw() {
        assertThat(leader(Guards.ALL, 1).refuses(propose(103, 1))).isEmpty();
        assertThat(leader(Guards.without(Guard.EXPAND_HW), 1).takes(ProposeExpandIsr, propose(103, 1)))
                .hasSize(1);
    }

    @Test
    void refusedBeforeTheLeadersEpochBegan() {
        Fixture leader = Fixture.with(Guards.ALL, Fixture.log(0, 0, 0)).leads(1, 2);
        assertThat(leader.view.epochStart()).isEqualTo(2);
        assertThat(leader.refuses(propose(103, 1))).isEmpty();
        assertThat(leader.takes(ProposeExpandIsr, propose(103, 2))).hasSize(1);
        Fixture blind = Fixture.with(Guards.without(Guard.EXPAND_EPOCH_START), Fixture.log(0, 0, 0))
                .leads(1, 2);
        assertThat(blind.takes(ProposeExpandIsr, propose(103, 1))).hasSize(1);
    }
}
