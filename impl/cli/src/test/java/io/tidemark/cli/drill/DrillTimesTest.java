package io.tidemark.cli.drill;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.history.log.LostRecord;
import io.tidemark.workload.fault.FaultKind;
import java.util.List;
import org.junit.jupiter.api.Test;

class DrillTimesTest {
    private static LostRecord lost(long ackSeconds) {
        return new LostRecord("drill-0", 1, 7L, ackSeconds * 1_000_000_000L);
    }

    @Test
    void aLostRecordIsAsOldAsItWasWhenTheNextFaultBegan() {
        var faults = List.of(
                Outcomes.fault(1, FaultKind.KILL, true), // from second 10
                Outcomes.fault(2, FaultKind.KILL, true)); // from second 20
        assertThat(DrillTimes.oldestLostMs(List.of(), faults, 30_000_000_000L)).isZero();
        assertThat(DrillTimes.oldestLostMs(List.of(lost(9)), faults, 30_000_000_000L))
                .isEqualTo(1_000);
        assertThat(DrillTimes.oldestLostMs(List.of(lost(9), lost(14)), faults, 30_000_000_000L))
                .isEqualTo(6_000);
        assertThat(DrillTimes.oldestLostMs(List.of(lost(22)), faults, 30_000_000_000L))
                .isEqualTo(8_000);
    }
}
