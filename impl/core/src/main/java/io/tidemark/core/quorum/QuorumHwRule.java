package io.tidemark.core.quorum;

import java.util.Arrays;

/** The leader's high watermark: what a majority holds on disk, once that reaches into the leader's own epoch. */
final class QuorumHwRule {
    private QuorumHwRule() {}

    /** The greatest offset that more than half of the voters have reached; -1 of no voters. Sorts its argument. */
    static long majorityOffset(long[] voterFetch) {
        Arrays.sort(voterFetch);
        return voterFetch.length == 0 ? -1 : voterFetch[(voterFetch.length - 1) / 2];
    }

    /**
     * The next high watermark, at least {@code hw}.
     *
     * @param majority from {@link #majorityOffset}
     * @param epochStart offset of the leader's own first record: a majority for records of earlier epochs alone commits
     *     nothing (Raft 5.4.2, figure 8)
     */
    static long next(long hw, long majority, long epochStart) {
        return majority > epochStart ? Math.max(hw, majority) : hw;
    }
}
