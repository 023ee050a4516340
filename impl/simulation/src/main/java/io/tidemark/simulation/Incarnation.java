package io.tidemark.simulation;

import io.tidemark.storage.StorageException;
import java.util.ArrayDeque;
import java.util.function.Consumer;

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
    private final Runnable onTask;
    private final Runnable onDeath;
    private final Consumer<StorageException> onBrokenDisk;
    private boolean dead;
    private boolean frozen;
    private final ArrayDeque<Runnable> backlog = new ArrayDeque<>();

    /**
     * A life.
     *
     * @param onTask runs before each task
     * @param onDeath runs where a task ends in {@link Death}
     * @param onBrokenDisk runs where nothing in a task caught the disk's error: a real node's process ends then
     */
    Incarnation(World world, Runnable onTask, Runnable onDeath, Consumer<StorageException> onBrokenDisk) {
        this.world = world;
        this.onTask = onTask;
        this.onDeath = onDeath;
        this.onBrokenDisk = onBrokenDisk;
    }

    World.Event after(long delayUs, Runnable task) {
        return world.after(delayUs, () -> run(task));
    }

    private void run(Runnable task) {
        if (dead) {
            return;
        }
        if (frozen) {
            backlog.add(task);
        } else {
            onTask.run();
            try {
                task.run();
            } catch (Death death) {
                onDeath.run();
            } catch (StorageException broken) {
                onBrokenDisk.accept(broken);
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

    /** Returns how many tasks fell into the freeze. */
    int thaw() {
        frozen = false;
        ArrayDeque<Runnable> missed = new ArrayDeque<>(backlog);
        backlog.clear();
        missed.forEach(task -> world.after(0, () -> run(task)));
        return missed.size();
    }
}
