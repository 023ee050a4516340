package io.tidemark.runtime;

import java.util.ArrayDeque;

/**
 * Runs inputs of one loop one after the other, first in, first out: what an effect submits waits until the step that
 * emitted it is carried out whole. Used from its loop alone.
 */
public final class StepQueue {
    private final ArrayDeque<Runnable> waiting = new ArrayDeque<>();
    private boolean running;

    /** Runs {@code input} now, or right after those before it. */
    public void submit(Runnable input) {
        waiting.add(input);
        if (running) {
            return;
        }
        running = true;
        try {
            for (Runnable next = waiting.poll(); next != null; next = waiting.poll()) {
                next.run();
            }
        } finally {
            running = false;
        }
    }
}
