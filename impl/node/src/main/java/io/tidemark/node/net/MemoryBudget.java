package io.tidemark.node.net;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Bytes of requests that a node holds in memory. A connection that is refused waits until others give some back. Frames
 * below a threshold of {@link FrameAssembler} do not count, so that the fetches of replicas pass when producers wait for them.
 */
final class MemoryBudget {
    private final long limit;
    private final AtomicLong used = new AtomicLong();
    private final Queue<Runnable> waiting = new ConcurrentLinkedQueue<>();

    MemoryBudget(long limit) {
        this.limit = limit;
    }

    /** Never refused while nothing is used: the largest frame passes, if alone. */
    boolean tryReserve(long bytes) {
        long before = used.get();
        while (before == 0 || before + bytes <= limit) {
            if (used.compareAndSet(before, before + bytes)) {
                return true;
            }
            before = used.get();
        }
        return false;
    }

    /** Runs {@code retry} once, after the next release. To be followed by another try: the release may have been before. */
    void await(Runnable retry) {
        waiting.add(retry);
    }

    void release(long bytes) {
        if (bytes == 0) {
            return;
        }
        used.addAndGet(-bytes);
        for (Runnable retry = waiting.poll(); retry != null; retry = waiting.poll()) {
            retry.run();
        }
    }

    long used() {
        return used.get();
    }
}
