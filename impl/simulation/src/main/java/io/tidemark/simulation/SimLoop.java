package io.tidemark.simulation;

import io.tidemark.runtime.port.EventLoop;
import java.util.random.RandomGenerator;

/** An event loop of one life of a node: tasks run in the order posted, each a little later than the one before. */
final class SimLoop implements EventLoop {
    private final World world;
    private final Incarnation life;
    private final RandomGenerator random;
    private long freeAtUs;

    SimLoop(World world, Incarnation life, RandomGenerator random) {
        this.world = world;
        this.life = life;
        this.random = random;
    }

    @Override
    public void post(Runnable task) {
        freeAtUs = Math.max(freeAtUs, world.nowUs()) + random.nextInt(1, 20);
        life.after(freeAtUs - world.nowUs(), task);
    }

    @Override
    public boolean tryPost(Runnable task) {
        post(task);
        return true;
    }

    @Override
    public Timer schedule(long delayMs, Runnable task) {
        boolean[] cancelled = new boolean[1];
        World.Event event = life.after(Math.min(delayMs, MAX_DELAY_MS) * 1000 + random.nextInt(200), () -> {
            if (!cancelled[0]) {
                task.run();
            }
        });
        return () -> {
            // It may have left the queue for a frozen process's backlog.
            cancelled[0] = true;
            world.cancel(event);
        };
    }

    @Override
    public long nowMs() {
        return world.nowMs();
    }
}
