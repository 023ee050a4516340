package io.tidemark.workload;

import java.util.Arrays;
import java.util.OptionalLong;

/**
 * When the records of one partition were sent and acknowledged, in the order of their acknowledgements; and what that
 * says about the partition's availability. Times are nanoseconds since the run began.
 */
public final class AckTimeline {
    private static final long MEDIAN_WINDOW = 10_000_000_000L;

    private long[] sent = new long[256];
    private long[] acked = new long[256];
    private int size;

    /** Adds an acknowledgement; one that is earlier than the last (threads race) counts as simultaneous. */
    public void add(long sentAt, long ackedAt) {
        if (size == sent.length) {
            sent = Arrays.copyOf(sent, size * 2);
            acked = Arrays.copyOf(acked, size * 2);
        }
        sent[size] = sentAt;
        acked[size] = size == 0 ? ackedAt : Math.max(ackedAt, acked[size - 1]);
        size++;
    }

    public int size() {
        return size;
    }

    /**
     * The recovery time of a fault: from its start to the first acknowledgement of a record sent after it, minus the
     * median latency in the ten seconds before. Empty if no such acknowledgement came.
     */
    public OptionalLong recoveryNanos(long faultStart) {
        for (int i = firstAckFrom(faultStart); i < size; i++) {
            if (sent[i] >= faultStart) {
                return OptionalLong.of(Math.max(0, acked[i] - faultStart - medianLatencyBefore(faultStart)));
            }
        }
        return OptionalLong.empty();
    }

    /** The median of the latencies of what was acknowledged in the ten seconds before; 0 if nothing was. */
    public long medianLatencyBefore(long time) {
        int to = firstAckFrom(time);
        int from = firstAckFrom(time - MEDIAN_WINDOW);
        if (from == to) {
            return 0;
        }
        long[] latencies = new long[to - from];
        Arrays.setAll(latencies, i -> acked[from + i] - sent[from + i]);
        Arrays.sort(latencies);
        return latencies[latencies.length / 2];
    }

    /**
     * The longest time between two acknowledgements from the first one of a record sent after {@code from} on; {@code to}
     * counts as an acknowledgement, and what comes after it does not count. Before that first one lies what
     * {@link #recoveryNanos} tells; 0 where it came after {@code to}, or never.
     */
    public long longestGapAfterRecoveryNanos(long from, long to) {
        int i = firstAckFrom(from);
        while (i < size && sent[i] < from) {
            i++;
        }
        long longest = 0;
        for (long last = i < size ? acked[i] : to; last < to; ) {
            i++;
            long next = i < size ? Math.min(to, acked[i]) : to;
            longest = Math.max(longest, next - last);
            last = next;
        }
        return longest;
    }

    /** Whether a record sent at or after the time was acknowledged. */
    public boolean ackedAfter(long time) {
        for (int i = size - 1; i >= 0 && acked[i] >= time; i--) {
            if (sent[i] >= time) {
                return true;
            }
        }
        return false;
    }

    /** How many records sent at or after the time were acknowledged. */
    public long countSentAndAckedAfter(long time) {
        long count = 0;
        for (int i = firstAckFrom(time); i < size; i++) {
            count += sent[i] >= time ? 1 : 0;
        }
        return count;
    }

    private int firstAckFrom(long time) {
        int low = 0;
        int high = size;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (acked[middle] < time) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }
}
