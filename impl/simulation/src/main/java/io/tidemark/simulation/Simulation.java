package io.tidemark.simulation;

import io.tidemark.core.Guards;
import io.tidemark.core.broker.BrokerState;
import io.tidemark.core.message.PartitionRef;
import io.tidemark.core.metadata.MetadataView;
import io.tidemark.core.metadata.PartitionRegistration;
import io.tidemark.core.metadata.TopicState;
import io.tidemark.runtime.NodeApi;
import io.tidemark.runtime.trace.TraceLog;
import io.tidemark.wire.KafkaMetadataCodec;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * One seed: a cluster starts, clients work, faults come and go (the safety phase); then everything heals and must converge
 * within a bound (the liveness phase); then every replica's log is compared with the others and with what was acknowledged.
 */
public final class Simulation {
    /**
     * What a run did.
     *
     * @param tookEffect faults and an operator's events that had an effect, by kind
     * @param losses committed records that were lost as the settings allow, by the ground; see {@link Exposure}
     * @param taken spec actions taken
     */
    public record Result(
            long seed,
            String traceHash,
            long events,
            long steps,
            int acknowledged,
            int read,
            int lost,
            SortedMap<String, Integer> tookEffect,
            SortedMap<String, Integer> losses,
            SortedMap<String, Long> taken) {}

    /** How long a healed cluster may take until all replicas are in sync, in virtual ms. */
    private static final long CONVERGE_MS = 60_000;

    private final World world;
    private final Shape shape;
    private final SimNetwork network;
    private final StepLog log;
    private final Invariants invariants;
    private final List<SimNode> nodes = new ArrayList<>();
    private final SimClients clients;
    private final Operator operator;
    private final FaultSchedule faults;
    private final long seed;
    private boolean topicExists;
    private UUID topicId = PartitionRef.NO_ID;
    private @Nullable UUID sideId;

    Simulation(long seed, Shape shape, boolean realWire) {
        this.seed = seed;
        this.shape = shape;
        this.world = new World(seed);
        this.network = new SimNetwork(world, realWire);
        this.log = new StepLog(world);
        this.invariants = new Invariants(log);
        for (int id = 1; id <= shape.nodes(); id++) {
            nodes.add(new SimNode(world, network, shape, id, new KafkaMetadataCodec(), invariants));
        }
        this.clients = new SimClients(world, shape, nodes, invariants);
        this.operator = new Operator(world, shape, clients);
        this.faults = new FaultSchedule(world, network, nodes);
    }

    /** Runs the seed; throws a {@link Invariants.Violation} where an invariant of the spec does not hold. */
    Result run(long faultMs) {
        begin();
        clients.start(topicId);
        RandomGenerator turns = world.random("turns");
        long end = world.nowMs() + faultMs;
        while (world.nowMs() < end) {
            world.runUntil(world.nowMs() + faults.pauseMs());
            if (turns.nextInt(4) == 0) {
                operator.act();
            } else {
                faults.inject();
            }
        }
        faults.heal();
        int lost = end();
        return new Result(
                seed,
                world.traceHash(),
                world.events(),
                log.steps(),
                clients.acked().size(),
                clients.reads().size(),
                lost,
                tookEffect(),
                invariants.exposure().losses(),
                log.taken());
    }

    private SortedMap<String, Integer> tookEffect() {
        TreeMap<String, Integer> all = new TreeMap<>(faults.tookEffect());
        all.putAll(operator.tookEffect());
        if (clients.duplicates() > 0) {
            all.put("duplicate-answered", clients.duplicates());
        }
        return all;
    }

    /**
     * A run of three nodes as a trace, its header first; where an invariant is violated it ends there.
     *
     * @param faultMs how long faults come and go, in virtual ms
     * @param guards those that are on in the nodes
     */
    public static List<String> traced(long seed, long faultMs, Guards guards) {
        return traced(seed, faultMs, Shape.three().withGuards(guards));
    }

    static List<String> traced(long seed, long faultMs, Shape shape) {
        Simulation simulation = new Simulation(seed, shape, false);
        List<String> lines = new ArrayList<>();
        TraceLog trace = new TraceLog(lines::add);
        simulation.nodes.forEach(node -> node.trace(trace));
        try {
            simulation.run(faultMs);
        } catch (Invariants.Violation violation) {
            simulation.world.tell("the trace ends: " + violation.getMessage());
        }
        SortedMap<String, Object> constants = new TreeMap<>();
        constants.put("elr", shape.elr);
        constants.put("flushEveryMessage", shape.flushEveryMessage);
        List<Integer> ids = simulation.nodes.stream().map(SimNode::id).toList();
        lines.add(0, TraceLog.header(trace.events(), ids, constants));
        return lines;
    }

    /** Starts the nodes and makes the topic; returns when every replica is in sync. */
    void begin() {
        nodes.forEach(SimNode::start);
        clients.createTopic(() -> topicExists = true);
        await("the topic exists", () -> topicExists && allInSync());
    }

    /** Everything heals, converges within a bound, and is compared; returns how many acknowledged values are gone. */
    private int end() {
        await("all replicas are in sync", this::allInSync);
        clients.stopProducing();
        world.runUntil(world.nowMs() + 10_000);
        await("all replicas are in sync", this::allInSync);
        return compareLogs();
    }

    /** As at the end of {@link #run}, for a scenario that a test has played on {@link #begin}. */
    int finish() {
        network.hand((from, to, request, arrival) -> false);
        faults.heal();
        return end();
    }

    World world() {
        return world;
    }

    SimNetwork network() {
        return network;
    }

    List<SimNode> nodes() {
        return nodes;
    }

    SimNode node(int id) {
        return nodes.get(id - 1);
    }

    SimClients clients() {
        return clients;
    }

    UUID topicId() {
        return topicId;
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
        clients.start(topicId);
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
        long effects = mortal.effects();
        if (moment != Moment.START) {
            mortal.repairDisk();
            if (!mortal.alive()) {
                mortal.start();
            }
        }
        await("all replicas are in sync", this::allInSync);
        clients.stopProducing();
        world.runUntil(world.nowMs() + 2_500);
        await("all replicas are in sync", this::allInSync);
        compareLogs();
        return effects;
    }

    int acknowledged() {
        return clients.acked().size();
    }

    /** The last steps in words. */
    String story() {
        return world.story();
    }

    private interface Condition {
        boolean holds();
    }

    private void await(String what, Condition condition) {
        long deadline = world.nowMs() + CONVERGE_MS;
        while (!condition.holds()) {
            if (nobodyElectable()) {
                operator.elect(true);
            }
            Invariants.require(
                    world.nowMs() < deadline,
                    "Converges",
                    "not within " + CONVERGE_MS + " ms: " + what + "; " + describe());
            world.runUntil(world.nowMs() + 100);
        }
    }

    private boolean allInSync() {
        boolean[] inSync = {true};
        for (SimNode node : nodes) {
            NodeApi api = node.api();
            if (api == null || node.frozen() || node.brokerState() != BrokerState.RUNNING) {
                return false;
            }
        }
        for (SimNode node : nodes) {
            boolean[] asked = new boolean[1];
            NodeApi api = node.api();
            if (api == null) {
                return false;
            }
            api.metadata(this::inSync, answer -> {
                asked[0] = true;
                inSync[0] &= answer;
            });
            world.runUntil(world.nowMs() + 1);
            inSync[0] &= asked[0];
        }
        return inSync[0];
    }

    /** With ISR, ELR and last known leader forgotten (a change of min.insync.replicas) only the operator can elect. */
    private boolean nobodyElectable() {
        boolean[] nobody = new boolean[1];
        for (SimNode node : nodes) {
            NodeApi api = node.api();
            if (api != null) {
                api.metadata(
                        view -> view.topics().values().stream()
                                .flatMap(topic -> topic.partitions().values().stream())
                                .anyMatch(each -> !each.hasLeader()
                                        && each.isr().isEmpty()
                                        && each.elr().isEmpty()
                                        && each.lastKnownElr().isEmpty()),
                        answer -> nobody[0] |= answer);
            }
        }
        world.runUntil(world.nowMs() + 1);
        return nobody[0];
    }

    private boolean inSync(MetadataView view) {
        TopicState topic = view.topic(SimClients.TOPIC);
        TopicState side = view.topic(Operator.SIDE);
        if (topic != null) {
            topicId = topic.id();
        }
        sideId = side == null ? null : side.id();
        return topic != null
                && topic.partitions().size() == shape.partitions
                && inSync(topic)
                && (side == null || inSync(side));
    }

    private boolean inSync(TopicState topic) {
        for (PartitionRegistration partition : topic.partitions().values()) {
            if (partition.isr().size() != shape.replicationFactor || !partition.hasLeader()) {
                return false;
            }
        }
        return true;
    }

    private String describe() {
        StringBuilder text = new StringBuilder();
        for (SimNode node : nodes) {
            text.append("node ")
                    .append(node.id())
                    .append(node.alive() ? "" : " dead")
                    .append(node.frozen() ? " frozen" : "")
                    .append(' ')
                    .append(node.brokerState())
                    .append(" quorum leader ")
                    .append(node.quorumLeader())
                    .append("; ");
            NodeApi api = node.api();
            if (api != null) {
                api.metadata(
                        view -> String.valueOf(
                                view.topic(SimClients.TOPIC) == null
                                        ? "no topic"
                                        : view.topic(SimClients.TOPIC).partitions() + " " + view.brokers()),
                        answer -> text.append(answer).append("; "));
                world.runUntil(world.nowMs() + 1);
            }
        }
        return text.toString();
    }

    private int compareLogs() {
        nodes.forEach(SimNode::kill);
        return new FinalLogs(shape, nodes, clients, invariants.exposure()).compare(sideId);
    }
}
