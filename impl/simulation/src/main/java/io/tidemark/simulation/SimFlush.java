package io.tidemark.simulation;

import io.tidemark.runtime.port.FlushThread;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;

/** A flush thread of one life of a node: one piece of work after the other, each taking as long as an fsync takes. */
final class SimFlush implements FlushThread {
    private final World world;
    private final Incarnation life;
    private final RandomGenerator random;
    private final BooleanSupplier slowed;
    private long freeAtUs;

    /** @param slowed asked as often as work is about to begin: whether it takes long */
    SimFlush(World world, Incarnation life, RandomGenerator random, BooleanSupplier slowed) {
        this.slowed = slowed;
        this.world = world;
        this.life = life;
        this.random = random;
    }

    @Override
    public void execute(Runnable work) {
        freeAtUs = Math.max(freeAtUs, world.nowUs())
                + (slowed.getAsBoolean() ? random.nextInt(50_000, 2_000_000) : random.nextInt(50, 4_000));
        life.after(freeAtUs - world.nowUs(), work);
    }
}
