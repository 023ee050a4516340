package io.tidemark.workload;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class AckTimelineTest {
    private final AckTimeline timeline = new AckTimeline();

    /** Records sent every 10, each acknowledged 2 later, from 0 until before the end. */
    private void steady(long from, long to) {
        for (long sent = from; sent < to; sent += 10) {
            timeline.add(sent, sent + 2);
        }
    }

    @Test
    void recoveryEndsWithTheFirstAcknowledgementOfARecordSentAfterTheFaultLessTheMedianLatency() {
        steady(0, 100);
        timeline.add(95, 240); // sent before the fault: its late acknowledgement proves nothing
        timeline.add(130, 250);
        steady(260, 300);
        assertThat(timeline.recoveryNanos(100)).isEqualTo(OptionalLong.of(250 - 100 - 2));
    }

    @Test
    void aFaultThatInterruptedNothingCountsAsTheTimeToTheNextSend() {
        steady(0, 200);
        assertThat(timeline.recoveryNanos(100)).isEqualTo(OptionalLong.of(0));
        assertThat(timeline.recoveryNanos(101)).isEqualTo(OptionalLong.of(112 - 101 - 2));
    }

    @Test
    void withoutAnAcknowledgementAfterwardsThereIsNoRecovery() {
        steady(0, 100);
        assertThat(timeline.recoveryNanos(100)).isEmpty();
        assertThat(timeline.ackedAfter(100)).isFalse();
        assertThat(timeline.ackedAfter(90)).isTrue();
        timeline.add(99, 500);
        assertThat(timeline.recoveryNanos(100)).isEmpty();
        assertThat(timeline.ackedAfter(100)).isFalse();
    }

    @Test
    void theMedianLatencyIsOfTheTenSecondsBefore() {
        long second = 1_000_000_000L;
        timeline.add(0, 900_000_000L);
        timeline.add(15 * second, 15 * second + 3);
        timeline.add(16 * second, 16 * second + 5);
        timeline.add(17 * second, 17 * second + 4);
        assertThat(timeline.medianLatencyBefore(20 * second)).isEqualTo(4);
        assertThat(timeline.medianLatencyBefore(2 * second)).isEqualTo(900_000_000L);
        assertThat(timeline.medianLatencyBefore(100)).isZero();
    }

    @Test
    void theLongestGapBeginsWhereTheRecoveryEnds() {
        steady(0, 100);
        timeline.add(95, 240); // sent before the fault: it ends no outage
        timeline.add(130, 250);
        steady(260, 300);
        steady(340, 400);
        assertThat(timeline.longestGapAfterRecoveryNanos(100, 400)).isEqualTo(342 - 292);
        assertThat(timeline.longestGapAfterRecoveryNanos(100, 290)).isEqualTo(262 - 250);
        assertThat(timeline.longestGapAfterRecoveryNanos(100, 320)).isEqualTo(320 - 292);
        assertThat(timeline.longestGapAfterRecoveryNanos(100, 500)).isEqualTo(500 - 392);
        assertThat(timeline.longestGapAfterRecoveryNanos(100, 240))
                .as("it had not recovered by then")
                .isZero();
        assertThat(new AckTimeline().longestGapAfterRecoveryNanos(5, 25)).isZero();
    }

    @Test
    void growsAndKeepsTheOrderOfAcknowledgements() {
        for (int i = 0; i < 1_000; i++) {
            timeline.add(i * 10L, i * 10L + 5);
        }
        timeline.add(9_992, 3);
        assertThat(timeline.size()).isEqualTo(1_001);
        assertThat(timeline.recoveryNanos(9_991)).isEqualTo(OptionalLong.of(0));
    }
}
