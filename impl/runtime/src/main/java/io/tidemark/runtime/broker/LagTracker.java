package io.tidemark.runtime.broker;

import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * When each follower was last caught up with this leader, by the loop's clock: a follower is caught up at the time of a
 * fetch from the log's end, or at the time of its fetch before where it now asks for what was the end then (KIP-16).
 */
final class LagTracker {
    private static final class Follower {
        long offset = -1;
        long caughtUpMs;
        long lastFetchMs;
        long leaderEndAtLastFetch = -1;
    }

    private final Map<Integer, Follower> followers = new TreeMap<>();

    /** A new leader epoch: everybody has {@code replica.lag.time.max.ms} from now. */
    void reset(Iterable<Integer> replicas, long nowMs) {
        followers.clear();
        for (int replica : replicas) {
            Follower follower = new Follower();
            follower.caughtUpMs = nowMs;
            followers.put(replica, follower);
        }
    }

    void fetched(int replica, long offset, long leaderEnd, long nowMs) {
        Follower follower = followers.get(replica);
        if (follower == null) {
            return;
        }
        if (offset >= leaderEnd) {
            follower.caughtUpMs = nowMs;
        } else if (follower.leaderEndAtLastFetch >= 0 && offset >= follower.leaderEndAtLastFetch) {
            follower.caughtUpMs = Math.max(follower.caughtUpMs, follower.lastFetchMs);
        }
        follower.offset = offset;
        follower.lastFetchMs = nowMs;
        follower.leaderEndAtLastFetch = leaderEnd;
    }

    /** Followers that are behind the log's end and have been for more than {@code maxMs}. */
    SortedSet<Integer> laggards(long leaderEnd, long nowMs, long maxMs) {
        TreeSet<Integer> laggards = new TreeSet<>();
        followers.forEach((id, follower) -> {
            if (follower.offset != leaderEnd && nowMs - follower.caughtUpMs > maxMs) {
                laggards.add(id);
            }
        });
        return laggards;
    }
}
