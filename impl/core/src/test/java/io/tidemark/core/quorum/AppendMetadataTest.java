package io.tidemark.core.quorum;

import static io.tidemark.core.quorum.QuorumFixture.*;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.Guard;
import io.tidemark.core.Guards;
import io.tidemark.core.SpecAction;
import io.tidemark.core.Step;
import org.junit.jupiter.api.Test;

class AppendMetadataTest {
    private static QuorumInput append(int epoch, long base, int count) {
        return new QuorumInput.AppendMetadata(epoch, base, count, RECORDS);
    }

    @Test
    void aReadyLeaderWritesFlushesAndTells() {
        QuorumCore core = readyLeader(4, log(2));
        Step<QuorumEffect> step = core.apply(append(4, 2, 3));
        assertThat(step.action()).isEqualTo(SpecAction.AppendMetadata);
        assertThat(step.effects())
                .containsExactly(
                        new QuorumEffect.AppendRecords(2, 4, 3, RECORDS),
                        new QuorumEffect.Flush(),
                        new QuorumEffect.LeoMoved(5));
        assertThat(core.view().log().endOffset()).isEqualTo(5);
        assertThat(core.view().log().epochAt(4)).isEqualTo(4);
        assertThat(core.view().hw()).isEqualTo(2);
    }

    @Test
    void nothingIsTakenBeforeTheOwnLeaderChangeIsCommitted() {
        QuorumCore core = leader(4, log(2));
        assertThat(core.apply(append(4, 2, 1)).action()).isNull();
        assertThat(core.apply(append(4, 2, 1)).effects()).isEmpty();
        QuorumCore unguarded = leader(4, log(2), Guards.without(Guard.ACTIVATE_AFTER_OWN_ENTRY));
        assertThat(unguarded.apply(append(4, 2, 1)).action()).isEqualTo(SpecAction.AppendMetadata);
    }

    @Test
    void anotherEpochPlaceOrRoleIsRefused() {
        QuorumCore core = readyLeader(4, log(2));
        for (QuorumInput bad : new QuorumInput[] {append(3, 2, 1), append(4, 1, 1), append(4, 3, 1), append(4, 2, 0)}) {
            assertThat(core.apply(bad).action()).isNull();
        }
        assertThat(core.view().log().endOffset()).isEqualTo(2);
        assertThat(follower(4, log(2), Guards.ALL).apply(append(4, 1, 1)).action())
                .isNull();
    }
}
