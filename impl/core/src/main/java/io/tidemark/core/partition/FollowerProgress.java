package io.tidemark.core.partition;

/**
 * The spec's {@code follower[l][f]}: how far a follower is by its fetches in the present leader epoch.
 *
 * @param offset its log end, -1 before its first fetch
 * @param brokerEpoch of that fetch, -1 where none was sent
 * @param caughtUp that fetch reached at least what the leader had at the fetch before: the high watermark waits for it
 *     if it may join the ISR ({@link HwRule})
 * @param leaderEnd the leader's log end at that fetch, -1 before the first
 */
public record FollowerProgress(long offset, long brokerEpoch, boolean caughtUp, long leaderEnd) {}
