package io.tidemark.cli.drill;

import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;

/** A thread that asks to run every few milliseconds and keeps how much later it does: the measure of a starved machine. */
final class Pulse implements AutoCloseable {
    private static final long PERIOD_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final Thread thread = new Thread(this::run, "drill-pulse");
    private long longest;
    private long paused;
    private long watched;
    private double load = -1;

    Pulse() {
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    private void run() {
        long last = System.nanoTime();
        try {
            while (true) {
                TimeUnit.NANOSECONDS.sleep(PERIOD_NANOS);
                long now = System.nanoTime();
                beat(now - last, ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
                last = now;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * One round of the thread.
     *
     * @param nanos from the last one to this
     * @param average the system's load average, negative if unknown
     */
    synchronized void beat(long nanos, double average) {
        long late = Math.max(0, nanos - PERIOD_NANOS);
        longest = Math.max(longest, late);
        paused += late >= PAUSE_NANOS ? late : 0;
        watched += nanos;
        load = Math.max(load, average);
    }

    /** What was measured until now. */
    synchronized Machine machine() {
        return new Machine(
                TimeUnit.NANOSECONDS.toMillis(longest),
                TimeUnit.NANOSECONDS.toMillis(paused),
                TimeUnit.NANOSECONDS.toMillis(watched),
                load,
                Runtime.getRuntime().availableProcessors());
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
