package io.tidemark.runtime;

import io.tidemark.core.log.CatchUp;

/** When a follower was last caught up with its leader, by {@link CatchUp}, in ms of the clock that {@link #fetched} is told. */
public final class FollowerTimes {
    private long offset = -1;
    private long lastFetchMs = -1;
    private long lastCaughtUpMs;
    private long endAtLastFetch = CatchUp.NO_FETCH;

    /** A follower that has not fetched yet and counts as caught up at {@code sinceMs}; -1 for never. */
    public FollowerTimes(long sinceMs) {
        lastCaughtUpMs = sinceMs;
    }

    /** It fetched from {@code fetchOffset} when the leader's log ended at {@code leaderEnd}. */
    public void fetched(long fetchOffset, long leaderEnd, long nowMs) {
        lastCaughtUpMs = switch (CatchUp.of(fetchOffset, leaderEnd, endAtLastFetch)) {
            case NOW -> nowMs;
            case AT_LAST_FETCH -> Math.max(lastCaughtUpMs, lastFetchMs);
            case BEHIND -> lastCaughtUpMs;
        };
        offset = fetchOffset;
        lastFetchMs = nowMs;
        endAtLastFetch = leaderEnd;
    }

    /** From where it last fetched; -1 before its first fetch. */
    public long offset() {
        return offset;
    }

    /** -1 before its first fetch. */
    public long lastFetchMs() {
        return lastFetchMs;
    }

    public long lastCaughtUpMs() {
        return lastCaughtUpMs;
    }
}
