package io.tidemark.core;

/**
 * What must hold before a message may leave: the promise that it makes, named. The runtime's DurabilityGate holds it
 * until then, and drops or refuses it when that can no longer come true.
 */
public sealed interface Requires {
    /** Promises nothing. */
    record Nothing() implements Requires {}

    /** Every {@code quorum-state} handed out before this effect is on disk (vote, epoch, leader). */
    record QuorumState() implements Requires {}

    /** The log of the same replica is fsynced up to {@code endOffset}, exclusive. */
    record Flushed(long endOffset) implements Requires {}

    /** Both of the above: a voter's fetch, or a candidate's request for a vote, carries its epoch and covers its log. */
    record QuorumStateAndFlushed(long endOffset) implements Requires {}

    /** The metadata log's high watermark is at least {@code endOffset}: what a controller decided is committed. */
    record Committed(long endOffset) implements Requires {}

    Requires NOTHING = new Nothing();
    Requires QUORUM_STATE = new QuorumState();
}
