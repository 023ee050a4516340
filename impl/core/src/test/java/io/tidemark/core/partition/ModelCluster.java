package io.tidemark.core.partition;

import io.tidemark.core.ErrorCode;
import io.tidemark.core.Guards;
import io.tidemark.core.ReplyToken;
import io.tidemark.core.log.BatchHeader;
import io.tidemark.core.log.EpochStart;
import io.tidemark.core.log.LogState;
import io.tidemark.core.log.ProducerEntry;
import io.tidemark.core.log.RecordsRef;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Three replicas, their disks, a network that loses and delays, and {@link ModelController}: one random schedule, driven by
 * one seed. A crash keeps the log (killed) or a prefix of it that holds what was flushed (power lost: then the controller
 * has dropped the replica from the ISR before, since the model has no ELR).
 */
final class ModelCluster {
    /** An invariant does not hold; the message begins with its name. */
    static final class Violation extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Violation(String message) {
            super(message);
        }
    }

    /** A record on a disk; what it holds is its {@code id}. */
    record Stored(BatchHeader header, int id) {}

    record Records(List<Stored> stored) implements RecordsRef {
        @Override
        public int sizeInBytes() {
            return stored.size();
        }
    }

    private record ProduceToken(int id, short acks) implements ReplyToken {}

    private record FetchToken(FetchMessage fetch) implements ReplyToken {}

    private record ReadToken() implements ReplyToken {}

    private record FetchMessage(int from, int incarnation, long brokerEpoch, FetchAsked asked) {}

    private record FetchReply(FetchMessage to, FetchAnswer answer, List<Stored> records) {}

    private record AlterMessage(int from, int incarnation, long brokerEpoch, AlterPartitionAsked asked) {}

    private record AlterReply(AlterMessage to, AlterPartitionAnswer answer) {}

    private final class Node {
        final int id;
        final List<Stored> log = new ArrayList<>();
        boolean up = true;
        int incarnation;
        long brokerEpoch;
        int next;
        long flushed;
        long hwCheckpoint;
        PartitionCore core;
        PartitionInvariants local = new PartitionInvariants();

        @Nullable
        FetchAsked fetch;

        @Nullable
        AlterPartitionAsked alter;

        Node(int id) {
            this.id = id;
            this.brokerEpoch = controller.reg.get(id).epoch();
            this.core = start();
        }

        private PartitionCore start() {
            List<EpochStart> epochs = new ArrayList<>();
            for (Stored stored : log) {
                int epoch = stored.header.leaderEpoch();
                if (epochs.isEmpty() || epochs.get(epochs.size() - 1).epoch() < epoch) {
                    epochs.add(new EpochStart(epoch, stored.header.baseOffset()));
                }
            }
            return new PartitionCore(
                    new PartitionConfig(id, flushEveryMessage, guards),
                    new LogState(0, log.size(), log.size(), hwCheckpoint, epochs, producers()));
        }

        List<ProducerEntry> producers() {
            Producers fold = new Producers();
            log.forEach(stored -> fold.appended(stored.header));
            return fold.snapshot();
        }

        PartitionView view() {
            return core.view();
        }
    }

    private final Random random;
    private final Guards guards;
    private final boolean flushEveryMessage;
    private final ModelController controller;
    private final SortedMap<Integer, Node> nodes = new TreeMap<>();
    private final List<Object> network = new ArrayList<>();
    private final TreeMap<Long, Integer> acked = new TreeMap<>();
    private final TreeMap<Long, Integer> exposed = new TreeMap<>();
    /** A broker that is slow to apply metadata, and one that is slow to fetch: 0 for none. */
    private final int slow;

    private final int behind;

    /** The leader moves often, and nothing crashes. */
    private final boolean restless;

    private int nextId;
    /** The idempotent producer: one record under way, sent again until it is acknowledged. */
    private int sequence;

    private int inFlight = -1;

    ModelCluster(long seed, Guards guards) {
        this(new Random(seed), guards);
    }

    private ModelCluster(Random random, Guards guards) {
        this(random, guards, random.nextInt(4) == 0, random.nextInt(4) == 0 ? 1 : 2);
    }

    /** For a scenario: minIsr 2, and everything applied. */
    ModelCluster(Guards guards) {
        this(new Random(0), guards, false, 2);
        applyAll(1, 2, 3);
    }

    private ModelCluster(Random random, Guards guards, boolean flushEveryMessage, int minIsr) {
        this.random = random;
        this.guards = guards;
        this.flushEveryMessage = flushEveryMessage;
        this.controller = new ModelController(minIsr);
        this.slow = random.nextInt(4);
        this.behind = random.nextInt(4);
        this.restless = random.nextBoolean();
        for (int id = 1; id <= 3; id++) {
            nodes.put(id, new Node(id));
        }
    }

    int acknowledged() {
        return acked.size();
    }

    // Scenarios: one move at a time

    void applyAll(int... ids) {
        for (int id : ids) {
            while (nodes.get(id).next < controller.metadata.size()) {
                applyNext(nodes.get(id));
            }
        }
    }

    void applyNext(int id) {
        applyNext(nodes.get(id));
    }

    /** A record with acks=all. */
    void write(int leader) {
        produce(nodes.get(leader), false, (short) -1);
    }

    /** The follower's fetch is on its way, behind all others. */
    void ask(int follower) {
        sendFetch(nodes.get(follower));
    }

    /** The follower's fetch arrives; its answer is lost. */
    void fetchUnanswered(int follower) {
        ask(follower);
        deliver(network.size() - 1);
        network.remove(network.size() - 1);
    }

    void fetch(int follower) {
        ask(follower);
        deliver(network.size() - 1);
        deliver(network.size() - 1);
    }

    void deliverOldest() {
        deliver(0);
    }

    /** The controller decides on what the leader asks for, if anything; the answer is lost. */
    void alterUnanswered(int leader) {
        alter(leader, false);
    }

    void alter(int leader) {
        alter(leader, true);
    }

    private void alter(int leader, boolean answered) {
        if (nodes.get(leader).alter != null) {
            sendAlter(nodes.get(leader));
            deliver(network.size() - 1);
            if (answered) {
                deliver(network.size() - 1);
            } else {
                network.remove(network.size() - 1);
            }
        }
    }

    void lag(int leader, int laggard) {
        step(nodes.get(leader), new PartitionInput.ReplicaLagTimeout(new TreeSet<>(List.of(laggard))));
    }

    void moveLeader(int to) {
        controller.moveLeader(to);
        check();
    }

    // The schedule

    void run(int steps) {
        for (int i = 0; i < steps; i++) {
            act(any());
        }
    }

    private Node any() {
        return nodes.get(1 + random.nextInt(3));
    }

    private void act(Node node) {
        int what = random.nextInt(1000);
        if (!node.up) {
            if (what < 200) {
                restart(node);
                check();
            }
        } else if (what < 190) {
            if (node.id != slow || random.nextInt(6) == 0) {
                applyNext(node);
            }
        } else if (what < 290) {
            produce(nodes.getOrDefault(random.nextInt(3) == 0 ? node.id : controller.part.leader(), node));
        } else if (what < 450) {
            if (node.id != behind || random.nextInt(4) == 0) {
                sendFetch(node);
            }
        } else if (what < 510) {
            sendAlter(node);
        } else if (what < 850) {
            deliver();
        } else if (what < 870) {
            lose();
        } else if (what < 890) {
            flush(node);
        } else if (what < 900) {
            lag(node);
        } else if (what < 930) {
            step(node, new PartitionInput.ConsumerRead(-1, random.nextInt(1 + node.log.size()), -1, new ReadToken()));
        } else {
            disturb(node, what);
            check();
        }
    }

    private void disturb(Node node, int what) {
        if (what < (restless ? 980 : 942)) {
            controller.moveLeader(node.id);
        } else if (what < 985) {
            controller.unfence(node.id);
        } else if (what < (restless ? 987 : 991)) {
            controller.fence(node.id);
        } else if (!restless && what < 995) {
            crash(node, false);
        } else if (!restless) {
            crash(node, true);
        }
    }

    /** Nothing fails any more: within the bound all are in the ISR with equal logs and nothing waits. */
    void heal() {
        for (int round = 0; round < 60; round++) {
            for (Node node : nodes.values()) {
                if (!node.up) {
                    restart(node);
                }
                controller.unfence(node.id);
            }
            for (Node node : nodes.values()) {
                while (node.next < controller.metadata.size()) {
                    applyNext(node);
                }
                if (round < 3) {
                    produce(node);
                }
                flush(node);
                sendFetch(node);
                sendAlter(node);
            }
            while (!network.isEmpty()) {
                deliver();
            }
            if (round >= 3 && healed()) {
                return;
            }
        }
        throw new Violation("Healed: ISR " + controller.part
                + nodes.values().stream()
                        .map(node -> "\n" + node.id + ": " + node.view().copy())
                        .collect(Collectors.joining()));
    }

    private boolean healed() {
        boolean equal = controller.part.isr().equals(List.of(1, 2, 3));
        for (Node node : nodes.values()) {
            equal &= node.view().pendingAcks().isEmpty()
                    && node.log.equals(nodes.get(1).log)
                    && node.view().hw() == node.log.size();
        }
        return equal;
    }

    // Inputs

    private void applyNext(Node node) {
        if (node.next < controller.metadata.size()) {
            step(node, controller.metadata.get(node.next++));
        }
    }

    private void produce(Node node) {
        boolean idempotent = random.nextInt(3) == 0;
        produce(node, idempotent, (short) (idempotent || random.nextInt(4) > 0 ? -1 : 1));
    }

    private void produce(Node node, boolean idempotent, short acks) {
        if (!node.up) {
            return;
        }
        int id = idempotent && inFlight >= 0 ? inFlight : nextId++;
        inFlight = idempotent ? id : inFlight;
        BatchHeader header = idempotent ? Fixture.batch(1, 7, 0, sequence) : Fixture.batch(1);
        Records records = new Records(List.of(new Stored(header, id)));
        step(node, new PartitionInput.HandleProduce(acks, header, records, new ProduceToken(id, acks)));
    }

    private void sendFetch(Node node) {
        if (node.fetch != null && (!flushEveryMessage || node.flushed >= node.fetch.offset())) {
            send(new FetchMessage(node.id, node.incarnation, node.brokerEpoch, node.fetch));
        }
    }

    private void sendAlter(Node node) {
        if (node.alter != null) {
            // As the contract demands: it is sent again only once the attempt before cannot arrive any more.
            network.removeIf(message -> message instanceof AlterMessage alter && alter.from == node.id
                    || message instanceof AlterReply reply && reply.to.from == node.id);
            send(new AlterMessage(node.id, node.incarnation, node.brokerEpoch, node.alter));
        }
    }

    private void send(Object message) {
        if (network.size() == 8) {
            lose();
        }
        network.add(message);
    }

    private void lose() {
        if (!network.isEmpty()) {
            network.remove(random.nextInt(network.size()));
        }
    }

    private void flush(Node node) {
        node.flushed = node.log.size();
        step(node, new PartitionInput.PersistLog(node.flushed));
    }

    private void lag(Node node) {
        TreeSet<Integer> laggards = new TreeSet<>();
        for (int id = 1; id <= 3; id++) {
            if (random.nextBoolean()) {
                laggards.add(id);
            }
        }
        step(node, new PartitionInput.ReplicaLagTimeout(laggards));
    }

    private void deliver() {
        if (!network.isEmpty()) {
            deliver(random.nextInt(network.size()));
        }
    }

    private void deliver(int index) {
        Object message = network.remove(index);
        if (message instanceof FetchMessage fetch) {
            Node leader = nodes.get(fetch.asked.leader());
            if (leader.up) {
                step(
                        leader,
                        new PartitionInput.HandleFetch(
                                fetch.from,
                                fetch.brokerEpoch,
                                fetch.asked.leaderEpoch(),
                                fetch.asked.offset(),
                                fetch.asked.lastFetchedEpoch(),
                                new FetchToken(fetch)));
            }
        } else if (message instanceof FetchReply reply) {
            Node follower = nodes.get(reply.to.from);
            if (follower.up && follower.incarnation == reply.to.incarnation) {
                List<BatchHeader> headers =
                        reply.records.stream().map(Stored::header).toList();
                step(
                        follower,
                        new PartitionInput.HandleFetchResponse(
                                reply.to.asked,
                                reply.answer.error(),
                                reply.answer.diverging(),
                                headers,
                                new Records(reply.records),
                                reply.answer.hw(),
                                reply.answer.logStart()));
            }
        } else if (message instanceof AlterMessage alter) {
            AlterPartitionAnswer answer = controller.handleAlterPartition(alter.from, alter.brokerEpoch, alter.asked);
            check();
            send(new AlterReply(alter, answer));
        } else if (message instanceof AlterReply reply) {
            Node leader = nodes.get(reply.to.from);
            if (leader.up && leader.incarnation == reply.to.incarnation) {
                step(leader, new PartitionInput.HandleAlterPartitionResponse(reply.to.asked, reply.answer));
            }
        }
    }

    private void crash(Node node, boolean powerLost) {
        if (powerLost) {
            if (controller.onlyIsrMember(node.id)) {
                return;
            }
            controller.fence(node.id);
            int kept = (int) node.flushed + random.nextInt(1 + node.log.size() - (int) node.flushed);
            cut(node, kept);
        }
        node.up = false;
        node.fetch = null;
        node.alter = null;
        node.hwCheckpoint = random.nextInt(1 + (int) Math.min(node.view().hw(), node.log.size()));
    }

    private void restart(Node node) {
        node.up = true;
        node.incarnation++;
        node.flushed = node.log.size();
        node.brokerEpoch = controller.register(node.id);
        node.core = node.start();
        node.local = new PartitionInvariants();
        node.next = controller.metadata.size();
        controller.image().forEach(input -> step(node, input));
    }

    // Effects

    private void step(Node node, PartitionInput first) {
        ArrayDeque<PartitionInput> inputs = new ArrayDeque<>(List.of(first));
        while (!inputs.isEmpty()) {
            for (PartitionEffect effect : node.core.apply(inputs.remove()).effects()) {
                carryOut(node, effect, inputs);
            }
            List<String> violated = node.local.check(node.view());
            require(violated.isEmpty(), "Local", violated);
            check();
        }
    }

    private void carryOut(Node node, PartitionEffect effect, ArrayDeque<PartitionInput> inputs) {
        if (effect instanceof PartitionEffect.Append append) {
            Stored sent = ((Records) append.records()).stored.get(0);
            store(node, new Stored(append.batch(), sent.id));
        } else if (effect instanceof PartitionEffect.AppendFetched append) {
            ((Records) append.records())
                    .stored
                    .subList(0, append.batches().size())
                    .forEach(stored -> store(node, stored));
        } else if (effect instanceof PartitionEffect.Truncate truncate) {
            cut(node, (int) truncate.offset());
            inputs.addFirst(new PartitionInput.ReloadProducers(node.producers()));
        } else if (effect instanceof PartitionEffect.TruncateFully) {
            throw new Violation("NothingIsDeleted: " + effect);
        } else if (effect instanceof PartitionEffect.SendAlterPartition send) {
            node.alter = send.request();
        } else if (effect instanceof PartitionEffect.AbandonAlterPartition) {
            node.alter = null;
        } else if (effect instanceof PartitionEffect.Fetch fetch) {
            node.fetch = fetch.request();
        } else if (effect instanceof PartitionEffect.AbandonFetch) {
            node.fetch = null;
        } else if (effect instanceof PartitionEffect.ReplyProduce reply) {
            produced(reply);
        } else if (effect instanceof PartitionEffect.ReplyFetch reply) {
            fetched(node, reply);
        } else if (effect instanceof PartitionEffect.Self self) {
            inputs.add(self.input());
        }
    }

    private static void store(Node node, Stored stored) {
        require(node.log.stream().noneMatch(known -> known.id == stored.id), "NoDuplicates", stored);
        node.log.add(stored);
    }

    private static void cut(Node node, int end) {
        node.log.subList(end, node.log.size()).clear();
        node.flushed = Math.min(node.flushed, end);
    }

    private void produced(PartitionEffect.ReplyProduce reply) {
        ProduceToken token = (ProduceToken) reply.token();
        if (reply.error() == ErrorCode.NONE && token.acks == -1) {
            Integer before = acked.put(reply.baseOffset(), token.id);
            require(before == null || before == token.id, "AckedOnce", reply);
            if (token.id == inFlight) {
                inFlight = -1;
                sequence++;
            }
        }
    }

    private void fetched(Node node, PartitionEffect.ReplyFetch reply) {
        FetchAnswer answer = reply.answer();
        List<Stored> read = List.of();
        if (answer.error() == ErrorCode.NONE && answer.diverging() == null) {
            long upTo = Math.min(answer.upTo(), answer.from() + 1 + random.nextInt(4));
            read = List.copyOf(node.log.subList((int) answer.from(), (int) upTo));
        }
        if (reply.token() instanceof FetchToken token) {
            send(new FetchReply(token.fetch, answer, read));
        } else {
            read.forEach(stored -> expose(stored.header.baseOffset(), stored.id));
        }
    }

    // Invariants

    private void expose(long offset, int id) {
        Integer before = exposed.putIfAbsent(offset, id);
        if (before != null && before != id) {
            throw new Violation("ReadsRepeat: offset " + offset + " holds " + before + ", then " + id);
        }
    }

    private void check() {
        for (Node node : nodes.values()) {
            if (node.up) {
                require(
                        node.view().logEnd() == node.log.size(),
                        "LogAsTold",
                        node.view().copy());
                for (int offset = 0; offset < node.view().hw(); offset++) {
                    expose(offset, node.log.get(offset).id);
                }
            }
        }
        for (int id : controller.part.isr()) {
            holds("AckedDurable", nodes.get(id), acked);
            holds("ElectableComplete", nodes.get(id), exposed);
        }
        logMatching(nodes.get(1).log, nodes.get(2).log);
        logMatching(nodes.get(2).log, nodes.get(3).log);
        logMatching(nodes.get(1).log, nodes.get(3).log);
    }

    private static void holds(String name, Node node, TreeMap<Long, Integer> records) {
        for (Map.Entry<Long, Integer> record : records.entrySet()) {
            int offset = (int) (long) record.getKey();
            if (offset >= node.log.size() || node.log.get(offset).id != record.getValue()) {
                throw new Violation(name + ": replica " + node.id + " of the ISR lacks " + record);
            }
        }
    }

    /** Equal epochs at an offset: equal records up to there. */
    private static void logMatching(List<Stored> a, List<Stored> b) {
        int common = Math.min(a.size(), b.size());
        while (common > 0
                && a.get(common - 1).header.leaderEpoch()
                        != b.get(common - 1).header.leaderEpoch()) {
            common--;
        }
        for (int i = 0; i < common; i++) {
            if (a.get(i).id != b.get(i).id) {
                throw new Violation("LogMatching: " + a.get(i) + " and " + b.get(i));
            }
        }
    }

    private static void require(boolean holds, String name, Object what) {
        if (!holds) {
            throw new Violation(name + ": " + what);
        }
    }
}
