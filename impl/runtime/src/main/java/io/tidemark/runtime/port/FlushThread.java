package io.tidemark.runtime.port;

/**
 * Where fsync happens, one for each log directory: never on a loop.
 *
 * <p>What may wait here is bounded by who asks, as none of them can be refused: for each log one fsync, for each of a
 * directory's checkpoints one writing, for each directory that a deletion has renamed its removal, and a writing of
 * {@code quorum-state} for each message that changes it and whose answer waits for it, of which a connection has a bounded
 * number under way.
 */
public interface FlushThread {
    /** Runs {@code work}; an exception that leaves it stops the node. */
    void execute(Runnable work);
}
