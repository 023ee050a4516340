package io.tidemark.core.partition;

import static io.tidemark.core.SpecAction.HandleFetch;
import static io.tidemark.core.partition.Fixture.ALL;
import static io.tidemark.core.partition.Fixture.batch;
import static io.tidemark.core.partition.Fixture.fetch;
import static io.tidemark.core.partition.Fixture.hw;
import static io.tidemark.core.partition.Fixture.log;
import static io.tidemark.core.partition.Fixture.produce;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.ErrorCode;
import io.tidemark.core.Guard;
import io.tidemark.core.Guards;
import io.tidemark.core.log.OffsetAndEpoch;
import org.junit.jupiter.api.Test;

class HandleFetchTest {
    private final Fixture leader = Fixture.replica().leads(1, 2, 3).writes(4);

    @Test
    void tellsWhatMayBeReadAndRemembersTheOffset() {
        assertThat(leader.fetches(2, 3)).containsExactly(leader.readable(3, 4, 0));
        assertThat(leader.view.follower())
                .containsEntry(2, new FollowerProgress(3, 102, false, 4))
                .containsEntry(3, new FollowerProgress(-1, -1, false, -1));
    }

    @Test
    void movesTheHwToTheSlowestMember() {
        leader.fetches(2, 3);
        assertThat(leader.fetches(3, 2)).containsExactly(hw(2), leader.readable(2, 4, 2));
        assertThat(leader.fetches(3, 1)).as("it never goes back").containsExactly(leader.readable(1, 4, 2));
    }

    @Test
    void anOtherLeaderEpochIsRefused() {
        Fixture later = Fixture.replica();
        later.apply(1, 5, 5, 1, 2, 3);
        assertThat(later.refuses(fetch(2, 102, 4, 0, -1)))
                .containsExactly(later.notReadable(ErrorCode.FENCED_LEADER_EPOCH));
        assertThat(later.refuses(fetch(2, 102, 6, 0, -1)))
                .containsExactly(later.notReadable(ErrorCode.UNKNOWN_LEADER_EPOCH));
        assertThat(later.takes(HandleFetch, fetch(2, 102, -1, 0, -1)))
                .as("an old version that sends none")
                .containsExactly(later.readable(0, 0, 0));
    }

    @Test
    void withoutFetchLeaderEpochAFollowerOfAnotherEpochCounts() {
        Fixture blind = Fixture.without(Guard.FETCH_LEADER_EPOCH).leads(1, 2, 3).writes(1);
        blind.takes(HandleFetch, fetch(2, 102, 0, 1, 1));
        blind.takes(HandleFetch, fetch(3, 103, 0, 1, 1));
        assertThat(blind.view.hw()).isEqualTo(1);
    }

    @Test
    void aStaleIncarnationIsRefused() {
        assertThat(leader.refuses(fetch(2, 99, 1, 4, 1)))
                .containsExactly(leader.notReadable(ErrorCode.NOT_LEADER_OR_FOLLOWER));
        assertThat(leader.takes(HandleFetch, fetch(2, 150, 1, 4, 1)))
                .as("its registration may not have arrived here")
                .hasSize(1);
    }

    /** A fetch that names no life could be of any: of one whose log a power loss has shortened since. */
    @Test
    void aFetchWithoutABrokerEpochIsRefused() {
        Fixture leader = Fixture.replica().leads(1, 3);
        leader.step(produce(ALL, batch(1)));
        leader.step(produce(ALL, batch(1)));
        PartitionInput ofAnEarlierLife = fetch(2, -1, 1, 2, 1);
        leader.applyBroker(2, 202, true);
        leader.takes(HandleFetch, fetch(2, 202, 1, 0, -1));
        assertThat(leader.refuses(ofAnEarlierLife))
                .containsExactly(leader.notReadable(ErrorCode.NOT_LEADER_OR_FOLLOWER));
        assertThat(leader.view.follower()).containsEntry(2, new FollowerProgress(0, 202, false, 2));
    }

    @Test
    void withoutFetchBrokerEpochAStaleIncarnationCounts() {
        Fixture blind = Fixture.without(Guard.FETCH_BROKER_EPOCH).leads(1, 2, 3).writes(1);
        blind.takes(HandleFetch, fetch(2, 99, 1, 1, 1));
        assertThat(blind.view.follower()).containsEntry(2, new FollowerProgress(1, 99, true, 1));
    }

    @Test
    void aBrokerThatHoldsNoReplicaIsRefused() {
        assertThat(leader.refuses(fetch(9, 109, 1, 0, -1)))
                .containsExactly(leader.notReadable(ErrorCode.UNKNOWN_LEADER_EPOCH));
        assertThat(leader.refuses(fetch(9, 109, -1, 0, -1)))
                .containsExactly(leader.notReadable(ErrorCode.NOT_LEADER_OR_FOLLOWER));
    }

    @Test
    void whoDoesNotLeadRefuses() {
        Fixture follower = Fixture.replica().follows(1);
        assertThat(follower.refuses(fetch(3, 103, 1, 0, -1)))
                .containsExactly(follower.notReadable(ErrorCode.NOT_LEADER_OR_FOLLOWER));
        Fixture fresh = Fixture.replica();
        assertThat(fresh.refuses(fetch(3, 103, 1, 0, -1)))
                .containsExactly(fresh.notReadable(ErrorCode.UNKNOWN_LEADER_EPOCH));
    }

    @Test
    void aDivergingFetchIsToldWhereAndChangesNothing() {
        Fixture elected = Fixture.with(Guards.ALL, log(0, 1, 1, 3));
        elected.apply(1, 5, 5, 1, 2, 3);
        PartitionState before = elected.view.copy();
        assertThat(elected.takes(HandleFetch, fetch(2, 102, 5, 4, 2)))
                .as("epoch 2 is unknown here: epoch 1 ends at 2")
                .containsExactly(elected.misplaced(ErrorCode.NONE, new OffsetAndEpoch(2, 1)));
        assertThat(elected.takes(HandleFetch, fetch(2, 102, 5, 3, 1)))
                .as("epoch 1 ends before")
                .containsExactly(elected.misplaced(ErrorCode.NONE, new OffsetAndEpoch(2, 1)));
        assertThat(elected.takes(HandleFetch, fetch(2, 102, 5, 2, 2)))
                .as("epoch 1 does not end before, but what lies before the offset is of epoch 2")
                .containsExactly(elected.misplaced(ErrorCode.NONE, new OffsetAndEpoch(2, 1)));
        assertThat(elected.view.copy()).isEqualTo(before);
    }

    @Test
    void withoutFetchDivergenceFirstADivergingLogCounts() {
        Fixture blind = Fixture.with(Guards.without(Guard.FETCH_DIVERGENCE_FIRST), log(0, 1, 1, 3));
        blind.apply(1, 5, 5, 1, 2, 3);
        blind.takes(HandleFetch, fetch(2, 102, 5, 3, 1));
        blind.takes(HandleFetch, fetch(3, 103, 5, 3, 1));
        assertThat(blind.view.hw()).isEqualTo(3);
    }

    @Test
    void outOfRangeNamesTheLogStartAndTheHw() {
        PartitionState before = leader.view.copy();
        assertThat(leader.takes(HandleFetch, fetch(2, 102, 1, 5, -1)))
                .containsExactly(leader.misplaced(ErrorCode.OFFSET_OUT_OF_RANGE, null));
        assertThat(leader.takes(HandleFetch, fetch(2, 102, 1, 3, 2)))
                .as("an epoch beyond the leader's own")
                .containsExactly(leader.misplaced(ErrorCode.OFFSET_OUT_OF_RANGE, null));
        assertThat(leader.view.copy()).isEqualTo(before);
    }

    @Test
    void belowTheLogStartIsOutOfRangeWhateverTheEpoch() {
        Fixture trimmed = Fixture.with(
                Guards.ALL,
                new io.tidemark.core.log.LogState(
                        5, 8, 8, 5, java.util.List.of(new io.tidemark.core.log.EpochStart(1, 5)), java.util.List.of()));
        trimmed.apply(1, 2, 2, 1, 2, 3);
        for (int lastFetchedEpoch : new int[] {-1, 0, 1}) {
            assertThat(trimmed.takes(HandleFetch, fetch(2, 102, 2, 4, lastFetchedEpoch)))
                    .containsExactly(trimmed.misplaced(ErrorCode.OFFSET_OUT_OF_RANGE, null));
        }
    }

    @Test
    void aCaughtUpFollowerOutsideTheIsrIsProposedOnce() {
        Fixture smaller = Fixture.replica().leads(1, 2).writes(2);
        smaller.fetches(2, 2);
        assertThat(smaller.fetches(3, 1)).as("below the high watermark").containsExactly(smaller.readable(1, 2, 2));
        assertThat(smaller.fetches(3, 2))
                .containsExactly(
                        smaller.readable(2, 2, 2),
                        new PartitionEffect.Self(new PartitionInput.ProposeExpandIsr(3, 103, 2)));
        smaller.step(new PartitionInput.ProposeExpandIsr(3, 103, 2));
        assertThat(smaller.fetches(3, 2)).as("while pending").containsExactly(smaller.readable(2, 2, 2));
    }

    @Test
    void theHwWaitsForAFollowerAboutToJoin() {
        Fixture leader = joining(Guards.ALL);
        assertThat(leader.view.hw()).as("it is held where broker 2 stands").isEqualTo(2);
        assertThat(leader.fetches(3, 2))
                .as("so broker 3 reaches it although the log has moved on")
                .contains(new PartitionEffect.Self(new PartitionInput.ProposeExpandIsr(3, 103, 2)));
    }

    @Test
    void withoutHwJoiningAFollowerUnderLoadNeverJoins() {
        Fixture leader = joining(Guards.without(Guard.HW_JOINING));
        assertThat(leader.view.hw()).isEqualTo(4);
        assertThat(leader.fetches(3, 2)).hasSize(1);
    }

    /** Broker 3 reaches what there was when it fetched before, while 2 keeps pace with the load. */
    private static Fixture joining(Guards guards) {
        Fixture leader = Fixture.with(guards, io.tidemark.core.log.LogState.empty());
        leader.leads(1, 2).writes(1);
        leader.fetches(3, 0);
        leader.writes(1).fetches(2, 2);
        leader.fetches(3, 1);
        leader.writes(2).fetches(2, 4);
        return leader;
    }
}
