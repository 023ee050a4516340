package io.tidemark.simulation;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * Virtual time and what happens in it, ordered by (time, sequence). Everything random comes from the one seed. Lines for
 * people are made only where somebody asked for them: a run that failed is run again to tell how.
 */
final class World {
    /** A task to come. */
    static final class Event {
        private static final int GONE = -1;

        private final long timeUs;
        private final long sequence;
        private final Runnable task;
        private int place = GONE;

        private Event(long timeUs, long sequence, Runnable task) {
            this.timeUs = timeUs;
            this.sequence = sequence;
            this.task = task;
        }

        private boolean before(Event other) {
            return timeUs != other.timeUs ? timeUs < other.timeUs : sequence < other.sequence;
        }
    }

    private static final long WALL_AT_START_MS = 1_700_000_000_000L;
    private static final int STORY_LINES = 20_000;

    private final long seed;
    private final boolean telling;
    /** A binary heap that knows where its events are: most time-outs are taken back. */
    private Event[] heap = new Event[1_024];

    private int size;
    private long nowUs;
    private long sequence;
    private long hash = 0xcbf29ce484222325L;
    private final ArrayDeque<String> story = new ArrayDeque<>();

    /** @param telling whether lines for people are kept */
    World(long seed, boolean telling) {
        this.seed = seed;
        this.telling = telling;
    }

    long nowUs() {
        return nowUs;
    }

    long nowMs() {
        return nowUs / 1000;
    }

    /** What a right wall clock shows, ms since 1970. */
    long wallMs() {
        return WALL_AT_START_MS + nowMs();
    }

    /** A generator of its own for each concern, so that a draw more in one does not shift the others. */
    RandomGenerator random(String concern) {
        return random(seed, concern);
    }

    /** The generator of one concern of a seed. */
    static RandomGenerator random(long seed, String concern) {
        long mixed = seed;
        for (int i = 0; i < concern.length(); i++) {
            mixed = mixed * 0x100000001b3L + concern.charAt(i);
        }
        return new SplittableRandom(mixed);
    }

    Event after(long delayUs, Runnable task) {
        Event event = new Event(nowUs + Math.max(0, delayUs), sequence++, task);
        if (size == heap.length) {
            heap = Arrays.copyOf(heap, size * 2);
        }
        rise(size++, event);
        return event;
    }

    /** No effect once it ran. */
    void cancel(Event event) {
        if (event.place != Event.GONE) {
            remove(event.place);
        }
    }

    /** Runs everything up to {@code untilMs}. */
    void runUntil(long untilMs) {
        while (size > 0 && heap[0].timeUs <= untilMs * 1000) {
            Event event = heap[0];
            remove(0);
            nowUs = event.timeUs;
            event.task.run();
        }
        nowUs = Math.max(nowUs, untilMs * 1000);
    }

    private void remove(int place) {
        heap[place].place = Event.GONE;
        Event last = heap[--size];
        heap[size] = null;
        if (place == size) {
            return;
        }
        if (place > 0 && last.before(heap[(place - 1) / 2])) {
            rise(place, last);
        } else {
            sink(place, last);
        }
    }

    private void rise(int from, Event event) {
        int place = from;
        while (place > 0) {
            int parent = (place - 1) / 2;
            if (!event.before(heap[parent])) {
                break;
            }
            put(place, heap[parent]);
            place = parent;
        }
        put(place, event);
    }

    private void sink(int from, Event event) {
        int place = from;
        while (2 * place + 1 < size) {
            int child = 2 * place + 1;
            if (child + 1 < size && heap[child + 1].before(heap[child])) {
                child++;
            }
            if (!heap[child].before(event)) {
                break;
            }
            put(place, heap[child]);
            place = child;
        }
        put(place, event);
    }

    private void put(int place, Event event) {
        heap[place] = event;
        event.place = place;
    }

    /** Mixes a line of the run into its hash: two runs are the same where all their lines are. */
    void trace(String line) {
        for (int i = 0; i < line.length(); i++) {
            mix(line.charAt(i));
        }
        mix(nowUs);
    }

    /** Mixes a step into the hash: who, what, and two numbers of the state after it. */
    void trace(int who, int what, long first, long second) {
        mix(nowUs);
        mix(((long) who << 32) | what);
        mix(first);
        mix(second);
    }

    private void mix(long value) {
        hash = (hash ^ value) * 0x9e3779b97f4a7c15L;
        hash ^= hash >>> 32;
    }

    boolean telling() {
        return telling;
    }

    /** A line for people, kept if anybody wants them and it is among the last ones. */
    void tell(Supplier<String> line) {
        if (telling) {
            story.add(String.format(Locale.ROOT, "%9.3f ms  %s", nowUs / 1000.0, line.get()));
            if (story.size() > STORY_LINES) {
                story.remove();
            }
        }
    }

    /** The last lines told. */
    String story() {
        return String.join("\n", story);
    }

    String traceHash() {
        return String.format(Locale.ROOT, "%016x", hash);
    }
}
