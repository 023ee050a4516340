package io.tidemark.simulation;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/** Virtual time and what happens in it, ordered by (time, sequence). Everything random comes from the one seed. */
final class World {
    private record Event(long timeUs, long sequence, Runnable task) {}

    private static final Comparator<Event> ORDER =
            Comparator.comparingLong(Event::timeUs).thenComparingLong(Event::sequence);

    private static final int STORY_LINES = 20_000;

    private final PriorityQueue<Event> queue = new PriorityQueue<>(ORDER);
    private final long seed;
    private long nowUs;
    private long sequence;
    private long events;
    private long hash = 0xcbf29ce484222325L;
    private final ArrayDeque<String> story = new ArrayDeque<>();

    World(long seed) {
        this.seed = seed;
    }

    long nowUs() {
        return nowUs;
    }

    long nowMs() {
        return nowUs / 1000;
    }

    long events() {
        return events;
    }

    /** A generator of its own for each concern, so that a draw more in one does not shift the others. */
    RandomGenerator random(String concern) {
        long mixed = seed;
        for (int i = 0; i < concern.length(); i++) {
            mixed = mixed * 0x100000001b3L + concern.charAt(i);
        }
        return new SplittableRandom(mixed);
    }

    void after(long delayUs, Runnable task) {
        queue.add(new Event(nowUs + Math.max(0, delayUs), sequence++, task));
    }

    /** Runs everything up to {@code untilMs}. */
    void runUntil(long untilMs) {
        while (!queue.isEmpty() && queue.peek().timeUs() <= untilMs * 1000) {
            Event event = queue.remove();
            nowUs = event.timeUs();
            events++;
            event.task().run();
        }
        nowUs = Math.max(nowUs, untilMs * 1000);
    }

    /** Mixes a line of the run into its hash: two runs are the same where all their lines are. */
    void trace(String line) {
        hash = (hash ^ nowUs) * 0x100000001b3L;
        for (int i = 0; i < line.length(); i++) {
            hash = (hash ^ line.charAt(i)) * 0x100000001b3L;
        }
    }

    /** A line for people, kept if it is among the last ones. */
    void tell(String line) {
        story.add(String.format("%9.3f ms  %s", nowUs / 1000.0, line));
        if (story.size() > STORY_LINES) {
            story.remove();
        }
    }

    /** The last lines told. */
    String story() {
        return String.join("\n", story);
    }

    String traceHash() {
        return String.format("%016x", hash);
    }
}
