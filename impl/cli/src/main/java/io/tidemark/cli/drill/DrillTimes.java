package io.tidemark.cli.drill;

import io.tidemark.history.log.LostRecord;
import io.tidemark.workload.AckTimeline;
import io.tidemark.workload.Recorder;
import io.tidemark.workload.fault.ClusterObserver;
import io.tidemark.workload.fault.FaultRecord;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** Recovery times and points out of what was recorded. */
final class DrillTimes {
    private static final long NANOS = 1_000_000;
    private static final long NEVER = Long.MAX_VALUE;

    private DrillTimes() {}

    /** Over every effective fault and partition; one without an interruption is 0 and counts. */
    static DrillOutcome.Rto rto(Recorder recorder, List<FaultRecord> faults, int partitions, long resolutionMs) {
        List<Long> times = new ArrayList<>();
        for (FaultRecord fault : faults) {
            for (int partition = 0; partition < partitions && fault.effective(); partition++) {
                times.add(recovery(recorder, fault, partition, resolutionMs));
            }
        }
        if (times.isEmpty()) {
            return new DrillOutcome.Rto(null, null, resolutionMs);
        }
        Collections.sort(times);
        return new DrillOutcome.Rto(
                known(times.get(times.size() - 1)), known(times.get(times.size() / 2)), resolutionMs);
    }

    /**
     * Of each fault the times of the partition that it hit hardest. The gap begins where the recovery time does, so that
     * it is never the shorter of the two.
     */
    static List<DrillOutcome.FaultTimes> ofFaults(
            Recorder recorder, List<FaultRecord> faults, int partitions, long resolutionMs) {
        List<DrillOutcome.FaultTimes> times = new ArrayList<>();
        for (FaultRecord fault : faults) {
            long recovery = 0;
            long gap = 0;
            for (int partition = 0; partition < partitions; partition++) {
                recovery = Math.max(recovery, recovery(recorder, fault, partition, resolutionMs));
                gap = Math.max(gap, recorder.timeline(partition, timeline -> gap(timeline, fault)) / NANOS);
            }
            // Where nothing is amiss, up to two sends' distance lies between two acknowledgements.
            gap = gap <= 2 * resolutionMs ? 0 : gap;
            long outage = recovery == NEVER ? (fault.healedNanos() - fault.startNanos()) / NANOS : recovery;
            times.add(new DrillOutcome.FaultTimes(known(recovery), Math.max(outage, gap)));
        }
        return times;
    }

    /** Milliseconds, {@link #NEVER} if no record sent after the fault's start was acknowledged. */
    private static long recovery(Recorder recorder, FaultRecord fault, int partition, long resolutionMs) {
        long nanos = recorder.timeline(
                partition,
                timeline -> timeline.recoveryNanos(fault.startNanos()).orElse(NEVER));
        long millis = nanos == NEVER ? NEVER : nanos / NANOS;
        return millis <= resolutionMs ? 0 : millis;
    }

    private static @Nullable Long known(long millis) {
        return millis == NEVER ? null : (Long) millis;
    }

    private static long gap(AckTimeline timeline, FaultRecord fault) {
        return timeline.longestGapAfterRecoveryNanos(fault.startNanos(), fault.healedNanos());
    }

    /**
     * The age of the oldest lost record when it was lost: when the next fault began or its partition's leader changed,
     * whichever came first. 0 if none was lost.
     */
    static long oldestLostMs(
            List<LostRecord> lost,
            List<FaultRecord> faults,
            List<ClusterObserver.Leadership> leaderships,
            long endNanos) {
        long oldest = 0;
        for (LostRecord each : lost) {
            LongStream begun = faults.stream().mapToLong(FaultRecord::startNanos);
            LongStream changed = leaderships.stream()
                    .filter(led -> Integer.valueOf(led.partition()).equals(each.partition()))
                    .mapToLong(ClusterObserver.Leadership::fromNanos);
            long until = LongStream.concat(begun, changed)
                    .filter(time -> time >= each.ackTime())
                    .min()
                    .orElse(endNanos);
            oldest = Math.max(oldest, (until - each.ackTime()) / NANOS);
        }
        return oldest;
    }
}
