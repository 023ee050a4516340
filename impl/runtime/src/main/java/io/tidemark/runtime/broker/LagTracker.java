package io.tidemark.runtime.broker;

import io.tidemark.runtime.FollowerTimes;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** When each follower was last caught up with this leader, by the loop's clock. */
final class LagTracker {
    private final Map<Integer, FollowerTimes> followers = new TreeMap<>();

    /** A new leader epoch: everybody has {@code replica.lag.time.max.ms} from now. */
    void reset(Iterable<Integer> replicas, long nowMs) {
        followers.clear();
        replicas.forEach(replica -> followers.put(replica, new FollowerTimes(nowMs)));
    }

    void fetched(int replica, long offset, long leaderEnd, long nowMs) {
        FollowerTimes follower = followers.get(replica);
        if (follower != null) {
            follower.fetched(offset, leaderEnd, nowMs);
        }
    }

    /**
     * Followers that are behind the log's end and have been for more than {@code maxMs}. The core asks for the first again, as a
     * condition of its action whoever tells it; here it spares an idle partition inputs that change nothing.
     */
    SortedSet<Integer> laggards(long leaderEnd, long nowMs, long maxMs) {
        TreeSet<Integer> laggards = new TreeSet<>();
        followers.forEach((id, follower) -> {
            if (follower.offset() != leaderEnd && nowMs - follower.lastCaughtUpMs() > maxMs) {
                laggards.add(id);
            }
        });
        return laggards;
    }
}
