package io.tidemark.core.partition;

/**
 * The content of a follower's fetch: a function of its state.
 *
 * @param leaderEpoch the leader epoch that the follower knows
 * @param offset its log end
 * @param lastFetchedEpoch epoch of the record before {@code offset}, -1 for an empty log
 */
public record FetchAsked(int leader, int leaderEpoch, long offset, int lastFetchedEpoch, long logStart) {}
