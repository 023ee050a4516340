package io.tidemark.core.quorum;

import static io.tidemark.core.quorum.QuorumFixture.*;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.ErrorCode;
import io.tidemark.core.Guard;
import io.tidemark.core.Guards;
import io.tidemark.core.SpecAction;
import io.tidemark.core.Step;
import org.junit.jupiter.api.Test;

class PersistMetadataTest {
    private static QuorumInput persisted(long offset) {
        return new QuorumInput.PersistMetadata(offset);
    }

    @Test
    void theLeaderCountsItselfOnceItsRecordsAreOnDisk() {
        QuorumCore core = leader(4, log(2));
        core.apply(fetch(2, 4, 2, 4, 0));
        assertThat(core.view().hw()).isZero();
        Step<QuorumEffect> step = core.apply(persisted(2));
        assertThat(step.action()).isEqualTo(SpecAction.PersistMetadata);
        assertThat(step.effects()).containsExactly(new QuorumEffect.HwMoved(2), new QuorumEffect.LeaderReady(4));
        assertThat(core.view().leaderReady()).isTrue();
    }

    @Test
    void withoutQuorumFlushItCountsWhatAPowerLossTakes() {
        QuorumCore core = leader(4, log(2), Guards.without(Guard.QUORUM_FLUSH));
        core.apply(fetch(2, 4, 2, 4, 0));
        assertThat(core.view().hw()).isEqualTo(2);
        assertThat(core.view().flushed()).isEqualTo(1);
    }

    @Test
    void aFollowersFetchWaitsForItOnlyWithTheGuard() {
        for (boolean guarded : new boolean[] {true, false}) {
            QuorumCore core = follower(4, log(2), guarded ? Guards.ALL : Guards.without(Guard.QUORUM_FLUSH));
            Step<QuorumEffect> step = core.apply(fetched(core, ErrorCode.NONE, 4, 2, 0, batch(1, 4, 1)));
            assertThat(step.effects()).endsWith(guarded ? sendFetch(2, 4, 2, 4, 0) : send(2, fetchBy(1, 4, 2, 4, 0)));
        }
    }

    @Test
    void whatIsKnownOrNotThereIsNoNews() {
        QuorumCore core = follower(4, log(2), Guards.ALL);
        assertThat(core.apply(persisted(1)).action()).isNull();
        assertThat(core.apply(persisted(7)).action()).isNull();
        assertThat(core.view().flushed()).isEqualTo(1);
        core.apply(fetched(core, ErrorCode.NONE, 4, 2, 0, batch(1, 4, 2)));
        Step<QuorumEffect> step = core.apply(persisted(3));
        assertThat(step.action()).isEqualTo(SpecAction.PersistMetadata);
        assertThat(step.effects()).isEmpty();
        assertThat(core.view().flushed()).isEqualTo(3);
    }

    @Test
    void theOnlyVoterCommitsByItself() {
        QuorumCore core = restored(1, voters(1), QuorumStateData.INITIAL, log(), Guards.ALL);
        core.start();
        core.apply(new QuorumInput.ElectionTimeout());
        grant(core, 1);
        assertThat(core.view().role()).isEqualTo(QuorumRole.CANDIDATE);
        grant(core, 1);
        assertThat(core.view().role()).isEqualTo(QuorumRole.LEADER);
        assertThat(core.apply(persisted(1)).effects())
                .containsExactly(new QuorumEffect.HwMoved(1), new QuorumEffect.LeaderReady(1));
    }
}
