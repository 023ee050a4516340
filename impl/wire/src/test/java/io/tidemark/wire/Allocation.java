package io.tidemark.wire;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/** How much the calling thread has allocated on the heap so far. */
public final class Allocation {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private Allocation() {}

    public static long bytes() {
        return THREADS.getThreadAllocatedBytes(Thread.currentThread().getId());
    }
}
