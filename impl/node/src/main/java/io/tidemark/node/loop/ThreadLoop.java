package io.tidemark.node.loop;

import io.tidemark.runtime.port.EventLoop;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * An event loop on a thread of its own. An exception that leaves a task ends the loop and goes to the handler, which is
 * to stop the node: the state that the loop owns can no longer be trusted.
 */
public final class ThreadLoop implements EventLoop, AutoCloseable {
    /** Tasks between two looks at the timers. */
    private static final int BATCH = 256;

    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final AtomicInteger waiting = new AtomicInteger();
    private final int capacity;
    private final PriorityQueue<Alarm> alarms = new PriorityQueue<>();
    private final Thread thread;
    private volatile boolean parked;
    private volatile boolean closed;
    private long alarmsMade;

    /**
     * A loop that runs at once.
     *
     * @param capacity tasks that may wait before {@link #tryPost} refuses, at least 1
     */
    public ThreadLoop(String name, int capacity, Thread.UncaughtExceptionHandler handler) {
        if (capacity < 1) {
            throw new IllegalArgumentException("capacity " + capacity);
        }
        this.capacity = capacity;
        thread = new Thread(this::run, name);
        thread.setUncaughtExceptionHandler(handler);
        thread.start();
    }

    @Override
    public void post(Runnable task) {
        waiting.incrementAndGet();
        add(task);
    }

    @Override
    public boolean tryPost(Runnable task) {
        if (waiting.incrementAndGet() > capacity) {
            waiting.decrementAndGet();
            return false;
        }
        add(task);
        return true;
    }

    private void add(Runnable task) {
        tasks.add(task);
        if (parked) {
            wake();
        }
    }

    private void wake() {
        parked = false;
        LockSupport.unpark(thread);
    }

    @Override
    public Timer schedule(long delayMs, Runnable task) {
        long atNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(Math.max(0, Math.min(delayMs, MAX_DELAY_MS)));
        Alarm alarm = new Alarm(atNanos, task);
        if (Thread.currentThread() == thread) {
            start(alarm);
        } else {
            post(() -> start(alarm));
        }
        return alarm;
    }

    private void start(Alarm alarm) {
        alarm.order = alarmsMade++;
        alarms.add(alarm);
    }

    @Override
    public long nowMs() {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime());
    }

    private void run() {
        while (!closed) {
            runDueAlarms();
            if (!runTasks()) {
                park();
            }
        }
    }

    private void runDueAlarms() {
        long now = System.nanoTime();
        for (Alarm next = alarms.peek(); next != null && next.atNanos - now <= 0 && !closed; next = alarms.peek()) {
            alarms.poll();
            next.run();
        }
    }

    private boolean runTasks() {
        for (int i = 0; i < BATCH && !closed; i++) {
            Runnable task = tasks.poll();
            if (task == null) {
                return i > 0;
            }
            waiting.decrementAndGet();
            task.run();
        }
        return true;
    }

    /** Sleeps until the next alarm or task: whoever adds a task after the look at the queue sees {@code parked}. */
    private void park() {
        parked = true;
        if (tasks.isEmpty() && !closed) {
            Alarm next = alarms.peek();
            if (next == null) {
                LockSupport.park(this);
            } else {
                LockSupport.parkNanos(this, next.atNanos - System.nanoTime());
            }
        }
        parked = false;
    }

    /** Ends the loop after the task that runs; what waits is dropped. Returns once the thread has ended, or after 10 s. */
    @Override
    public void close() {
        closed = true;
        wake();
        if (Thread.currentThread() != thread) {
            try {
                thread.join(10_000);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private final class Alarm implements Timer, Comparable<Alarm> {
        private final long atNanos;
        private @Nullable Runnable task;
        private long order;

        Alarm(long atNanos, Runnable task) {
            this.atNanos = atNanos;
            this.task = task;
        }

        void run() {
            Runnable due = task;
            task = null;
            if (due != null) {
                due.run();
            }
        }

        @Override
        public void cancel() {
            if (task != null) {
                task = null;
                alarms.remove(this);
            }
        }

        /** The earlier first, of equal ones the one made first. */
        @Override
        public int compareTo(Alarm other) {
            int byTime = Long.compare(atNanos - other.atNanos, 0);
            return byTime != 0 ? byTime : Long.compare(order, other.order);
        }
    }
}
