package io.tidemark.core.partition;

import static io.tidemark.core.SpecAction.ConsumerRead;
import static io.tidemark.core.partition.Fixture.T;
import static io.tidemark.core.partition.Fixture.log;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.ErrorCode;
import io.tidemark.core.Guards;
import io.tidemark.core.log.OffsetAndEpoch;
import org.junit.jupiter.api.Test;

class ConsumerReadTest {
    private static PartitionInput.ConsumerRead read(int leaderEpoch, long offset, int lastFetchedEpoch) {
        return new PartitionInput.ConsumerRead(leaderEpoch, offset, lastFetchedEpoch, T);
    }

    @Test
    void readsBelowTheHwFromTheLeader() {
        Fixture leader = Fixture.replica().leads(1, 2, 3).writes(4);
        leader.fetches(2, 3);
        leader.fetches(3, 2);
        assertThat(leader.takes(ConsumerRead, read(1, 0, -1))).containsExactly(leader.readable(0, 2, 2));
        assertThat(leader.refuses(read(1, 2, 1))).as("nothing yet").containsExactly(leader.readable(2, 2, 2));
        assertThat(leader.refuses(read(1, 4, 1))).containsExactly(leader.readable(4, 4, 2));
    }

    @Test
    void readsBelowItsOwnHwFromAFollower() {
        Fixture follower = Fixture.replica().follows(1);
        follower.step(follower.answer(1, 1, 1));
        assertThat(follower.takes(ConsumerRead, read(1, 0, -1))).containsExactly(follower.readable(0, 1, 1));
    }

    @Test
    void outOfRangeIsBelowTheStartOrPastTheEnd() {
        Fixture leader = Fixture.replica().leads(1, 2, 3).writes(4);
        assertThat(leader.refuses(read(1, 5, -1)))
                .containsExactly(leader.misplaced(ErrorCode.OFFSET_OUT_OF_RANGE, null));
        assertThat(leader.refuses(read(1, 1, 7)))
                .as("an unknown epoch")
                .containsExactly(leader.misplaced(ErrorCode.OFFSET_OUT_OF_RANGE, null));
    }

    @Test
    void aConsumerWhoseRecordsWereTruncatedIsToldWhere() {
        Fixture elected = Fixture.with(Guards.ALL, log(3, 1, 1, 3));
        elected.apply(1, 5, 5, 1, 2, 3);
        assertThat(elected.refuses(read(5, 3, 2)))
                .containsExactly(elected.misplaced(ErrorCode.NONE, new OffsetAndEpoch(2, 1)));
    }

    @Test
    void leaderEpochsAreChecked() {
        Fixture leader = Fixture.replica();
        leader.apply(1, 5, 5, 1, 2, 3);
        assertThat(leader.refuses(read(4, 0, -1))).containsExactly(leader.notReadable(ErrorCode.FENCED_LEADER_EPOCH));
        assertThat(leader.refuses(read(6, 0, -1))).containsExactly(leader.notReadable(ErrorCode.UNKNOWN_LEADER_EPOCH));
    }

    @Test
    void withoutALeaderNothingIsServed() {
        Fixture replica = Fixture.replica();
        replica.apply(-1, 5, 5, 1);
        assertThat(replica.refuses(read(-1, 0, -1)))
                .containsExactly(replica.notReadable(ErrorCode.NOT_LEADER_OR_FOLLOWER));
    }
}
