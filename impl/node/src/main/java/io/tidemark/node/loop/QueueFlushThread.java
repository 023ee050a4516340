package io.tidemark.node.loop;

import io.tidemark.runtime.port.FlushThread;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * The thread of a log directory that waits for its disk. An exception that leaves its work goes to the handler. The queue
 * has no capacity of its own: {@link FlushThread} says why it cannot grow without end.
 */
public final class QueueFlushThread implements FlushThread, AutoCloseable {
    private final BlockingQueue<Runnable> queue = new LinkedBlockingQueue<>();
    private final Thread thread;
    private boolean closed;

    public QueueFlushThread(String name, Thread.UncaughtExceptionHandler handler) {
        thread = new Thread(this::run, name);
        thread.setUncaughtExceptionHandler(handler);
        thread.start();
    }

    @Override
    public void execute(Runnable work) {
        queue.add(work);
    }

    private void run() {
        while (!closed) {
            Runnable work;
            try {
                work = queue.take();
            } catch (InterruptedException e) {
                throw new IllegalStateException("the flush thread must not be interrupted", e);
            }
            work.run();
        }
    }

    /** Ends the thread after the work that was given before. Returns once it has ended, or after 10 s. */
    @Override
    public void close() {
        queue.add(() -> closed = true);
        try {
            thread.join(10_000);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
