package io.tidemark.simulation;

import io.tidemark.runtime.port.FlushThread;
import java.util.random.RandomGenerator;

/** A flush thread of one life of a node: one piece of work after the other, each taking as long as an fsync takes. */
final class SimFlush implements FlushThread {
    private final World world;
    private final Incarnation life;
    private final RandomGenerator random;
    private long freeAtUs;

    SimFlush(World world, Incarnation life, RandomGenerator random) {
        this.world = world;
        this.life = life;
        this.random = random;
    }

    @Override
    public void execute(Runnable work) {
        freeAtUs = Math.max(freeAtUs, world.nowUs()) + random.nextInt(50, 4_000);
        life.after(freeAtUs - world.nowUs(), work);
    }
}
