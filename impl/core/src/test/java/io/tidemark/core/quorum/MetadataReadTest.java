package io.tidemark.core.quorum;

import static io.tidemark.core.quorum.QuorumFixture.*;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.ErrorCode;
import io.tidemark.core.Step;
import io.tidemark.core.log.OffsetAndEpoch;
import java.util.List;
import org.junit.jupiter.api.Test;

class MetadataReadTest {
    /** The same fetch, as it is read again after it has waited. */
    private static Step<QuorumEffect> read(QuorumCore core, QuorumInput fetch) {
        var before = QuorumWorld.variables(core.view());
        Step<QuorumEffect> step =
                core.apply(new QuorumInput.MetadataRead(((QuorumInput.HandleMetadataFetch) fetch).request(), TOKEN));
        assertThat(step.action()).isNull();
        assertThat(QuorumWorld.variables(core.view())).isEqualTo(before);
        return step;
    }

    @Test
    void itsAnswerIsOfNow() {
        QuorumCore core = readyLeader(5, log(1, 3, 3));
        QuorumInput fetch = fetch(2, 5, 4, 5, 4);
        core.apply(new QuorumInput.AppendMetadata(5, 4, 2, RECORDS));
        assertThat(read(core, fetch).effects())
                .containsExactly(replyFetch(fetch, ErrorCode.NONE, 5, 1, 4, null, 6, false));
    }

    /** A voter that fetched once is not heard from a second time, and what it held then it may hold no more. */
    @Test
    void itCountsForNothing() {
        QuorumCore core = leader(5, log(1, 3, 3));
        core.apply(new QuorumInput.PersistMetadata(4));
        QuorumInput fetch = fetch(2, 5, 4, 5, 0);
        assertThat(read(core, fetch).effects())
                .as("neither the high watermark nor the check-quorum timer moves")
                .containsExactly(replyFetch(fetch, ErrorCode.NONE, 5, 1, 0, null, 4, false));
        assertThat(core.apply(fetch).effects()).contains(set(QuorumTimer.CHECK_QUORUM), new QuorumEffect.HwMoved(4));
    }

    @Test
    void whoLeadsNoLongerSaysSo() {
        QuorumCore core = readyLeader(5, log(1, 3, 3));
        core.apply(begin(6, 3));
        QuorumInput fetch = fetch(2, 5, 4, 5, 4);
        assertThat(read(core, fetch).effects())
                .isEqualTo(List.of(replyFetch(fetch, ErrorCode.FENCED_LEADER_EPOCH, 6, 3, -1, null, 4, true)));
    }

    @Test
    void oneThatDivergesIsToldWhere() {
        QuorumInput fetch = fetch(2, 5, 5, 3, 0);
        assertThat(read(readyLeader(5, log(1, 3, 3)), fetch).effects())
                .containsExactly(replyFetch(fetch, ErrorCode.NONE, 5, 1, 4, new OffsetAndEpoch(3, 3), 5, true));
    }
}
