package io.tidemark.core.log;

/** A record found by its timestamp (ms since 1970), with the leader epoch of its batch. */
public record TimestampOffset(long timestamp, long offset, int leaderEpoch) {}
