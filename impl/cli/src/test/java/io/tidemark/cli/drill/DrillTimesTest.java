package io.tidemark.cli.drill;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.history.log.LostRecord;
import io.tidemark.workload.Acks;
import io.tidemark.workload.Recorder;
import io.tidemark.workload.fault.ClusterObserver;
import io.tidemark.workload.fault.FaultKind;
import io.tidemark.workload.fault.FaultRecord;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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

    /**
     * Partition 0 acknowledges every 100 ms what took 10 ms, partition 1 too, but for a pause from 10 s to 12 s and
     * from the given time on. The fault begins at 10 s and is healed at 15 s.
     */
    private static Recorder recorder(Path dir, long lastOfPartition1) throws IOException {
        Acks acks = new Acks(dir.resolve("history.edn"), 2);
        for (long at = 0; at < 30 * SECOND; at += SECOND / 10) {
            acks.add(0, at, at + SECOND / 100);
            if ((at < 10 * SECOND || at >= 12 * SECOND) && at < lastOfPartition1) {
                acks.add(1, at + SECOND / 50, at + SECOND / 50 + SECOND / 100);
            }
        }
        return acks.recorder();
    }

    private static final List<FaultRecord> FAULT = List.of(Outcomes.fault(1, FaultKind.KILL, true));

    @Test
    void whatAFaultDidNotInterruptIsZeroAndInTheMedian(@TempDir Path dir) throws Exception {
        Recorder recorder = recorder(dir, Long.MAX_VALUE);
        // The first record after the fault was sent at 12.02 s and took the median latency, which does not count.
        assertThat(DrillTimes.rto(recorder, FAULT, 2, 100)).isEqualTo(new DrillOutcome.Rto(2_020L, 2_020L, 100));
        assertThat(DrillTimes.rto(recorder, FAULT, 1, 100)).isEqualTo(new DrillOutcome.Rto(0L, 0L, 100));
        assertThat(DrillTimes.ofFaults(recorder, FAULT, 1, 100)).containsExactly(new DrillOutcome.FaultTimes(0L, 0));
        assertThat(DrillTimes.ofFaults(recorder, FAULT, 2, 100))
                .containsExactly(new DrillOutcome.FaultTimes(2_020L, 2_020));
    }

    @Test
    void aPartitionThatNeverRecoversIsWorseThanAnyTime(@TempDir Path dir) throws Exception {
        Recorder recorder = recorder(dir, 10 * SECOND);
        assertThat(DrillTimes.rto(recorder, FAULT, 2, 100)).isEqualTo(new DrillOutcome.Rto(null, null, 100));
        assertThat(DrillTimes.ofFaults(recorder, FAULT, 2, 100))
                .as("without an acknowledgement until the wait for healing ended, 5 s after the start")
                .containsExactly(new DrillOutcome.FaultTimes(null, 5_000));
    }

    @Test
    void theGapIsTheRecoveryTimeOrALaterOneThatIsLonger(@TempDir Path dir) throws Exception {
        Acks acks = new Acks(dir.resolve("history.edn"), 1);
        // Silent from 10 s to 11 s and from 12 s to 14 s. The fault begins at 10 s and is healed at 15 s.
        for (long at = 0; at < 30 * SECOND; at += SECOND / 10) {
            boolean first = at >= 10 * SECOND && at < 11 * SECOND;
            boolean second = at >= 12 * SECOND && at < 14 * SECOND;
            if (!first && !second) {
                acks.add(0, at, at + SECOND / 100);
            }
        }
        assertThat(DrillTimes.ofFaults(acks.recorder(), FAULT, 1, 100))
                .containsExactly(new DrillOutcome.FaultTimes(1_000L, 2_100));
    }

    @Test
    void whatWasUnderWayAtTheFaultAndIsAcknowledgedLateDoesNotShortenTheGap(@TempDir Path dir) throws Exception {
        Acks acks = new Acks(dir.resolve("history.edn"), 1);
        for (long at = 0; at < 20 * SECOND; at += SECOND / 10) {
            if (at < 10 * SECOND || at >= 13 * SECOND) {
                long late = at == 10 * SECOND - SECOND / 10 ? 2 * SECOND : 0;
                acks.add(0, at, at + SECOND / 100 + late);
            }
        }
        assertThat(DrillTimes.ofFaults(acks.recorder(), FAULT, 1, 100))
                .containsExactly(new DrillOutcome.FaultTimes(3_000L, 3_000));
    }

    @Test
    void aFaultWithoutEffectHasNoPartInTheRecoveryTime(@TempDir Path dir) throws Exception {
        List<FaultRecord> none = List.of(Outcomes.fault(1, FaultKind.KILL, false));
        assertThat(DrillTimes.rto(recorder(dir, Long.MAX_VALUE), none, 2, 100))
                .isEqualTo(new DrillOutcome.Rto(null, null, 100));
    }
}
