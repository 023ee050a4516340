package io.tidemark.wire;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/** How much the calling thread has allocated on the heap so far. */
final class Allocation {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private Allocation() {}

    static long bytes() {
        return THREADS.getThreadAllocatedBytes(Thread.currentThread().getId());
    }
}
