package io.tidemark.core.log;

/**
 * What a fetch says of how far its follower is (KIP-16). The one rule for all that asks: whether a high watermark waits for a
 * replica, whether one lags too long to stay in the ISR, and what DescribeQuorum tells.
 */
public enum CatchUp {
    /** It has all that its leader has. */
    NOW,
    /** It has all that its leader had at the fetch before, and so was caught up then. */
    AT_LAST_FETCH,
    /** It has less than that, or never fetched before and has less than its leader. */
    BEHIND;

    /** The leader's end at the fetch before where there was none. */
    public static final long NO_FETCH = Long.MAX_VALUE;

    /**
     * Of a fetch.
     *
     * @param fetchOffset the follower's log end
     * @param leaderEnd the leader's log end now
     * @param leaderEndAtLastFetch the same at the follower's fetch before; {@link #NO_FETCH} where there was none
     */
    public static CatchUp of(long fetchOffset, long leaderEnd, long leaderEndAtLastFetch) {
        if (fetchOffset >= leaderEnd) {
            return NOW;
        }
        return fetchOffset >= leaderEndAtLastFetch ? AT_LAST_FETCH : BEHIND;
    }
}
