package io.tidemark.core.quorum;

import static io.tidemark.core.quorum.QuorumFixture.*;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.tidemark.core.ErrorCode;
import io.tidemark.core.Guard;
import io.tidemark.core.Guards;
import io.tidemark.core.Requires;
import io.tidemark.core.SpecAction;
import io.tidemark.core.Step;
import io.tidemark.core.log.LogState;
import io.tidemark.core.log.OffsetAndEpoch;
import java.util.List;
import org.junit.jupiter.api.Test;

class HandleMetadataFetchResponseTest {
    private static QuorumEffect appendFetched(MetadataBatch... batches) {
        return new QuorumEffect.AppendFetched(List.of(batches), RECORDS);
    }

    @Test
    void batchesAreWrittenFlushedAndTheNextFetchWaitsForThem() {
        QuorumCore core = follower(4, log(2), Guards.ALL);
        MetadataBatch first = batch(1, 3, 2);
        MetadataBatch second = batch(3, 4, 1);
        Step<QuorumEffect> step = core.apply(fetched(core, ErrorCode.NONE, 4, 2, 3, first, second));
        assertThat(step.action()).isEqualTo(SpecAction.HandleMetadataFetchResponse);
        assertThat(step.effects())
                .containsExactly(
                        appendFetched(first, second),
                        new QuorumEffect.Flush(),
                        new QuorumEffect.LeoMoved(4),
                        new QuorumEffect.HwMoved(3),
                        set(QuorumTimer.FETCH),
                        sendFetch(2, 4, 4, 4, 3));
        assertThat(core.view().flushed()).isEqualTo(1);
    }

    @Test
    void theHighWatermarkIsNeverBeyondTheOwnEndAndNeverFalls() {
        QuorumCore core = follower(4, log(2), Guards.ALL);
        core.apply(fetched(core, ErrorCode.NONE, 4, 2, 9, batch(1, 4, 1)));
        assertThat(core.view().hw()).isEqualTo(2);
        core.apply(fetched(core, ErrorCode.NONE, 4, 2, 1));
        assertThat(core.view().hw()).isEqualTo(2);
    }

    @Test
    void batchesThatLeaveAGapOrAreOfAnotherTimeAreRefusedWithTheRest() {
        MetadataBatch good = batch(1, 3, 1);
        for (MetadataBatch bad : new MetadataBatch[] {batch(3, 4, 1), batch(1, 4, 1), batch(2, 2, 1), batch(2, 5, 1)}) {
            QuorumCore core = follower(4, log(2), Guards.ALL);
            assertThat(core.apply(fetched(core, ErrorCode.NONE, 4, 2, 0, good, bad, batch(2, 4, 1)))
                            .effects())
                    .startsWith(appendFetched(good))
                    .endsWith(sendFetch(2, 4, 2, 3, 0));
        }
    }

    /** What a peer sends is no reason to stop, as {@code EpochLog} would have it. */
    @Test
    void aBatchWithoutALeaderEpochIsNotTaken() {
        QuorumCore core = follower(4, log(), Guards.ALL);
        core.apply(fetched(core, ErrorCode.NONE, 4, 2, 0, batch(0, -1, 1)));
        assertThat(core.view().log().endOffset()).isZero();
    }

    /** A leader that sends nothing usable is no leader that answers: the fetch timer runs on. */
    @Test
    void withoutOneGoodBatchTheAnswerCountsForNothing() {
        QuorumCore core = follower(4, log(2), Guards.ALL);
        Step<QuorumEffect> step = core.apply(fetched(core, ErrorCode.NONE, 4, 2, 0, batch(5, 4, 1)));
        assertThat(step.action()).isNull();
        assertThat(step.effects()).containsExactly(sendFetch(2, 4, 1, 2, 0));
    }

    @Test
    void aDivergingLogIsCutByItsOwnEpochs() {
        // Own: epochs 1 1 1 2 2; the leader's epoch 1 reaches to 5, beyond the own end of that epoch.
        QuorumCore core = follower(4, log(1, 1, 1, 2, 2), Guards.ALL);
        Step<QuorumEffect> step = core.apply(fetched(core, ErrorCode.NONE, 4, 2, 0, new OffsetAndEpoch(5, 1)));
        assertThat(step.action()).isEqualTo(SpecAction.HandleMetadataFetchResponse);
        assertThat(step.effects())
                .containsExactly(
                        new QuorumEffect.Truncate(3),
                        new QuorumEffect.Flush(),
                        new QuorumEffect.LeoMoved(3),
                        set(QuorumTimer.FETCH),
                        sendFetch(2, 4, 3, 1, 0));
        assertThat(core.view().flushed()).isEqualTo(3);
    }

    @Test
    void theLeadersEndCutsWithinAnEpochAndAnUnknownEpochAtTheOneBefore() {
        QuorumCore core = follower(4, log(1, 1, 1, 2, 2), Guards.ALL);
        core.apply(fetched(core, ErrorCode.NONE, 4, 2, 0, new OffsetAndEpoch(2, 1)));
        assertThat(core.view().log().endOffset()).isEqualTo(2);
        core = follower(4, log(1, 3, 3), Guards.ALL);
        core.apply(fetched(core, ErrorCode.NONE, 4, 2, 0, new OffsetAndEpoch(2, 2)));
        assertThat(core.view().log().endOffset()).isEqualTo(1);
    }

    @Test
    void withoutQuorumDivergenceItCutsAtItsHighWatermarkWhateverBothLogsHave() {
        LogState log = log(1, 1, 1, 2, 2, 2);
        LogState lags = new LogState(0, 6, 6, 1, log.epochs(), List.of());
        QuorumInput answer = fetched(follower(4, lags, Guards.ALL), ErrorCode.NONE, 4, 2, 0, new OffsetAndEpoch(5, 1));
        QuorumCore guarded = follower(4, lags, Guards.ALL);
        guarded.apply(answer);
        assertThat(guarded.view().log().endOffset()).isEqualTo(3);
        QuorumCore unguarded = follower(4, lags, Guards.without(Guard.QUORUM_DIVERGENCE));
        unguarded.apply(answer);
        assertThat(unguarded.view().log().endOffset()).isEqualTo(1);
    }

    @Test
    void nothingCommittedIsEverCut() {
        LogState log = log(1, 1, 2);
        LogState committed = new LogState(0, 3, 3, 2, log.epochs(), List.of());
        QuorumCore core = follower(4, committed, Guards.ALL);
        QuorumInput answer = fetched(core, ErrorCode.NONE, 4, 2, 0, new OffsetAndEpoch(1, 1));
        assertThatIllegalStateException()
                .isThrownBy(() -> core.apply(answer))
                .withMessageContaining("to 1, below the high watermark 2");
        QuorumCore unguarded = follower(4, committed, Guards.without(Guard.QUORUM_DIVERGENCE));
        unguarded.apply(answer);
        assertThat(unguarded.view().log().endOffset()).isEqualTo(2);
    }

    @Test
    void votersInTheLogAreInForceAtOnceAndGoWithIt() {
        QuorumCore core = follower(4, log(2), Guards.ALL);
        VoterSet two = voters(1, 2);
        MetadataBatch change = batch(1, 3, 2, new ControlRecord.KRaftVersion((short) 1), new ControlRecord.Voters(two));
        core.apply(fetched(core, ErrorCode.NONE, 4, 2, 0, change));
        assertThat(core.view().voters()).isEqualTo(two);
        // The record of the voters is at 2: cutting there takes it away, cutting behind it does not.
        core.apply(fetched(core, ErrorCode.NONE, 4, 2, 0, new OffsetAndEpoch(2, 3)));
        assertThat(core.view().voters()).isEqualTo(voters(1, 2, 3));
    }

    @Test
    void anAnswerToAnotherFetchIsIgnored() {
        QuorumCore core = follower(4, log(2), Guards.ALL);
        QuorumInput stale = fetched(core, ErrorCode.NONE, 4, 2, 0, batch(1, 4, 1));
        core.apply(stale);
        Step<QuorumEffect> step = core.apply(stale);
        assertThat(step.action()).isNull();
        assertThat(step.effects()).isEmpty();
        core.apply(new QuorumInput.FetchTimeout());
        assertThat(core.apply(fetched(core, ErrorCode.NONE, 4, 2, 0)).action()).isNull();
    }

    /** What the leader before has answered says nothing of this one. */
    @Test
    void whoFollowsAnotherLeaderHasNotFetchedFromIt() {
        QuorumCore core = follower(4, log(2), Guards.ALL);
        core.apply(fetched(core, ErrorCode.NONE, 4, 2, 0));
        assertThat(core.view().fetchedFromLeader()).isTrue();
        core.apply(begin(5, 3));
        assertThat(core.view().fetchedFromLeader()).isFalse();
    }

    @Test
    void anAnswerToAFetchOfTheEpochBeforeIsIgnored() {
        QuorumCore core = follower(4, log(2), Guards.ALL);
        QuorumInput late = fetched(core, ErrorCode.NONE, 4, 2, 0, batch(1, 4, 1));
        core.apply(begin(5, 3));
        Step<QuorumEffect> step = core.apply(late);
        assertThat(step.action()).isNull();
        assertThat(step.effects()).isEmpty();
    }

    /** A leader answers without an error only in its own epoch, which the fetch named. */
    @Test
    void recordsWithANewerEpochOrAnOlderOneThanTheFetchsAreNotTaken() {
        QuorumCore newer = follower(4, log(2), Guards.ALL);
        newer.apply(fetched(newer, ErrorCode.NONE, 5, 3, 9, batch(1, 4, 1)));
        assertThat(newer.view().currentEpoch()).as("that much is learnt").isEqualTo(5);
        assertThat(newer.view().log().endOffset()).isEqualTo(1);
        assertThat(newer.view().hw()).isZero();

        QuorumCore older = follower(4, log(2), Guards.ALL);
        older.apply(fetched(older, ErrorCode.NONE, 3, 2, 9, batch(1, 3, 1)));
        assertThat(older.view().log().endOffset()).isEqualTo(1);
        assertThat(older.view().hw()).isZero();
    }

    @Test
    void recordsOfNobodyAreNotTaken() {
        QuorumCore core = unattached(4, log(2));
        core.apply(fetched(core, ErrorCode.NONE, 4, -1, 9, batch(1, 4, 1)));
        assertThat(core.view().log().endOffset()).isEqualTo(1);
        assertThat(core.view().hw()).isZero();
    }

    @Test
    void errorsTellWhoLeadsOrAreTriedAgain() {
        QuorumCore core = follower(4, log(2), Guards.ALL);
        assertThat(core.apply(fetched(core, ErrorCode.FENCED_LEADER_EPOCH, 6, 3, -1))
                        .effects())
                .containsExactly(
                        persist(6, -1, 3),
                        abandon(),
                        role(QuorumRole.FOLLOWER, 6, 3),
                        set(QuorumTimer.FETCH),
                        sendFetch(3, 6, 1, 2, 0));
        Step<QuorumEffect> step = core.apply(fetched(core, ErrorCode.NOT_LEADER_OR_FOLLOWER, 6, 3, -1));
        assertThat(step.action()).isNull();
        assertThat(step.effects()).containsExactly(sendFetch(3, 6, 1, 2, 0));
        assertThat(core.apply(fetched(core, ErrorCode.UNKNOWN_LEADER_EPOCH, 5, 2, -1))
                        .effects())
                .containsExactly(sendFetch(3, 6, 1, 2, 0));
        assertThat(core.apply(fetched(core, ErrorCode.NOT_LEADER_OR_FOLLOWER, 7, -1, -1))
                        .effects())
                .containsExactly(
                        persist(7, -1, -1),
                        abandon(),
                        role(QuorumRole.UNATTACHED, 7, -1),
                        cancel(QuorumTimer.FETCH),
                        set(QuorumTimer.ELECTION),
                        sendFetch(QuorumEffect.ANY_BOOTSTRAP, 7, 1, 2, 0));
    }

    @Test
    void anObserverFindsTheLeaderAndItsRecordsInOneAnswerAndFlushesNothing() {
        QuorumCore core = restored(4, voters(1, 2, 3), state(4, -1, -1), log(2), Guards.ALL);
        core.start();
        MetadataBatch batch = batch(1, 4, 1);
        QuorumInput answer = new QuorumInput.HandleMetadataFetchResponse(
                2,
                liveFetch(core, 4),
                new QuorumMessage.MetadataFetchResult(ErrorCode.NONE, 4, 2, List.of(), 1, 0, null, null, RECORDS),
                List.of(batch));
        assertThat(core.apply(answer).effects())
                .containsExactly(
                        persist(4, -1, 2),
                        abandon(),
                        role(QuorumRole.FOLLOWER, 4, 2),
                        set(QuorumTimer.FETCH),
                        appendFetched(batch),
                        new QuorumEffect.LeoMoved(2),
                        new QuorumEffect.HwMoved(1),
                        set(QuorumTimer.FETCH),
                        new QuorumEffect.Send(2, fetchBy(4, 4, 2, 4, 1), Requires.QUORUM_STATE));
    }

    @Test
    void anotherLeaderOfTheSameEpochIsNotBelieved() {
        QuorumCore core = follower(4, log(2), Guards.ALL);
        Step<QuorumEffect> step = core.apply(fetched(core, ErrorCode.NONE, 4, 3, 0, batch(1, 4, 1)));
        assertThat(step.action()).isNull();
        assertThat(step.effects()).containsExactly(sendFetch(2, 4, 1, 2, 0));
    }
}
