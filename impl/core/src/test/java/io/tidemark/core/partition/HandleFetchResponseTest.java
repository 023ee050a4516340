package io.tidemark.core.partition;

import static io.tidemark.core.SpecAction.HandleFetchResponse;
import static io.tidemark.core.partition.Fixture.BYTES;
import static io.tidemark.core.partition.Fixture.answer;
import static io.tidemark.core.partition.Fixture.ask;
import static io.tidemark.core.partition.Fixture.epochs;
import static io.tidemark.core.partition.Fixture.hw;
import static io.tidemark.core.partition.Fixture.leo;
import static io.tidemark.core.partition.Fixture.log;
import static io.tidemark.core.partition.Fixture.record;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.ErrorCode;
import io.tidemark.core.Guard;
import io.tidemark.core.Guards;
import io.tidemark.core.Requires;
import io.tidemark.core.log.BatchHeader;
import io.tidemark.core.log.EpochStart;
import io.tidemark.core.log.LogState;
import io.tidemark.core.log.OffsetAndEpoch;
import io.tidemark.core.log.ProducerEntry;
import java.util.List;
import org.junit.jupiter.api.Test;

class HandleFetchResponseTest {
    private static Fixture follower(Guard off, LogState log, int leaderEpoch) {
        return Fixture.with(off == null ? Guards.ALL : Guards.without(off), log).follows(leaderEpoch);
    }

    @Test
    void appendsMovesTheHwAndAsksForMore() {
        Fixture follower = Fixture.replica().follows(1);
        assertThat(follower.takes(HandleFetchResponse, follower.answer(1, 1, 1)))
                .containsExactly(
                        new PartitionEffect.AppendFetched(List.of(record(0, 1), record(1, 1)), BYTES),
                        epochs(new EpochStart(1, 0)),
                        leo(2),
                        hw(1),
                        ask(new FetchAsked(2, 1, 2, 1, 0)));
        assertThat(follower.takes(HandleFetchResponse, follower.answer(9)))
                .as("the high watermark never passes the own end")
                .containsExactly(hw(2), ask(new FetchAsked(2, 1, 2, 1, 0)));
        assertThat(follower.takes(HandleFetchResponse, follower.answer(-1)))
                .as("the leader's is not known")
                .containsExactly(ask(new FetchAsked(2, 1, 2, 1, 0)));
    }

    /** The leader's log has a hole: what is behind it has no place here. */
    @Test
    void aBatchThatLeavesAGapIsNotAppended() {
        Fixture follower = follower(null, log(1, 1, 1), 1);
        FetchAsked asked = follower.view.asked();
        PartitionInput.HandleFetchResponse behind = new PartitionInput.HandleFetchResponse(
                asked, ErrorCode.NONE, null, List.of(record(2, 1), record(4, 1)), BYTES, 5, 0);
        assertThat(follower.takes(HandleFetchResponse, behind))
                .contains(new PartitionEffect.AppendFetched(List.of(record(2, 1)), BYTES), leo(3));
        assertThat(follower.refuses(new PartitionInput.HandleFetchResponse(
                        follower.view.asked(), ErrorCode.NONE, null, List.of(record(4, 1)), BYTES, 5, 0)))
                .as("it asks again, and nothing else")
                .containsExactly(ask(new FetchAsked(2, 1, 3, 1, 0)));
    }

    @Test
    void offsetsOfBatchesFollowEachOtherFromTheOneAskedFor() {
        BatchHeader first = Fixture.batch(2).assigned(0, 1);
        BatchHeader second = Fixture.batch(3).assigned(2, 1);
        assertThat(appended(first, second, record(5, 1))).hasSize(3);
        assertThat(appended(first, record(3, 1), second)).as("a gap").containsExactly(first);
        assertThat(appended(first, record(1, 1), second)).as("an overlap").containsExactly(first);
        assertThat(appended(second)).as("a gap before the first").isEmpty();
    }

    /** What an empty follower, which asks for offset 0 in epoch 1, takes of these. */
    private static List<BatchHeader> appended(BatchHeader... sent) {
        Fixture follower = Fixture.replica().follows(1);
        return follower
                .step(new PartitionInput.HandleFetchResponse(
                        follower.view.asked(), ErrorCode.NONE, null, List.of(sent), BYTES, 0, 0))
                .effects()
                .stream()
                .filter(PartitionEffect.AppendFetched.class::isInstance)
                .flatMap(effect -> ((PartitionEffect.AppendFetched) effect).batches().stream())
                .toList();
    }

    /** What was asked for counts, not the log's end: else this guard's absence would not show where the log was cut since. */
    @Test
    void withoutRespStillAskedAnAnswerFromBeforeATruncationIsAppendedBehindTheEnd() {
        Fixture follower = follower(Guard.RESP_STILL_ASKED, log(1, 1, 1, 1), 2);
        FetchAsked before = follower.view.asked();
        follower.step(follower.diverging(1, 1, 1));
        assertThat(follower.takes(HandleFetchResponse, answer(before, ErrorCode.NONE, null, 1, 0, 1)))
                .contains(new PartitionEffect.AppendFetched(List.of(record(3, 1)), BYTES), leo(4));
    }

    @Test
    void whereEveryMessageIsFlushedTheNextFetchWaitsForTheDisk() {
        Fixture follower = Fixture.flushing().follows(1);
        assertThat(follower.takes(HandleFetchResponse, follower.answer(0, 1)))
                .contains(
                        new PartitionEffect.Flush(),
                        new PartitionEffect.Fetch(new FetchAsked(2, 1, 1, 1, 0), new Requires.Flushed(1)));
    }

    @Test
    void anAnswerToWhatIsNoLongerAskedIsRefused() {
        Fixture follower = Fixture.replica().follows(1);
        FetchAsked before = follower.view.asked();
        follower.step(follower.answer(0, 1));
        assertThat(follower.refuses(answer(before, ErrorCode.NONE, null, 0, 0, 1)))
                .isEmpty();
        follower.apply(3, 2, 2, 1, 2, 3);
        assertThat(follower.refuses(answer(new FetchAsked(2, 1, 1, 1, 0), ErrorCode.NONE, null, 0, 0, 1)))
                .isEmpty();
    }

    @Test
    void withoutRespStillAskedAnAnswerOfAnOlderEpochIsAppended() {
        Fixture follower = follower(Guard.RESP_STILL_ASKED, LogState.empty(), 1);
        FetchAsked before = follower.view.asked();
        follower.apply(3, 2, 2, 1, 2, 3);
        follower.takes(HandleFetchResponse, answer(before, ErrorCode.NONE, null, 1, 0, 1));
        assertThat(follower.view.hw()).isEqualTo(1);
    }

    @Test
    void whoDoesNotFollowRefuses() {
        FetchAsked asked = new FetchAsked(2, 1, 0, -1, 0);
        assertThat(Fixture.replica().refuses(answer(asked, ErrorCode.NONE, null, 0, 0, 1)))
                .isEmpty();
        assertThat(Fixture.replica().leads(1, 2, 3).refuses(answer(asked, ErrorCode.NONE, null, 0, 0, 1)))
                .isEmpty();
    }

    @Test
    void truncatesToTheLeadersEndOfTheEpoch() {
        Fixture follower = follower(null, log(1, 1, 1, 1), 2);
        assertThat(follower.takes(HandleFetchResponse, follower.diverging(2, 1, 2)))
                .as("the high watermark waits for the next answer")
                .containsExactly(new PartitionEffect.Truncate(2), leo(2), ask(new FetchAsked(2, 2, 2, 1, 0)));
        assertThat(follower.view.flushed()).isEqualTo(2);
    }

    @Test
    void truncatesToTheOwnEndOfTheEpoch() {
        Fixture follower = follower(null, log(0, 1, 2, 3, 3), 5);
        assertThat(follower.takes(HandleFetchResponse, follower.diverging(3, 2, 0)))
                .as("the leader's epoch 2 ends at 3, the own one at 2")
                .containsExactly(
                        new PartitionEffect.Truncate(2),
                        epochs(new EpochStart(1, 0), new EpochStart(2, 1)),
                        leo(2),
                        ask(new FetchAsked(2, 5, 2, 2, 0)));
    }

    @Test
    void anEpochUnknownHereIsAskedForAgain() {
        Fixture follower = follower(null, log(0, 1, 3, 3), 5);
        follower.step(follower.diverging(2, 2, 0));
        assertThat(follower.view.asked()).isEqualTo(new FetchAsked(2, 5, 1, 1, 0));
    }

    @Test
    void aTruncationBelowTheHwTakesItAlong() {
        Fixture follower = follower(null, log(3, 1, 1, 1), 2);
        assertThat(follower.takes(HandleFetchResponse, follower.diverging(1, 1, 0)))
                .containsExactly(new PartitionEffect.Truncate(1), leo(1), hw(1), ask(new FetchAsked(2, 2, 1, 1, 0)));
    }

    @Test
    void aTruncationBelowTheLogStartStartsAnew() {
        LogState log = new LogState(5, 8, 8, 6, List.of(new EpochStart(3, 5)), List.of());
        Fixture follower = follower(null, log, 4);
        assertThat(follower.takes(HandleFetchResponse, follower.diverging(2, 1, 2)))
                .contains(new PartitionEffect.TruncateFully(2), leo(2), hw(2))
                .contains(ask(new FetchAsked(2, 4, 2, -1, 2)));
    }

    /** They may have written below the log's start: a memory of it would answer a new batch there as a duplicate. */
    @Test
    void thenTheProducersOfWhatIsGoneAreForgotten() {
        ProducerEntry producer = new ProducerEntry(7, (short) 0, 1, List.of(new ProducerEntry.Batch(0, 0, 1, 1, 1)));
        LogState log = new LogState(5, 8, 8, 6, List.of(new EpochStart(3, 5)), List.of(producer));
        Fixture follower = follower(null, log, 4);
        assertThat(follower.view.producers()).hasSize(1);
        follower.step(follower.diverging(2, 1, 2));
        assertThat(follower.view.logStart()).isEqualTo(2);
        assertThat(follower.view.producers()).isEmpty();
    }

    @Test
    void withoutTruncateByEpochTheHwDecides() {
        Fixture follower = follower(Guard.TRUNCATE_BY_EPOCH, log(0, 1, 1, 1), 2);
        follower.step(follower.diverging(2, 1, 2));
        assertThat(follower.view.logEnd()).as("record 1 may be committed").isZero();
    }

    @Test
    void withoutTruncateOwnEpochARecordOfAnotherEpochStays() {
        Fixture follower = follower(Guard.TRUNCATE_OWN_EPOCH, log(0, 1, 2, 3, 3), 5);
        follower.step(follower.diverging(3, 2, 0));
        assertThat(follower.view.epochAt(2)).isEqualTo(3);
    }

    @Test
    void withoutRespDivergenceFirstTheHwCoversWhatDiverges() {
        Fixture follower = follower(Guard.RESP_DIVERGENCE_FIRST, log(0, 1, 1, 1), 2);
        follower.step(follower.diverging(2, 1, 3));
        assertThat(follower.view.hw()).isEqualTo(3);
    }

    @Test
    void batchesAboveTheAskedEpochAreDropped() {
        Fixture follower = Fixture.replica().follows(1);
        assertThat(follower.takes(HandleFetchResponse, follower.answer(3, 1, 1, 2)))
                .contains(new PartitionEffect.AppendFetched(List.of(record(0, 1), record(1, 1)), BYTES), hw(2));
        assertThat(follower.refuses(follower.answer(3, 2)))
                .as("and nothing of an answer that has only such")
                .containsExactly(ask(new FetchAsked(2, 1, 2, 1, 0)));
    }

    @Test
    void withoutRespBatchEpochTheyAreAppended() {
        Fixture follower = follower(Guard.RESP_BATCH_EPOCH, LogState.empty(), 1);
        follower.step(follower.answer(3, 1, 1, 2));
        assertThat(follower.view.logEnd()).isEqualTo(3);
    }

    @Test
    void batchesThatDoNotContinueTheLogAreDropped() {
        Fixture follower = follower(null, log(2, 1, 3), 3);
        FetchAsked asked = follower.view.asked();
        PartitionInput overlap =
                new PartitionInput.HandleFetchResponse(asked, ErrorCode.NONE, null, List.of(record(1, 3)), BYTES, 2, 0);
        assertThat(follower.refuses(overlap)).containsExactly(ask(asked));
        assertThat(follower.refuses(follower.answer(2, 1)))
                .as("an epoch below that of the log's end")
                .containsExactly(ask(asked));
    }

    /** What a peer sends is no reason to stop, as {@code EpochLog} would have it. */
    @Test
    void aBatchWithoutALeaderEpochIsDropped() {
        Fixture follower = Fixture.replica().follows(1);
        assertThat(follower.refuses(follower.answer(1, -1))).containsExactly(ask(new FetchAsked(2, 1, 0, -1, 0)));
    }

    @Test
    void anErrorAsksForTheSameAgain() {
        Fixture follower = follower(null, log(1, 1, 1), 2);
        FetchAsked asked = follower.view.asked();
        for (ErrorCode error : List.of(
                ErrorCode.FENCED_LEADER_EPOCH,
                ErrorCode.UNKNOWN_LEADER_EPOCH,
                ErrorCode.NOT_LEADER_OR_FOLLOWER,
                ErrorCode.UNKNOWN_TOPIC_OR_PARTITION,
                ErrorCode.UNKNOWN_SERVER_ERROR)) {
            assertThat(follower.refuses(answer(asked, error, null, 9, 9)))
                    .as("%s", error)
                    .containsExactly(ask(asked));
        }
        assertThat(follower.refuses(answer(asked, ErrorCode.NONE, new OffsetAndEpoch(-1, -1), 9, 9)))
                .containsExactly(ask(asked));
    }

    @Test
    void outOfRangeBehindTheLeadersLogStartStartsThere() {
        Fixture follower = follower(null, log(2, 1, 1), 2);
        assertThat(follower.takes(
                        HandleFetchResponse,
                        answer(follower.view.asked(), ErrorCode.OFFSET_OUT_OF_RANGE, null, 20, 10)))
                .containsExactly(
                        new PartitionEffect.TruncateFully(10),
                        epochs(),
                        leo(10),
                        hw(10),
                        ask(new FetchAsked(2, 2, 10, -1, 10)));
        assertThat(follower.view.flushed()).isEqualTo(10);
    }

    @Test
    void aFullTruncationForgetsTheProducersOfWhatIsGone() {
        ProducerEntry producer = new ProducerEntry(7, (short) 0, 1, List.of(new ProducerEntry.Batch(0, 0, 1, 1, 1)));
        LogState log = new LogState(0, 2, 2, 0, List.of(new EpochStart(1, 0)), List.of(producer));
        Fixture follower = follower(null, log, 2);
        assertThat(follower.view.producers()).hasSize(1);
        follower.takes(
                HandleFetchResponse, answer(follower.view.asked(), ErrorCode.OFFSET_OUT_OF_RANGE, null, 200, 100));
        assertThat(follower.view.producers()).isEmpty();
    }

    @Test
    void outOfRangeWithAnEmptyLogPastTheLeadersEndStartsWhereTheLeaderDoes() {
        Fixture follower = follower(null, new LogState(50, 50, 50, 50, List.of(), List.of()), 2);
        follower.takes(HandleFetchResponse, answer(follower.view.asked(), ErrorCode.OFFSET_OUT_OF_RANGE, null, 20, 10));
        assertThat(follower.view.asked()).isEqualTo(new FetchAsked(2, 2, 10, -1, 10));
        assertThat(follower.view.hw()).isEqualTo(10);
    }

    @Test
    void recordsAreNotDroppedForAnAnswerThatCannotBeTrue() {
        Fixture follower = follower(null, log(2, 1, 1), 2);
        FetchAsked asked = follower.view.asked();
        assertThat(follower.refuses(answer(asked, ErrorCode.OFFSET_OUT_OF_RANGE, null, 20, 1)))
                .containsExactly(ask(asked));
        assertThat(follower.refuses(answer(asked, ErrorCode.OFFSET_OUT_OF_RANGE, null, -1, -1)))
                .containsExactly(ask(asked));
    }

    /** Epochs outside of the checksum: 40 was never, the leader of epoch 2 has what was committed at its place. */
    @Test
    void outOfRangeAfterAnEpochThatCannotBeCutsThere() {
        Fixture follower = follower(null, log(3, 1, 1, 40), 2);
        FetchAsked asked = follower.view.asked();
        assertThat(asked).isEqualTo(new FetchAsked(2, 2, 3, 40, 0));
        assertThat(follower.takes(HandleFetchResponse, answer(asked, ErrorCode.OFFSET_OUT_OF_RANGE, null, 3, 0)))
                .containsExactly(
                        new PartitionEffect.Truncate(2),
                        epochs(new EpochStart(1, 0)),
                        leo(2),
                        hw(2),
                        ask(new FetchAsked(2, 2, 2, 1, 0)));
    }

    @Test
    void whatTheLeaderDeletedGoesAsFarAsItIsCommitted() {
        Fixture follower = follower(null, log(2, 1, 2, 2), 2);
        assertThat(follower.takes(HandleFetchResponse, answer(follower.view.asked(), ErrorCode.NONE, null, 2, 3)))
                .containsExactly(epochs(new EpochStart(2, 2)), ask(new FetchAsked(2, 2, 3, 2, 2)));
    }

    @Test
    void followersKeepTheProducersToo() {
        Fixture follower = Fixture.replica().follows(1);
        PartitionInput fetched = new PartitionInput.HandleFetchResponse(
                follower.view.asked(),
                ErrorCode.NONE,
                null,
                List.of(
                        Fixture.batch(2, 7, 0, 0).assigned(0, 1),
                        Fixture.batch(1, 7, 0, 2).assigned(2, 1)),
                BYTES,
                0,
                0);
        follower.step(fetched);
        assertThat(follower.view.producers().get(0).batches()).hasSize(2);
        follower.apply(2, 3, 3, 1, 2, 3);
        follower.step(follower.diverging(2, 1, 0));
        assertThat(follower.view.producers().get(0).batches())
                .as("a truncation rolls them back")
                .hasSize(1);
    }
}
