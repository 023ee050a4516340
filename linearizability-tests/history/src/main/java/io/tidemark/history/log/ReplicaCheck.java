package io.tidemark.history.log;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Compares the logs of a partition's replicas below its high watermark, once all replicas are in sync: they must hold
 * the same bytes, without a hole, and every acknowledged record at its offset.
 */
public final class ReplicaCheck {
    private final AnomalyLog log;

    public ReplicaCheck(AnomalyLog log) {
        this.log = log;
    }

    /**
     * Compares all replicas of one partition.
     *
     * @param highWatermark exclusive; what lies at or above it is not compared
     * @param history knows what was acknowledged
     */
    public void check(Object key, long highWatermark, List<ReplicaLog> replicas, LogHistoryCheck history) {
        for (ReplicaLog replica : replicas) {
            whole(key, highWatermark, replica);
            acknowledged(key, highWatermark, replica, history);
        }
        for (ReplicaLog replica : replicas.subList(Math.min(1, replicas.size()), replicas.size())) {
            same(key, highWatermark, replicas.get(0), replica);
        }
    }

    private void whole(Object key, long highWatermark, ReplicaLog replica) {
        long expected = replica.size() == 0 ? 0 : replica.offset(0);
        for (int i = 0; i < replica.size() && replica.offset(i) < highWatermark; i++) {
            long offset = replica.offset(i);
            if (offset != expected) {
                tooShort(
                        key,
                        expected,
                        "node " + replica.node() + " holds no record at offset " + expected + ", the next one is at "
                                + offset);
            }
            expected = offset + 1;
        }
        if (expected < highWatermark) {
            tooShort(
                    key,
                    expected,
                    "the log of node " + replica.node() + " ends at offset " + replica.endOffset()
                            + ", below the high watermark " + highWatermark);
        }
    }

    private void tooShort(Object key, long offset, String explanation) {
        log.add(AnomalyType.REPLICA_SHORT, key, offset, null, explanation, List.of());
    }

    /** A hole in one of the two is {@link #whole}'s to report. */
    private void same(Object key, long highWatermark, ReplicaLog one, ReplicaLog other) {
        int i = 0;
        int j = 0;
        while (i < one.size() && j < other.size()) {
            long left = one.offset(i);
            long right = other.offset(j);
            if (Math.min(left, right) >= highWatermark) {
                return;
            }
            if (left == right && (one.digest(i) != other.digest(j) || one.leaderEpoch(i) != other.leaderEpoch(j))) {
                log.add(
                        AnomalyType.REPLICA_DIFFERS,
                        key,
                        left,
                        one.value(i) == ReplicaLog.NO_VALUE ? null : one.value(i),
                        "at offset " + left + " " + holds(one, i) + ", " + holds(other, j),
                        List.of());
            }
            i += left <= right ? 1 : 0;
            j += right <= left ? 1 : 0;
        }
    }

    private void acknowledged(Object key, long highWatermark, ReplicaLog replica, LogHistoryCheck history) {
        history.forEachAcknowledged(key, (offset, value) -> {
            int i = replica.find(offset);
            if (i >= 0 && value instanceof Long number && replica.value(i) == number) {
                return;
            }
            missing(key, highWatermark, replica, offset, value, i);
        });
    }

    private void missing(
            Object key, long highWatermark, ReplicaLog replica, long offset, @Nullable Object value, int found) {
        String above = offset >= highWatermark ? ", above the high watermark " + highWatermark : "";
        log.add(
                AnomalyType.REPLICA_MISSING,
                key,
                offset,
                value,
                "record " + value + ", acknowledged at offset " + offset + ", is not in the log of node "
                        + replica.node() + ", which holds " + (found < 0 ? "nothing" : text(replica.value(found)))
                        + " there" + above,
                List.of());
    }

    private static String holds(ReplicaLog replica, int i) {
        return "node " + replica.node() + " holds " + text(replica.value(i)) + " of epoch " + replica.leaderEpoch(i);
    }

    private static String text(long value) {
        return value == ReplicaLog.NO_VALUE ? "a record of an unknown value" : "record " + value;
    }
}
