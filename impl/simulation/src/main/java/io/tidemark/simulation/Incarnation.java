package io.tidemark.simulation;

import java.util.ArrayDeque;

/**
 * One life of a node's process. What was to run in a life that is over never runs; what falls into a freeze runs when it
 * ends.
 */
final class Incarnation {
    /** Thrown inside of a process that dies at this very point. */
    static final class Death extends Error {
        private static final long serialVersionUID = 1L;

        Death() {
            super("the process dies here", null, false, false);
        }
    }

    private final World world;
    private final Runnable onDeath;
    private boolean dead;
    private boolean frozen;
    private final ArrayDeque<Runnable> backlog = new ArrayDeque<>();

    /** {@code onDeath} runs where a task ends in {@link Death}. */
    Incarnation(World world, Runnable onDeath) {
        this.world = world;
        this.onDeath = onDeath;
    }

    void after(long delayUs, Runnable task) {
        world.after(delayUs, () -> run(task));
    }

    private void run(Runnable task) {
        if (dead) {
            return;
        }
        if (frozen) {
            backlog.add(task);
        } else {
            try {
                task.run();
            } catch (Death death) {
                onDeath.run();
            }
        }
    }

    boolean dead() {
        return dead;
    }

    boolean frozen() {
        return frozen;
    }

    void die() {
        dead = true;
        backlog.clear();
    }

    void freeze() {
        frozen = true;
    }

    void thaw() {
        frozen = false;
        ArrayDeque<Runnable> missed = new ArrayDeque<>(backlog);
        backlog.clear();
        missed.forEach(task -> world.after(0, () -> run(task)));
    }
}
