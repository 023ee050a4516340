package io.tidemark.runtime.port;

/** Where fsync happens, one for each log directory: never on a loop. */
public interface FlushThread {
    /** Runs {@code work}; an exception that leaves it stops the node. */
    void execute(Runnable work);
}
