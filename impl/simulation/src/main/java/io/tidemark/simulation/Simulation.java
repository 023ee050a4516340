package io.tidemark.simulation;

import io.tidemark.core.Step;
import io.tidemark.core.metadata.TopicPartition;
import io.tidemark.core.partition.PartitionCore;
import io.tidemark.core.partition.PartitionEffect;
import io.tidemark.core.partition.PartitionInput;
import io.tidemark.runtime.StepListener;
import io.tidemark.wire.KafkaMetadataCodec;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.function.IntFunction;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * One run: a cluster starts, clients work, what its {@link Plan} says happens (the safety phase); then a core of it heals
 * and must converge within a bound, then all of it (the liveness phase); then every replica's log is compared with the
 * others and with what was acknowledged.
 */
public final class Simulation {
    /**
     * What a run did, up to its end or to what ended it.
     *
     * @param steps inputs that cores were given
     * @param simulatedMs virtual time
     * @param acknowledged values
     * @param read values
     * @param lost acknowledged values that are gone, as the settings allow; 0 of a run that failed: nobody counted them
     * @param faults that began, and how many of them had an effect
     * @param events what an operator did, and rare moments, by name
     * @param losses committed records that were lost as the settings allow, by the ground; see {@link Exposure}
     * @param taken spec actions, how often
     */
    public record Result(
            Plan plan,
            String traceHash,
            long steps,
            long simulatedMs,
            int acknowledged,
            int read,
            int lost,
            List<Effects.Count> faults,
            SortedMap<String, Integer> events,
            SortedMap<String, Integer> losses,
            SortedMap<String, Long> taken) {}

    private final Plan plan;
    private final Workload workload;
    private final World world;
    private final Shape shape;
    private final Effects effects;
    private final SimNetwork network;
    private final StepLog log;
    private final Invariants invariants;
    private final List<SimNode> nodes = new ArrayList<>();
    private final SimClients clients;
    private final Injector injector;
    private final Convergence convergence;
    private boolean topicExists;
    private int turnsBegun;

    /** A run of the swarm's load without turns, for tests that play a scenario by hand. */
    Simulation(long seed, Shape shape, boolean realWire) {
        this(new Plan(seed, shape, realWire, 0, List.of(), List.of()), true, node -> StepListener.NONE, cluster -> {});
    }

    private Simulation(Plan plan, boolean telling, IntFunction<StepListener> listeners, Workload workload) {
        this.plan = plan;
        this.workload = workload;
        this.shape = plan.shape();
        this.world = new World(plan.seed(), telling);
        this.effects = new Effects(world);
        this.invariants = new Invariants(shape.unheld);
        this.network = new SimNetwork(world, effects, invariants.answers(), shape.nodes(), plan.wire());
        this.log = new StepLog(world);
        SimSettings settings = new SimSettings(shape);
        for (int id = 1; id <= shape.nodes(); id++) {
            nodes.add(new SimNode(
                    world,
                    network,
                    settings,
                    id,
                    new KafkaMetadataCodec(),
                    invariants.exposure(),
                    node -> new StepListeners(
                            List.of(log.of(node), listeners.apply(node), invariants.of(node), lagging(node)))));
        }
        this.clients = new SimClients(world, shape, network, nodes, invariants);
        Operator operator = new Operator(world, shape, clients, effects);
        this.injector = new Injector(plan.seed(), world, shape, network, nodes, clients, operator, effects);
        this.convergence = new Convergence(world, shape, nodes, clients, operator);
    }

    /** The run of a plan. */
    public static Simulation of(Plan plan) {
        return of(plan, false, node -> StepListener.NONE);
    }

    /**
     * The run of a plan that is watched.
     *
     * @param listeners gives each life of a node (by its id) a listener, which sees every step, before the invariants are
     *     checked, and may throw a {@link Violation}
     * @param telling whether {@link #story} is kept; the run is the same
     */
    public static Simulation of(Plan plan, boolean telling, IntFunction<StepListener> listeners) {
        return of(plan, telling, listeners, cluster -> {});
    }

    /**
     * The run of a plan that is watched, with a load of one's own beside that of the plan.
     *
     * @param workload started when the plan's clients are
     */
    public static Simulation of(Plan plan, boolean telling, IntFunction<StepListener> listeners, Workload workload) {
        return new Simulation(plan, telling, listeners, workload);
    }

    /** Sees which replicas leave an ISR because their fetches are kept away. */
    private StepListener lagging(int leader) {
        return new StepListener() {
            @Override
            public void partition(
                    TopicPartition id, PartitionCore core, PartitionInput input, Step<PartitionEffect> step) {
                if (input instanceof PartitionInput.ReplicaLagTimeout lag && step.action() != null) {
                    lag.laggards()
                            .forEach(node -> Effects.took(
                                    network.links().link(node, leader).fetchesCutBy()));
                }
            }
        };
    }

    /** @param disks is told by a node's id when its disk begins to lie about fsyncs, and when it ends */
    public void watchDisks(BiConsumer<Integer, Boolean> disks) {
        nodes.forEach(node -> node.faultyDisk().watch(lies -> disks.accept(node.id(), lies)));
    }

    /** Runs it; throws a {@link Violation} where an invariant does not hold. */
    public Result run() {
        begin();
        clients.start(convergence.topicId(), plan.written());
        workload.start(new SimulatedCluster(world, network, nodes, convergence.topicId()));
        long start = world.nowMs();
        for (Turn turn : plan.turns()) {
            world.runUntil(start + turn.atMs());
            turnsBegun++;
            injector.inject(turn);
        }
        world.runUntil(start + plan.forMs());
        injector.end();
        coreConverges(world.random("core"));
        injector.heal(nodes);
        int lost = end();
        flushedStays();
        if (clients.duplicates() > 0) {
            effects.event("duplicate-answered");
        }
        return did(lost);
    }

    /** With flush.messages=1 only a disk that was wiped, or lied, can take what was acknowledged. */
    private void flushedStays() {
        boolean keepsDisks = effects.counts().stream()
                .noneMatch(count -> count.fault() == Fault.WIPE_DISK || count.fault() == Fault.FSYNC_LIE);
        if (shape.flushMessages == 1 && keepsDisks) {
            SortedMap<String, Integer> losses = invariants.exposure().losses();
            Invariants.require(
                    !losses.containsKey("LAST_KNOWN") && !losses.containsKey("LAST_OF_ISR"),
                    "FlushedStays",
                    "every message is fsynced before it counts, and disks lost committed ones: " + losses);
        }
    }

    /** What a run that failed did until then. */
    Result soFar() {
        return did(0);
    }

    private Result did(int lost) {
        return new Result(
                plan,
                world.traceHash(),
                log.steps(),
                world.nowMs(),
                clients.acked().size(),
                clients.reads().size(),
                lost,
                effects.counts(),
                effects.events(),
                invariants.exposure().losses(),
                log.taken());
    }

    /** Steps of all cores so far. */
    public long steps() {
        return log.steps();
    }

    /** How many of the plan's turns have begun. */
    int turnsBegun() {
        return turnsBegun;
    }

    /** Virtual time, ms. */
    public long nowMs() {
        return world.nowMs();
    }

    /** Starts the nodes and makes the topic; returns when every replica is in sync. */
    void begin() {
        nodes.forEach(SimNode::start);
        clients.createTopic(() -> topicExists = true);
        convergence.await("the topic exists", () -> topicExists && convergence.allInSync());
    }

    /** A random core: most of the voters, and some others; the rest dies. */
    private void coreConverges(RandomGenerator random) {
        List<SimNode> core = new ArrayList<>(nodes);
        int voters = (int) nodes.stream().filter(SimNode::isVoter).count();
        for (SimNode node : nodes) {
            boolean spared = !node.isVoter() || voters - 1 > shape.controllers / 2;
            if (core.size() > 1 && spared && random.nextInt(3) == 0) {
                core.remove(node);
                voters -= node.isVoter() ? 1 : 0;
                node.holdDown();
            }
        }
        world.tell(() -> "CORE " + core.stream().map(SimNode::id).toList());
        injector.heal(core);
        convergence.awaitCore(core);
    }

    /** All of it converges within a bound, and is compared; returns how many acknowledged values are gone. */
    private int end() {
        convergence.awaitAllInSync();
        clients.stopProducing();
        world.runUntil(world.nowMs() + 10_000);
        convergence.awaitAllInSync();
        return compareLogs();
    }

    /** As at the end of {@link #run}, for a scenario that a test has played on {@link #begin}. */
    int finish() {
        network.hand((from, to, request, arrival) -> false);
        injector.end();
        injector.heal(nodes);
        return end();
    }

    World world() {
        return world;
    }

    SimNetwork network() {
        return network;
    }

    SimNode node(int id) {
        return nodes.get(id - 1);
    }

    SimClients clients() {
        return clients;
    }

    UUID topicId() {
        return convergence.topicId();
    }

    /** When a process dies: in its first start, in a clean stop, or in the start after a kill. */
    enum Moment {
        START,
        STOP,
        RECOVERY
    }

    /**
     * A short run without other faults in which the node dies at one effect on its disk, see {@link SimNode#dieAtEffect};
     * returns how many effects the node's disk saw from the moment on, up to that death.
     */
    long runWithDeath(Moment moment, int node, long effect, boolean after, boolean power) {
        SimNode mortal = nodes.get(node - 1);
        if (moment == Moment.START) {
            mortal.dieAtEffect(effect, after, power);
        }
        begin();
        clients.start(topicId());
        world.runUntil(world.nowMs() + 300);
        if (moment == Moment.STOP) {
            mortal.dieAtEffect(effect, after, power);
            mortal.stop(() -> {});
            world.runUntil(world.nowMs() + 1_500);
        } else if (moment == Moment.RECOVERY) {
            mortal.kill();
            mortal.dieAtEffect(effect, after, power);
            mortal.start();
            world.runUntil(world.nowMs() + 50);
        }
        long died = mortal.effects();
        if (moment != Moment.START) {
            mortal.repairDisk();
            if (!mortal.alive()) {
                mortal.start();
            }
        }
        convergence.awaitAllInSync();
        clients.stopProducing();
        world.runUntil(world.nowMs() + 2_500);
        convergence.awaitAllInSync();
        compareLogs();
        return died;
    }

    int acknowledged() {
        return clients.acked().size();
    }

    /** The last steps in words, where it was told to keep them. */
    public String story() {
        return world.story();
    }

    private int compareLogs() {
        invariants.whole();
        nodes.forEach(SimNode::kill);
        @Nullable UUID side = convergence.sideId();
        return new FinalLogs(shape, nodes, clients, invariants.exposure(), convergence.replicas()).compare(side);
    }
}
