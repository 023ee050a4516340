package io.tidemark.runtime;

import io.tidemark.runtime.port.EventLoop;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.PriorityQueue;

/** A loop whose tasks and time are the test's. */
public final class ManualLoop implements EventLoop {
    private record Alarm(long atMs, long order, Runnable task) {}

    private final ArrayDeque<Runnable> posted = new ArrayDeque<>();
    private final PriorityQueue<Alarm> alarms =
            new PriorityQueue<>(Comparator.comparingLong(Alarm::atMs).thenComparingLong(Alarm::order));
    private long now;
    private long order;

    @Override
    public void post(Runnable task) {
        posted.add(task);
    }

    @Override
    public boolean tryPost(Runnable task) {
        return posted.add(task);
    }

    @Override
    public Timer schedule(long delayMs, Runnable task) {
        Alarm alarm = new Alarm(now + delayMs, order++, task);
        alarms.add(alarm);
        return () -> alarms.remove(alarm);
    }

    @Override
    public long nowMs() {
        return now;
    }

    /** Runs what is posted and what is due, until nothing is. */
    public void run() {
        elapse(0);
    }

    /** Lets {@code ms} pass; what is due meanwhile runs at its time. */
    public void elapse(long ms) {
        long end = now + ms;
        while (true) {
            Runnable task = posted.poll();
            if (task == null) {
                Alarm next = alarms.peek();
                if (next == null || next.atMs() > end) {
                    break;
                }
                now = Math.max(now, alarms.remove().atMs());
                task = next.task();
            }
            task.run();
        }
        now = end;
    }

    /** How many timers are set. */
    public int timers() {
        return alarms.size();
    }
}
