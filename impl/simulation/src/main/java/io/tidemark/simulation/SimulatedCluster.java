package io.tidemark.simulation;

import io.tidemark.core.message.ClientRequest;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** What a {@link Workload} sees of a cluster: virtual time, a generator of the seed, and nodes to ask. */
public final class SimulatedCluster {
    private static final int TIMEOUT_MS = 2_500;

    private final World world;
    private final SimNetwork network;
    private final List<SimNode> nodes;
    private final UUID topicId;
    private final RandomGenerator random;

    SimulatedCluster(World world, SimNetwork network, List<SimNode> nodes, UUID topicId) {
        this.world = world;
        this.network = network;
        this.nodes = nodes;
        this.topicId = topicId;
        this.random = world.random("workload");
    }

    /** Virtual time, ms. */
    public long nowMs() {
        return world.nowMs();
    }

    /** The workload's own generator: draws of others do not shift it. */
    public RandomGenerator random() {
        return random;
    }

    /** The id of the topic under load, whose name is {@code t}. */
    public UUID topicId() {
        return topicId;
    }

    /** Node ids go from 1 to this. */
    public int nodes() {
        return nodes.size();
    }

    /** Runs {@code task} after so many virtual ms. */
    public void after(long delayMs, Runnable task) {
        world.after(delayMs * 1_000, task);
    }

    /** Asks a node, as a client does; {@code done} gets the answer, or null where none comes in 2.5 s. */
    public void ask(int node, ClientRequest request, Consumer<@Nullable Object> done) {
        long delayUs = random.nextLong(50, Links.CALM_DELAY_US);
        network.ask(nodes.get(node - 1), delayUs, request, TIMEOUT_MS, response -> {}, done);
    }

    /** Ends the run with a {@link Violation} where {@code holds} is false. */
    public void require(boolean holds, String invariant, String message) {
        Invariants.require(holds, invariant, message);
    }
}
