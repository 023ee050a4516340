package io.tidemark.runtime.port;

/** Runs tasks one at a time, in the order posted; owns the state that its tasks touch. */
public interface EventLoop {
    /**
     * From any thread. The queue is bounded: what arrives from clients is refused by {@link #tryPost} when it is full;
     * the node's own messages always find room.
     */
    void post(Runnable task);

    /** Like {@link #post}, but false where the queue is full: the caller stops reading from its client. */
    boolean tryPost(Runnable task);

    /** A year, which no node is meant to wait for: longer delays count as this. */
    long MAX_DELAY_MS = 365L * 24 * 3_600_000;

    /** Runs {@code task} on this loop once {@code delayMs} have passed on the monotonic clock. */
    Timer schedule(long delayMs, Runnable task);

    /** Monotonic time, ms; only differences mean anything. */
    long nowMs();

    /** A task to come. */
    interface Timer {
        /** No effect once it ran. Called on the loop. */
        void cancel();
    }
}
