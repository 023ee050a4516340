package io.tidemark.core.partition;

import static io.tidemark.core.SpecAction.HandleProduce;
import static io.tidemark.core.partition.Fixture.ALL;
import static io.tidemark.core.partition.Fixture.T;
import static io.tidemark.core.partition.Fixture.acked;
import static io.tidemark.core.partition.Fixture.append;
import static io.tidemark.core.partition.Fixture.batch;
import static io.tidemark.core.partition.Fixture.hw;
import static io.tidemark.core.partition.Fixture.leo;
import static io.tidemark.core.partition.Fixture.produce;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.ErrorCode;
import io.tidemark.core.Requires;
import io.tidemark.core.log.LogState;
import java.util.List;
import org.junit.jupiter.api.Test;

/** {@code flush.messages}: which append waits for the disk, and what else waits with it. */
class FlushMessagesTest {
    private static PartitionEffect ackedOnceFlushed(long baseOffset, long end) {
        return new PartitionEffect.ReplyProduce(T, ErrorCode.NONE, baseOffset, 0, new Requires.Flushed(end));
    }

    @Test
    void onlyTheAppendThatFillsTheIntervalWaits() {
        Fixture leader = Fixture.flushing(3, LogState.empty()).leads(1, 2, 3);
        assertThat(leader.takes(HandleProduce, produce(1, batch(2))))
                .containsExactly(append(batch(2).assigned(0, 1)), leo(2), acked(T, 0));
        assertThat(leader.takes(HandleProduce, produce(1, batch(1))))
                .containsExactly(
                        append(batch(1).assigned(2, 1)), new PartitionEffect.Flush(), leo(3), ackedOnceFlushed(2, 3));
    }

    @Test
    void whatComesDuringTheFsyncWaitsForItAndAsksForNoOther() {
        Fixture leader = Fixture.flushing(3, LogState.empty()).leads(1, 2, 3);
        leader.step(produce(1, batch(3)));
        assertThat(leader.takes(HandleProduce, produce(1, batch(1))))
                .containsExactly(append(batch(1).assigned(3, 1)), leo(4), ackedOnceFlushed(3, 3));
        leader.step(new PartitionInput.PersistLog(3));
        assertThat(leader.takes(HandleProduce, produce(1, batch(1))))
                .containsExactly(append(batch(1).assigned(4, 1)), leo(5), acked(T, 4));
        assertThat(leader.takes(HandleProduce, produce(1, batch(1)))).contains(new PartitionEffect.Flush());
    }

    @Test
    void theHighWatermarkWaitsForTheFsyncOfAnAppendAndForNoOtherThing() {
        Fixture leader = Fixture.flushing(3, LogState.empty()).leads(1, 2, 3);
        leader.step(produce(ALL, batch(2)));
        leader.fetches(2, 2);
        assertThat(leader.fetches(3, 2)).as("two of three").contains(hw(2), acked(T, 0));
        leader.step(produce(ALL, batch(1)));
        leader.fetches(2, 3);
        assertThat(leader.fetches(3, 3)).doesNotContain(hw(3));
        assertThat(leader.step(new PartitionInput.PersistLog(3)).effects()).containsExactly(hw(3), acked(T, 2));
    }

    @Test
    void anFsyncForAnotherReasonBeginsTheCountAnew() {
        Fixture leader = Fixture.flushing(3, LogState.empty()).leads(1, 2, 3);
        leader.step(produce(1, batch(2)));
        leader.step(new PartitionInput.PersistLog(2));
        assertThat(leader.takes(HandleProduce, produce(1, batch(2)))).doesNotContain(new PartitionEffect.Flush());
    }

    @Test
    void aSmallerIntervalFlushesWhatIsThere() {
        Fixture leader = Fixture.replica().leads(1, 2, 3).writes(3);
        assertThat(leader.step(new PartitionInput.ApplyFlushChange(4)).effects())
                .isEmpty();
        assertThat(leader.step(new PartitionInput.ApplyFlushChange(3)).effects())
                .containsExactly(new PartitionEffect.Flush());
        assertThat(leader.step(new PartitionInput.ApplyFlushChange(Long.MAX_VALUE))
                        .action())
                .isNull();
    }

    @Test
    void aTruncationTakesBackWhatWasAskedFor() {
        LogState unflushed = new LogState(0, 3, 1, 0, Fixture.log(0, 1, 1, 1).epochs(), List.of());
        Fixture follower = Fixture.flushing(1, unflushed).follows(2);
        follower.step(follower.diverging(2, 1, 0));
        assertThat(follower.view.logEnd()).isEqualTo(2);
        assertThat(follower.core.apply(new PartitionInput.PersistLog(2)).effects())
                .isEmpty();
        assertThat(follower.view.flushed()).isEqualTo(2);
    }
}
