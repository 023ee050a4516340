package io.tidemark.core.log;

/** An end offset and the leader epoch of the record before it; (0, 0) for an empty log. */
public record OffsetAndEpoch(long offset, int epoch) implements Comparable<OffsetAndEpoch> {
    /** By epoch, then by offset: the order of "at least as up to date as" (Raft 5.4.1). */
    @Override
    public int compareTo(OffsetAndEpoch other) {
        return epoch == other.epoch ? Long.compare(offset, other.offset) : Integer.compare(epoch, other.epoch);
    }
}
