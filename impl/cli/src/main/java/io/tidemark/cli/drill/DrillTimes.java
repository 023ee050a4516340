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

/** Recovery times and points out of what was recorded. */
final class DrillTimes {
    private static final long NANOS = 1_000_000;

    private DrillTimes() {}

    /** Over every effective fault and partition; a time below the resolution is 0. */
    static DrillOutcome.Rto rto(Recorder recorder, List<FaultRecord> faults, int partitions, long resolutionMs) {
        List<Long> times = new ArrayList<>();
        boolean never = false;
        for (FaultRecord fault : faults) {
            for (int partition = 0; partition < partitions && fault.effective(); partition++) {
                long nanos = recorder.timeline(
                        partition,
                        timeline -> timeline.recoveryNanos(fault.startNanos()).orElse(-1));
                never |= nanos < 0;
                long millis = nanos / NANOS;
                times.add(millis <= resolutionMs ? 0 : millis);
            }
        }
        if (times.isEmpty()) {
            return new DrillOutcome.Rto(null, null, resolutionMs);
        }
        Collections.sort(times);
        Long worst = never ? null : times.get(times.size() - 1);
        return new DrillOutcome.Rto(worst, times.get(times.size() / 2), resolutionMs);
    }

    /**
     * For each fault the longest time that the worst partition acknowledged nothing, from the fault's start until the
     * cluster was whole again, less the median latency; below twice the resolution it is 0.
     */
    static List<Long> unavailability(Recorder recorder, List<FaultRecord> faults, int partitions, long resolutionMs) {
        List<Long> worst = new ArrayList<>();
        for (FaultRecord fault : faults) {
            long longest = 0;
            for (int partition = 0; partition < partitions; partition++) {
                longest = Math.max(longest, recorder.timeline(partition, timeline -> gap(timeline, fault)));
            }
            long millis = longest / NANOS;
            worst.add(millis <= 2 * resolutionMs ? 0 : millis);
        }
        return worst;
    }

    private static long gap(AckTimeline timeline, FaultRecord fault) {
        long start = fault.startNanos();
        return timeline.longestGapNanos(start, fault.healedNanos()) - timeline.medianLatencyBefore(start);
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
