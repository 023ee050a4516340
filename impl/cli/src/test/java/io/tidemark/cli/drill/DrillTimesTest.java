package io.tidemark.cli.drill;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.history.log.LostRecord;
import io.tidemark.workload.fault.ClusterObserver;
import io.tidemark.workload.fault.FaultKind;
import java.util.List;
import org.junit.jupiter.api.Test;

class DrillTimesTest {
    private static final long SECOND = 1_000_000_000L;

    private static LostRecord lostAt(double seconds) {
        return new LostRecord("drill-3", 7, 1L, (long) (seconds * SECOND));
    }

    /** A fault at 10 s; the leader of partition 3 changed at 13 s and at 20 s, that of another one at 11 s. */
    private static long oldestMs(LostRecord... lost) {
        return DrillTimes.oldestLostMs(
                List.of(lost),
                List.of(Outcomes.fault(1, FaultKind.ROLLING_RESTART, true)),
                List.of(
                        new ClusterObserver.Leadership(3, 1, 2, 13 * SECOND),
                        new ClusterObserver.Leadership(3, 2, 1, 20 * SECOND),
                        new ClusterObserver.Leadership(4, 1, 1, 11 * SECOND)),
                60 * SECOND);
    }

    @Test
    void whatIsLostIsAsOldAsItWasWhenTheFaultBegan() {
        assertThat(oldestMs(lostAt(9.5), lostAt(9.9))).isEqualTo(500);
    }

    @Test
    void whatWasAcknowledgedWhileAFaultWentOnIsLostWithItsLeader() {
        assertThat(oldestMs(lostAt(10.5))).isEqualTo(2_500);
        assertThat(oldestMs(lostAt(18))).isEqualTo(2_000);
    }

    @Test
    void whatNothingExplainsIsLostByTheEnd() {
        assertThat(oldestMs(lostAt(59))).isEqualTo(1_000);
        assertThat(oldestMs()).isZero();
    }
}
