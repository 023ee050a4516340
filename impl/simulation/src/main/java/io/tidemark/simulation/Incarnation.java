package io.tidemark.simulation;

import java.util.ArrayDeque;

/**
 * One life of a node's process. What was to run in a life that is over never runs; what falls into a freeze runs when it
 * ends.
 */
final class Incarnation {
    private final World world;
    private boolean dead;
    private boolean frozen;
    private final ArrayDeque<Runnable> backlog = new ArrayDeque<>();

    Incarnation(World world) {
        this.world = world;
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
            task.run();
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
