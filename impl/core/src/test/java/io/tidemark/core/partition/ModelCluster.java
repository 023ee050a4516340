package io.tidemark.core.partition;

import io.tidemark.core.ErrorCode;
import io.tidemark.core.Guards;
import io.tidemark.core.ReplyToken;
import io.tidemark.core.log.BatchHeader;
import io.tidemark.core.partition.ModelReplica.Records;
import io.tidemark.core.partition.ModelReplica.Stored;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Three replicas, a network between them and {@link ModelController}: what can happen, one move at a time. The moves are
 * those of a scenario or drawn by {@link ModelSchedule}.
 */
final class ModelCluster {
    private record ProduceToken(int id, short acks) implements ReplyToken {}

    private record FetchToken(FetchMessage fetch) implements ReplyToken {}

    record ReadToken() implements ReplyToken {}

    private record FetchMessage(int from, int incarnation, long brokerEpoch, FetchAsked asked) {}

    private record FetchReply(FetchMessage to, FetchAnswer answer, List<Stored> records) {}

    private record AlterMessage(int from, int incarnation, long brokerEpoch, AlterPartitionAsked asked) {}

    private record AlterReply(AlterMessage to, AlterPartitionAnswer answer) {}

    final ModelController controller;
    final SortedMap<Integer, ModelReplica> replicas = new TreeMap<>();
    final List<Object> network = new ArrayList<>();
    private final Random random;
    private final boolean flushEveryMessage;
    private final ModelInvariants invariants = new ModelInvariants();
    private int nextId;
    /** The idempotent producer: one record under way, sent again until it is acknowledged. */
    private int sequence;

    private int inFlight = -1;

    /** For a scenario: minIsr 2, and everything applied. */
    ModelCluster(Guards guards) {
        this(new Random(0), guards, false, 2);
        applyAll(1, 2, 3);
    }

    ModelCluster(Random random, Guards guards, boolean flushEveryMessage, int minIsr) {
        this.random = random;
        this.flushEveryMessage = flushEveryMessage;
        this.controller = new ModelController(minIsr);
        for (int id = 1; id <= 3; id++) {
            long epoch = controller.reg.get(id).epoch();
            replicas.put(id, new ModelReplica(id, epoch, flushEveryMessage, guards));
        }
    }

    int acknowledged() {
        return invariants.acknowledged();
    }

    // Scenarios: one move at a time

    void applyAll(int... ids) {
        for (int id : ids) {
            while (replicas.get(id).next < controller.metadata.size()) {
                applyNext(replicas.get(id));
            }
        }
    }

    void applyNext(int id) {
        applyNext(replicas.get(id));
    }

    /** A record with acks=all. */
    void write(int leader) {
        produce(replicas.get(leader), false, (short) -1);
    }

    /** The follower's fetch is on its way, behind all others. */
    void ask(int follower) {
        sendFetch(replicas.get(follower));
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
        if (replicas.get(leader).alter != null) {
            sendAlter(replicas.get(leader));
            deliver(network.size() - 1);
            if (answered) {
                deliver(network.size() - 1);
            } else {
                network.remove(network.size() - 1);
            }
        }
    }

    void lag(int leader, int laggard) {
        step(replicas.get(leader), new PartitionInput.ReplicaLagTimeout(new TreeSet<>(List.of(laggard))));
    }

    void moveLeader(int to) {
        controller.moveLeader(to);
        check();
    }

    // Inputs

    void applyNext(ModelReplica node) {
        if (node.next < controller.metadata.size()) {
            step(node, controller.metadata.get(node.next++));
        }
    }

    void produce(ModelReplica node, boolean idempotent, short acks) {
        if (!node.up) {
            return;
        }
        int id = idempotent && inFlight >= 0 ? inFlight : nextId++;
        inFlight = idempotent ? id : inFlight;
        BatchHeader header = idempotent ? Fixture.batch(1, 7, 0, sequence) : Fixture.batch(1);
        Records records = new Records(List.of(new Stored(header, id)));
        step(node, new PartitionInput.HandleProduce(acks, header, records, new ProduceToken(id, acks)));
    }

    void sendFetch(ModelReplica node) {
        if (node.fetch != null && (!flushEveryMessage || node.flushed >= node.fetch.offset())) {
            send(new FetchMessage(node.id, node.incarnation, node.brokerEpoch, node.fetch));
        }
    }

    void sendAlter(ModelReplica node) {
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

    void lose() {
        if (!network.isEmpty()) {
            network.remove(random.nextInt(network.size()));
        }
    }

    void flush(ModelReplica node) {
        node.flushed = node.log.size();
        step(node, new PartitionInput.PersistLog(node.flushed));
    }

    void deliver(int index) {
        Object message = network.remove(index);
        if (message instanceof FetchMessage fetch) {
            ModelReplica leader = replicas.get(fetch.asked.leader());
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
            ModelReplica follower = replicas.get(reply.to.from);
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
            ModelReplica leader = replicas.get(reply.to.from);
            if (leader.up && leader.incarnation == reply.to.incarnation) {
                step(leader, new PartitionInput.HandleAlterPartitionResponse(reply.to.asked, reply.answer));
            }
        }
    }

    void restart(ModelReplica node) {
        node.restart(controller.register(node.id));
        node.next = controller.metadata.size();
        controller.image().forEach(input -> step(node, input));
    }

    // Effects

    void step(ModelReplica node, PartitionInput first) {
        ArrayDeque<PartitionInput> inputs = new ArrayDeque<>(List.of(first));
        while (!inputs.isEmpty()) {
            for (PartitionEffect effect : node.core.apply(inputs.remove()).effects()) {
                carryOut(node, effect, inputs);
            }
            List<String> violated = node.local.check(node.view());
            ModelInvariants.require(violated.isEmpty(), "Local", violated);
            check();
        }
    }

    private void carryOut(ModelReplica node, PartitionEffect effect, ArrayDeque<PartitionInput> inputs) {
        if (effect instanceof PartitionEffect.Append append) {
            Stored sent = ((Records) append.records()).stored().get(0);
            node.store(new Stored(append.batch(), sent.id()));
        } else if (effect instanceof PartitionEffect.AppendFetched append) {
            ((Records) append.records())
                    .stored()
                    .subList(0, append.batches().size())
                    .forEach(stored -> node.store(stored));
        } else if (effect instanceof PartitionEffect.Truncate truncate) {
            node.cut((int) truncate.offset());
            inputs.addFirst(new PartitionInput.ReloadProducers(node.producers()));
        } else if (effect instanceof PartitionEffect.TruncateFully) {
            throw new ModelInvariants.Violation("NothingIsDeleted: " + effect);
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

    private void produced(PartitionEffect.ReplyProduce reply) {
        ProduceToken token = (ProduceToken) reply.token();
        if (reply.error() == ErrorCode.NONE && token.acks == -1) {
            invariants.acknowledge(reply.baseOffset(), token.id);
            if (token.id == inFlight) {
                inFlight = -1;
                sequence++;
            }
        }
    }

    private void fetched(ModelReplica node, PartitionEffect.ReplyFetch reply) {
        FetchAnswer answer = reply.answer();
        List<Stored> read = List.of();
        if (answer.error() == ErrorCode.NONE && answer.diverging() == null) {
            long upTo = Math.min(answer.upTo(), answer.from() + 1 + random.nextInt(4));
            read = List.copyOf(node.log.subList((int) answer.from(), (int) upTo));
        }
        if (reply.token() instanceof FetchToken token) {
            send(new FetchReply(token.fetch, answer, read));
        } else {
            read.forEach(stored -> invariants.expose(stored.header().baseOffset(), stored.id()));
        }
    }

    void check() {
        invariants.check(replicas, controller.part.isr());
    }
}
