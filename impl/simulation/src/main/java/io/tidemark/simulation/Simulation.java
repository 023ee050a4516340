package io.tidemark.simulation;

import io.tidemark.core.broker.BrokerState;
import io.tidemark.core.metadata.MetadataView;
import io.tidemark.core.metadata.PartitionRegistration;
import io.tidemark.core.metadata.TopicState;
import io.tidemark.runtime.NodeApi;
import io.tidemark.runtime.Regions;
import io.tidemark.storage.LogConfig;
import io.tidemark.storage.ReplicaLog;
import io.tidemark.wire.KafkaMetadataCodec;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

/**
 * One seed: a cluster starts, clients work, faults come and go (the safety phase); then everything heals and must converge
 * within a bound (the liveness phase); then every replica's log is compared with the others and with what was acknowledged.
 */
public final class Simulation {
    /**
     * What a run did.
     *
     * @param faults injected, by kind
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
            SortedMap<String, Integer> faults,
            SortedMap<String, Long> taken) {}

    /** How long a healed cluster may take until all replicas are in sync, in virtual ms. */
    private static final long CONVERGE_MS = 60_000;

    private final World world;
    private final Shape shape;
    private final SimNetwork network;
    private final Invariants invariants;
    private final List<SimNode> nodes = new ArrayList<>();
    private final SimClients clients;
    private final RandomGenerator random;
    private final TreeMap<String, Integer> faults = new TreeMap<>();
    private final long seed;
    private boolean topicExists;
    private boolean recovering;

    Simulation(long seed, Shape shape, boolean realWire) {
        this.seed = seed;
        this.shape = shape;
        this.world = new World(seed);
        this.network = new SimNetwork(world, realWire);
        this.invariants = new Invariants(world, shape.acks() != -1);
        this.random = world.random("faults");
        for (int id = 1; id <= shape.nodes(); id++) {
            nodes.add(new SimNode(world, network, shape, id, new KafkaMetadataCodec(), invariants));
        }
        this.clients = new SimClients(world, shape, nodes);
    }

    /** Runs the seed; throws a {@link Invariants.Violation} where an invariant of the spec does not hold. */
    Result run(long faultMs) {
        nodes.forEach(SimNode::start);
        clients.createTopic(() -> topicExists = true);
        await("the topic exists", () -> topicExists && allInSync());
        clients.start();
        long end = world.nowMs() + faultMs;
        while (world.nowMs() < end) {
            world.runUntil(world.nowMs() + random.nextLong(100, 1_500));
            injectFault();
        }
        heal();
        await("all replicas are in sync", this::allInSync);
        clients.stopProducing();
        world.runUntil(world.nowMs() + 10_000);
        await("all replicas are in sync", this::allInSync);
        int lost = compareLogs();
        return new Result(
                seed,
                world.traceHash(),
                world.events(),
                invariants.steps(),
                clients.acked().size(),
                clients.reads().size(),
                lost,
                faults,
                invariants.taken());
    }

    /**
     * A short run without other faults in which the node dies at one effect on its disk, see {@link SimNode#dieAtEffect};
     * returns how many effects the node's disk saw, up to that death.
     */
    long runWithDeath(int node, long effect, boolean after, boolean power) {
        nodes.get(node - 1).dieAtEffect(effect, after, power);
        nodes.forEach(SimNode::start);
        clients.createTopic(() -> topicExists = true);
        await("the topic exists", () -> topicExists && allInSync());
        clients.start();
        world.runUntil(world.nowMs() + 300);
        long effects = nodes.get(node - 1).effects();
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

    private void injectFault() {
        SimNode node = nodes.get(random.nextInt(nodes.size()));
        switch (random.nextInt(9)) {
            case 0 -> kill(node, false);
            case 1 -> kill(node, true);
            case 2 -> freeze(node);
            case 3 -> restart(node);
            case 4 -> cut(node);
            case 5 -> {
                network.loss(random.nextDouble() * 0.2);
                network.duplicates(random.nextDouble() * 0.1);
                fault("message-loss");
            }
            case 6 -> {
                network.maxDelayUs(random.nextInt(1_000, 400_000));
                fault("reorder");
            }
            default -> network.healAll();
        }
    }

    private void kill(SimNode node, boolean power) {
        if (!node.alive() || node.frozen()) {
            return;
        }
        if (!shape.flushEveryMessage() && (power || recovering)) {
            // One machine that forgets at a time, and no unclean stop of another until it is in sync again: the last
            // known
            // leader may be the one that forgot, and then more is lost than acks=all promises to keep (KIP-966).
            if (!allInSync()) {
                return;
            }
            recovering = power;
        }
        if (power && shape.flushEveryMessage() && random.nextInt(3) == 0) {
            // The whole room: only what was fsynced before it was acknowledged is left.
            fault("power-loss");
            nodes.stream().filter(each -> each.alive() && !each.frozen()).forEach(each -> {
                each.losePower();
                startLater(each);
            });
            return;
        }
        if (power) {
            node.losePower();
            fault("power-loss");
        } else {
            node.kill();
            fault("kill");
        }
        startLater(node);
    }

    private void startLater(SimNode node) {
        world.after(random.nextLong(100_000, 8_000_000), () -> {
            if (!node.alive()) {
                node.start();
            }
        });
    }

    private void freeze(SimNode node) {
        if (node.alive() && !node.frozen()) {
            node.freeze();
            fault("freeze");
            world.after(random.nextLong(500_000, 8_000_000), node::thaw);
        }
    }

    private void restart(SimNode node) {
        if (recovering && !allInSync()) {
            // A clean stop counts as unclean where the answer to the registration before it was lost.
            return;
        }
        if (node.alive() && !node.frozen()) {
            fault("restart");
            node.stop(() -> world.after(random.nextLong(100_000, 3_000_000), () -> {
                if (!node.alive()) {
                    node.start();
                }
            }));
        }
    }

    private void cut(SimNode node) {
        for (SimNode other : nodes) {
            if (other != node) {
                network.cut(node.id(), other.id());
                if (random.nextBoolean()) {
                    network.cut(other.id(), node.id());
                }
            }
        }
        fault("partition");
    }

    private void fault(String kind) {
        faults.merge(kind, 1, Integer::sum);
        world.trace(kind);
        world.tell("FAULT " + kind);
    }

    private void heal() {
        network.healAll();
        world.runUntil(world.nowMs() + 10_000);
        for (SimNode node : nodes) {
            node.thaw();
            if (!node.alive()) {
                node.start();
            }
        }
        network.healAll();
    }

    private interface Condition {
        boolean holds();
    }

    private void await(String what, Condition condition) {
        long deadline = world.nowMs() + CONVERGE_MS;
        while (!condition.holds()) {
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

    private boolean inSync(MetadataView view) {
        TopicState topic = view.topic(SimClients.TOPIC);
        if (topic == null || topic.partitions().size() != shape.partitions()) {
            return false;
        }
        for (PartitionRegistration partition : topic.partitions().values()) {
            if (partition.isr().size() != shape.replicationFactor() || !partition.hasLeader()) {
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

    /** Every replica's log must equal the others'; returns how many acknowledged values are not where they were. */
    private int compareLogs() {
        nodes.forEach(SimNode::kill);
        int lost = 0;
        for (int partition = 0; partition < shape.partitions(); partition++) {
            List<SimBatch.Stored> reference = null;
            for (SimNode node : nodes) {
                List<SimBatch.Stored> log = readLog(node, partition);
                if (reference == null) {
                    reference = log;
                }
                Invariants.require(
                        log.equals(reference),
                        "LogMatching",
                        "partition " + partition + ": replica " + node.id() + " differs from replica 1");
            }
            if (reference == null) {
                continue;
            }
            TreeMap<Long, Long> values = new TreeMap<>();
            TreeMap<Long, Long> seen = new TreeMap<>();
            for (SimBatch.Stored record : reference) {
                values.put(record.offset(), record.value());
                Long twice = seen.put(record.value(), record.offset());
                Invariants.require(
                        twice == null,
                        "NoDuplicate",
                        "partition " + partition + ": value " + record.value() + " at " + twice + " and "
                                + record.offset());
            }
            for (SimClients.Acked acked : clients.acked()) {
                if (acked.partition() == partition
                        && !Long.valueOf(acked.value()).equals(values.get(acked.offset()))) {
                    Invariants.require(
                            shape.acks() != -1,
                            "AckedDurable",
                            "partition " + partition + ": value " + acked.value() + " acknowledged at offset "
                                    + acked.offset() + " after " + acked.atMs() + " ms is gone");
                    lost++;
                }
            }
            for (SimClients.Read read : clients.reads()) {
                if (read.partition() == partition && shape.acks() == -1) {
                    Invariants.require(
                            Long.valueOf(read.value()).equals(values.get(read.offset())),
                            "ReadsRepeatable",
                            "partition " + partition + ": value " + read.value() + " was read at offset "
                                    + read.offset() + " and is gone");
                }
            }
        }
        return lost;
    }

    private static List<SimBatch.Stored> readLog(SimNode node, int partition) {
        ReplicaLog log = ReplicaLog.open(
                        node.disk(),
                        SimNode.dataDirectory().resolve(SimClients.TOPIC + "-" + partition),
                        new LogConfig(2_000, 300, 1_200, false),
                        false,
                        0,
                        0)
                .log();
        List<SimBatch.Stored> records = new ArrayList<>();
        for (long offset = log.firstOffset(); offset < log.logEndOffset(); ) {
            List<SimBatch.Stored> part = SimBatch.read(Regions.bytes(log.read(offset, 1 << 20, true, Long.MAX_VALUE)));
            records.addAll(part);
            offset = part.get(part.size() - 1).offset() + 1;
        }
        return records;
    }
}
