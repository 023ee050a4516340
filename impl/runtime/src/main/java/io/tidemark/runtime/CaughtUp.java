package io.tidemark.runtime;

/**
 * When a follower was last caught up with its leader, in ms of the clock that {@link #fetched} is told: at a fetch from the
 * log's end, or at its fetch before where it now asks for what was the end then (KIP-16).
 */
public final class CaughtUp {
    private long offset = -1;
    private long lastFetchMs = -1;
    private long lastCaughtUpMs;
    private long endAtLastFetch = -1;

    /** A follower that has not fetched yet and counts as caught up at {@code sinceMs}; -1 for never. */
    public CaughtUp(long sinceMs) {
        lastCaughtUpMs = sinceMs;
    }

    /** It fetched from {@code fetchOffset} when the leader's log ended at {@code leaderEnd}. */
    public void fetched(long fetchOffset, long leaderEnd, long nowMs) {
        if (fetchOffset >= leaderEnd) {
            lastCaughtUpMs = nowMs;
        } else if (endAtLastFetch >= 0 && fetchOffset >= endAtLastFetch) {
            lastCaughtUpMs = Math.max(lastCaughtUpMs, lastFetchMs);
        }
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
