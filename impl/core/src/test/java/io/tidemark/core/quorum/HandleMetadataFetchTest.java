package io.tidemark.core.quorum;

import static io.tidemark.core.quorum.QuorumFixture.*;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.ErrorCode;
import io.tidemark.core.Guard;
import io.tidemark.core.Guards;
import io.tidemark.core.SpecAction;
import io.tidemark.core.Step;
import io.tidemark.core.log.EpochStart;
import io.tidemark.core.log.LogState;
import io.tidemark.core.log.OffsetAndEpoch;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class HandleMetadataFetchTest {
    /** Log of epochs 1, 3, 3 and its own LeaderChange of epoch 5 at 3, flushed. */
    private static QuorumCore leader5(Guards guards) {
        QuorumCore core = leader(5, log(1, 3, 3), guards);
        core.apply(new QuorumInput.PersistMetadata(4));
        return core;
    }

    @Test
    void aVotersFetchCommitsAndIsAnsweredWithTheNewHighWatermark() {
        QuorumCore core = leader5(Guards.ALL);
        QuorumInput fetch = fetch(2, 5, 4, 5, 0);
        Step<QuorumEffect> step = core.apply(fetch);
        assertThat(step.action()).isEqualTo(SpecAction.HandleMetadataFetch);
        assertThat(step.effects())
                .containsExactly(
                        set(QuorumTimer.CHECK_QUORUM),
                        new QuorumEffect.HwMoved(4),
                        new QuorumEffect.LeaderReady(5),
                        replyFetch(fetch, ErrorCode.NONE, 5, 1, 4, null, 4, true));
        assertThat(core.view().voterFetch()).containsEntry(2, 4L);
    }

    @Test
    void recordsOfEarlierEpochsAloneAreNotCommitted() {
        QuorumCore core = leader5(Guards.ALL);
        core.apply(fetch(2, 5, 3, 3, 0));
        assertThat(core.view().hw()).isZero();
        QuorumCore unguarded = leader5(Guards.without(Guard.OWN_EPOCH_COMMIT));
        unguarded.apply(fetch(2, 5, 3, 3, 0));
        assertThat(unguarded.view().hw()).isEqualTo(3);
    }

    @Test
    void withNothingNewItMayBeParked() {
        QuorumCore core = leader5(Guards.ALL);
        core.apply(fetch(2, 5, 4, 5, 0));
        // One that knows a higher watermark learns nothing; nor does one that does not tell.
        for (QuorumInput fetch : List.of(fetch(2, 5, 4, 5, 4), fetch(3, 5, 4, 5, 9), fetch(3, 5, 4, 5, -1))) {
            assertThat(core.apply(fetch).effects())
                    .contains(replyFetch(fetch, ErrorCode.NONE, 5, 1, 4, null, 4, false));
        }
    }

    @Test
    void aDivergingFetchIsToldWhereAndCountsForNothing() {
        QuorumCore core = leader5(Guards.ALL);
        // epoch, offset -> end of the last epoch at most that one
        diverges(core, fetch(2, 5, 2, 2, 0), 2, new OffsetAndEpoch(1, 1));
        diverges(core, fetch(2, 5, 5, 3, 0), 5, new OffsetAndEpoch(3, 3));
        diverges(core, fetch(2, 5, 3, 1, 0), 3, new OffsetAndEpoch(1, 1));
        diverges(core, fetch(2, 5, 4, 4, 0), 4, new OffsetAndEpoch(3, 3));
        diverges(core, fetch(2, 5, 9, 5, 0), 9, new OffsetAndEpoch(4, 5));
        assertThat(core.view().voterFetch()).containsEntry(2, -1L);
        assertThat(core.view().hw()).isZero();
    }

    private static void diverges(QuorumCore core, QuorumInput fetch, long from, OffsetAndEpoch end) {
        assertThat(core.apply(fetch).effects())
                .containsExactly(replyFetch(fetch, ErrorCode.NONE, 5, 1, 0, end, from, true));
    }

    @Test
    void anEmptyLogFetchesFromTheStartWhateverItsEpoch() {
        QuorumInput fetch = fetch(2, 5, 0, 0, 0);
        assertThat(leader5(Guards.ALL).apply(fetch).effects())
                .contains(replyFetch(fetch, ErrorCode.NONE, 5, 1, 0, null, 4, false));
    }

    @Test
    void anObserverIsAnsweredAndDoesNotCount() {
        QuorumCore core = leader5(Guards.ALL);
        QuorumInput observers = fetch(4, 5, 4, 5, 0);
        assertThat(core.apply(observers).effects())
                .containsExactly(replyFetch(observers, ErrorCode.NONE, 5, 1, 0, null, 4, false));
        // The wiped voter is an observer until its new directory is made a voter.
        QuorumMessage.MetadataFetch wiped =
                new QuorumMessage.MetadataFetch(CLUSTER, new ReplicaKey(2, new UUID(9, 9)), 5, 4, 5, 0, 500);
        core.apply(new QuorumInput.HandleMetadataFetch(wiped, TOKEN));
        assertThat(core.view().hw()).isZero();
        assertThat(core.view().voterFetch()).containsOnlyKeys(1, 2, 3).containsEntry(2, -1L);
    }

    @Test
    void inFiveVotersTwoFetchersKeepTheLeaderAndCommit() {
        QuorumCore core = restored(1, voters(1, 2, 3, 5, 6), state(3, -1, -1), log(), Guards.ALL);
        core.start();
        core.apply(new QuorumInput.ElectionTimeout());
        for (int round = 0; round < 2; round++) {
            grant(core, 2);
            grant(core, 3);
        }
        core.apply(new QuorumInput.PersistMetadata(1));
        assertThat(core.apply(fetch(2, 4, 1, 4, 0)).effects()).doesNotContain(set(QuorumTimer.CHECK_QUORUM));
        assertThat(core.apply(fetch(2, 4, 1, 4, 0)).effects()).doesNotContain(set(QuorumTimer.CHECK_QUORUM));
        assertThat(core.view().hw()).isZero();
        assertThat(core.apply(fetch(6, 4, 1, 4, 0)).effects())
                .startsWith(set(QuorumTimer.CHECK_QUORUM), new QuorumEffect.HwMoved(1));
    }

    @Test
    void aLateFetchDoesNotTakeTheHighWatermarkBack() {
        QuorumCore core = readyLeader(5, log(1, 3, 3));
        core.apply(fetch(2, 5, 3, 3, 0));
        assertThat(core.view().hw()).isEqualTo(4);
        assertThat(core.view().voterFetch()).containsEntry(2, 3L);
    }

    @Test
    void errorsAreKafkas() {
        QuorumCore core = leader5(Guards.ALL);
        refused(core, fetch(2, 4, 4, 4, 0), ErrorCode.FENCED_LEADER_EPOCH, 5, 1);
        refused(core, fetch(2, 6, 4, 5, 0), ErrorCode.UNKNOWN_LEADER_EPOCH, 5, 1);
        refused(core, fetch(2, 5, 4, 6, 0), ErrorCode.INVALID_REQUEST, 5, 1);
        refused(core, fetch(2, 5, 4, -1, 0), ErrorCode.INVALID_REQUEST, 5, 1);
        refused(core, fetch(1, 5, 4, 5, 0), ErrorCode.INVALID_REQUEST, 5, 1);
        refused(
                core,
                new QuorumInput.HandleMetadataFetch(
                        new QuorumMessage.MetadataFetch("other", key(2), 5, 4, 5, 0, 500), TOKEN),
                ErrorCode.INCONSISTENT_CLUSTER_ID,
                5,
                1);
        refused(follower(5, log(), Guards.ALL), fetch(3, 5, 4, 5, 0), ErrorCode.NOT_LEADER_OR_FOLLOWER, 5, 2);
        refused(unattached(5, log()), fetch(3, 5, 4, 5, 0), ErrorCode.NOT_LEADER_OR_FOLLOWER, 5, -1);
    }

    private static void refused(QuorumCore core, QuorumInput fetch, ErrorCode error, int epoch, int leader) {
        var before = QuorumWorld.variables(core.view());
        Step<QuorumEffect> step = core.apply(fetch);
        assertThat(step.action()).isNull();
        long from = ((QuorumInput.HandleMetadataFetch) fetch).request().fetchOffset();
        assertThat(step.effects()).containsExactly(replyFetch(fetch, error, epoch, leader, -1, null, from, true));
        assertThat(QuorumWorld.variables(core.view())).isEqualTo(before);
    }

    @Test
    void whatIsBelowTheLogStartHasNoSnapshotToOffer() {
        LogState log = new LogState(2, 3, 3, 3, List.of(new EpochStart(1, 2)), List.of());
        QuorumCore core = leader(5, log);
        QuorumEffect reply = core.apply(fetch(2, 5, 1, 1, 0)).effects().get(0);
        assertThat(((QuorumEffect.ReplyFetch) reply).response().error()).isEqualTo(ErrorCode.SNAPSHOT_NOT_FOUND);
    }
}
