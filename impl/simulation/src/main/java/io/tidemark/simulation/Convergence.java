package io.tidemark.simulation;

import io.tidemark.core.broker.BrokerState;
import io.tidemark.core.controller.ControllerRequest.TopicAndPartition;
import io.tidemark.core.message.PartitionRef;
import io.tidemark.core.metadata.MetadataView;
import io.tidemark.core.metadata.PartitionRegistration;
import io.tidemark.core.metadata.TopicPartition;
import io.tidemark.core.metadata.TopicState;
import io.tidemark.runtime.NodeApi;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What a cluster must come to once faults end: a core of it, with the rest dead, elects, catches up and answers; all of it
 * is in sync. Within a bound each, or it is a failure named Converges.
 */
final class Convergence {
    private static final String NAME = "Converges";

    private final World world;
    private final Shape shape;
    private final List<SimNode> nodes;
    private final SimClients clients;
    private final Operator operator;
    private final TreeMap<TopicPartition, List<Integer>> replicas = new TreeMap<>();
    private UUID topicId = PartitionRef.NO_ID;
    private @Nullable UUID sideId;

    Convergence(World world, Shape shape, List<SimNode> nodes, SimClients clients, Operator operator) {
        this.world = world;
        this.shape = shape;
        this.nodes = nodes;
        this.clients = clients;
        this.operator = operator;
    }

    /** The id of the topic under load, once {@link #allInSync} held. */
    UUID topicId() {
        return topicId;
    }

    /** The id of the topic that comes and goes, null where it is gone. */
    @Nullable
    UUID sideId() {
        return sideId;
    }

    /** The replicas of each partition, as last seen. */
    SortedMap<TopicPartition, List<Integer>> replicas() {
        return replicas;
    }

    /** How long a healed cluster may take, in virtual ms: several of its longest time-outs. */
    private long boundMs() {
        return shape.kafkaTimes ? 180_000 : 60_000;
    }

    void await(String what, BooleanSupplier condition) {
        long deadline = world.nowMs() + boundMs();
        while (!condition.getAsBoolean()) {
            Set<TopicAndPartition> stuck = withNobodyElectable();
            if (!stuck.isEmpty()) {
                operator.electUncleanly(stuck);
            }
            if (world.nowMs() >= deadline) {
                throw new Violation(NAME, "not within " + boundMs() + " ms: " + what + "; " + describe());
            }
            world.runUntil(world.nowMs() + 100);
        }
    }

    void awaitAllInSync() {
        await("all replicas are in sync", this::allInSync);
    }

    // ---- All of it

    boolean allInSync() {
        return every(nodes, this::inSync);
    }

    private boolean every(List<SimNode> asked, Predicate<MetadataView> question) {
        int[] yes = new int[1];
        for (SimNode node : asked) {
            NodeApi api = node.api();
            if (api == null || node.frozen() || node.brokerState() != BrokerState.RUNNING) {
                return false;
            }
            api.metadata(question::test, answer -> yes[0] += answer ? 1 : 0);
        }
        world.runUntil(world.nowMs() + 1);
        return yes[0] == asked.size();
    }

    private boolean inSync(MetadataView view) {
        TopicState topic = view.topic(SimClients.TOPIC);
        TopicState side = view.topic(Operator.SIDE);
        if (topic != null) {
            topicId = topic.id();
        }
        sideId = side == null ? null : side.id();
        replicas.clear();
        view.topics()
                .values()
                .forEach(each -> each.partitions()
                        .forEach((index, partition) ->
                                replicas.put(new TopicPartition(each.id(), index), partition.replicas())));
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

    /** With ISR, ELR and last known leader forgotten (a change of min.insync.replicas) only the operator can elect. */
    private Set<TopicAndPartition> withNobodyElectable() {
        Set<TopicAndPartition> stuck = new TreeSet<>(
                Comparator.comparing(TopicAndPartition::topic).thenComparingInt(TopicAndPartition::partition));
        for (SimNode node : nodes) {
            NodeApi api = node.api();
            if (api != null) {
                api.metadata(Convergence::withNobodyElectable, stuck::addAll);
            }
        }
        world.runUntil(world.nowMs() + 1);
        return stuck;
    }

    static List<TopicAndPartition> withNobodyElectable(MetadataView view) {
        List<TopicAndPartition> stuck = new ArrayList<>();
        for (TopicState topic : view.topics().values()) {
            topic.partitions().forEach((index, partition) -> {
                // A leader is a member of the ISR.
                if (partition.isr().isEmpty()
                        && partition.elr().isEmpty()
                        && partition.lastKnownElr().isEmpty()) {
                    stuck.add(new TopicAndPartition(topic.name(), index));
                }
            });
        }
        return stuck;
    }

    // ---- A core of it

    /** What of the topic under load works with the core alone: the partitions that must answer. */
    private final class Core {
        final List<SimNode> members;
        final TreeMap<Integer, Integer> before = new TreeMap<>();

        Core(List<SimNode> members) {
            this.members = members;
            for (int partition = 0; partition < shape.partitions; partition++) {
                before.put(partition, clients.ackedOf(partition));
            }
        }

        private boolean has(int id) {
            return members.stream().anyMatch(node -> node.id() == id);
        }

        boolean works(MetadataView view) {
            TopicState topic = view.topic(SimClients.TOPIC);
            if (topic == null) {
                return false;
            }
            int minIsr = view.effectiveMinIsr(SimClients.TOPIC);
            return topic.partitions().entrySet().stream()
                    .allMatch(each -> works(each.getKey(), each.getValue(), minIsr));
        }

        /** Where nobody of the core may be elected, none of them has to answer. */
        private boolean works(int index, PartitionRegistration partition, int minIsr) {
            boolean electable = partition.isr().stream().anyMatch(this::has)
                    || partition.elr().stream().anyMatch(this::has);
            if (!electable) {
                return true;
            }
            boolean caughtUp = has(partition.leader())
                    && partition.replicas().stream().filter(this::has).allMatch(partition.isr()::contains);
            boolean mayWrite =
                    shape.acks == 1 || (shape.acks == -1 && partition.isr().size() >= minIsr);
            return caughtUp && (!mayWrite || !clients.writes(index) || answers(index));
        }

        private boolean answers(int index) {
            return clients.ackedOf(index) > before.getOrDefault(index, 0);
        }

        boolean hasOneLeader() {
            int leader = members.get(0).quorumLeader();
            return has(leader) && members.stream().allMatch(node -> node.quorumLeader() == leader);
        }
    }

    /** The core lives, the others are dead: it must elect, catch up and answer. */
    void awaitCore(List<SimNode> members) {
        Core core = new Core(members);
        await(
                "of " + members.stream().map(node -> "node " + node.id()).toList()
                        + " alone, each partition that has an"
                        + " electable replica there has a leader, all of them in its ISR, and answers",
                () -> core.hasOneLeader() && every(members, core::works));
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
}
