package io.tidemark.core;

import io.tidemark.core.controller.ControllerRequest;
import io.tidemark.core.controller.ControllerResponse;
import io.tidemark.core.log.BatchHeader;
import io.tidemark.core.log.EpochStart;
import io.tidemark.core.log.LogState;
import io.tidemark.core.log.RecordBytes;
import io.tidemark.core.log.RecordsRef;
import io.tidemark.core.metadata.PartitionRegistration;
import io.tidemark.core.partition.AlterPartitionAnswer;
import io.tidemark.core.partition.AlterPartitionAsked;
import io.tidemark.core.partition.FetchAnswer;
import io.tidemark.core.partition.FetchAsked;
import io.tidemark.core.partition.PartitionConfig;
import io.tidemark.core.partition.PartitionCore;
import io.tidemark.core.partition.PartitionEffect;
import io.tidemark.core.partition.PartitionInput;
import io.tidemark.core.partition.PartitionView;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The real controller and three real replicas of one partition, moved by hand: ELR on, nothing is flushed. What the
 * controller decides is committed at once unless {@link StoryController#holdCommits} says otherwise; each broker applies it in its own
 * time. Broker 1 leads first, all are in the ISR, and everything is applied.
 *
 * <p>{@link StoryInvariants} are checked after every move.
 */
final class StoryCluster {
    /** A fetch as it was sent: the sender's broker epoch then, -1 from a version that sends none. */
    record Fetch(int from, long brokerEpoch, FetchAsked asked) {}

    /** An answer that is on its way; its bytes are read from the leader's log when they are sent. */
    record Fetched(Fetch to, FetchAnswer answer) {}

    /** A record on a disk; what it holds is its {@code id}. */
    record Stored(int epoch, int id) {}

    private record ProduceToken(int id, short acks) implements ReplyToken {}

    private record FetchToken(Fetch fetch) implements ReplyToken {}

    private record ControllerToken(int from) implements ReplyToken {}

    private final class Broker {
        final int id;
        final List<Stored> log = new ArrayList<>();
        PartitionCore core;
        boolean up = true;
        int incarnation;
        long epoch;
        int next;

        @Nullable
        FetchAsked fetch;

        @Nullable
        AlterPartitionAsked alter;

        @Nullable
        Fetched fetched;

        @Nullable
        AlterPartitionAsked decided;

        @Nullable
        AlterPartitionAnswer altered;

        Broker(int id) {
            this.id = id;
            this.core = start();
        }

        PartitionCore start() {
            List<EpochStart> epochs = new ArrayList<>();
            for (int offset = 0; offset < log.size(); offset++) {
                if (offset == 0 || log.get(offset).epoch > log.get(offset - 1).epoch) {
                    epochs.add(new EpochStart(log.get(offset).epoch, offset));
                }
            }
            return new PartitionCore(
                    new PartitionConfig(id, guards), new LogState(0, log.size(), log.size(), 0, epochs, List.of()));
        }
    }

    final StoryController controller;
    private final Guards guards;
    private final List<Broker> brokers = new ArrayList<>();
    private final StoryInvariants invariants = new StoryInvariants();
    private int nextId;

    StoryCluster(Guards guards, int minIsr) {
        this.guards = guards;
        controller = new StoryController(guards, this::answered, this::check);
        for (int id = 1; id <= 3; id++) {
            brokers.add(new Broker(id));
            register(id, false);
        }
        controller.createTopic(minIsr);
        brokers.forEach(this::load);
    }

    private Broker broker(int id) {
        return brokers.get(id - 1);
    }

    PartitionView view(int id) {
        return broker(id).core.view();
    }

    private void answered(int from, ControllerResponse response) {
        if (response instanceof ControllerResponse.AlteredPartitions altered) {
            broker(from).altered = altered.partitions().get(0).answer();
        } else if (response instanceof ControllerResponse.RegisteredBroker registered) {
            broker(from).epoch = registered.brokerEpoch();
        } else if (response instanceof ControllerResponse.Refused refused && from > 0) {
            broker(from).altered = AlterPartitionAnswer.failed(refused.error());
        }
    }

    // Moves: a broker's

    void applyAll(int... ids) {
        for (int id : ids) {
            while (applyNext(id)) {}
        }
    }

    /** False if there was nothing to apply. */
    boolean applyNext(int id) {
        Broker broker = broker(id);
        boolean behind = broker.next < controller.published().size();
        if (behind) {
            step(broker, controller.published().get(broker.next++));
        }
        return behind;
    }

    /** The machine dies; of its log a prefix stays. The controller notices later ({@link #fence}). */
    void losePower(int id, int kept) {
        Broker broker = broker(id);
        broker.up = false;
        broker.log.subList(kept, broker.log.size()).clear();
    }

    /** Comes back unclean, is registered and unfenced, and has applied everything. */
    void restart(int id) {
        Broker broker = broker(id);
        broker.fetch = null;
        broker.alter = null;
        broker.fetched = null;
        broker.decided = null;
        broker.core = broker.start();
        broker.up = true;
        register(id, false);
        load(broker);
    }

    /** A second process that calls itself {@code id} registers. */
    void registerTwin(int id) {
        register(id, true);
    }

    private void register(int id, boolean twin) {
        Broker broker = broker(id);
        controller.register(id, twin ? 99 : ++broker.incarnation);
        if (!twin) {
            unfence(id);
        }
    }

    /** A heartbeat: it is there, and has applied everything. */
    void unfence(int id) {
        controller.heartbeat(id, broker(id).epoch);
    }

    private void load(Broker broker) {
        broker.next = controller.published().size();
        controller.image().forEach(input -> step(broker, input));
    }

    void write(int leader) {
        write(leader, -1);
    }

    void write(int leader, int acks) {
        BatchHeader batch = new BatchHeader(0, 0, -1, 100, 1000, -1, (short) -1, -1, false, false);
        ProduceToken token = new ProduceToken(nextId++, (short) acks);
        step(broker(leader), new PartitionInput.HandleProduce((short) acks, batch, RecordBytes.EMPTY, token));
    }

    /** These followers fetch until they have everything and their leader knows. */
    void replicate(int... followers) {
        for (int follower : followers) {
            fetch(follower);
            fetch(follower);
        }
    }

    void fetch(int follower) {
        serve(asks(follower));
        receive(fetched(follower));
    }

    boolean asksForRecords(int follower) {
        return broker(follower).fetch != null;
    }

    boolean isAnswered(int follower) {
        return broker(follower).fetched != null;
    }

    /** The fetch that {@code follower} has under way. */
    Fetch asks(int follower) {
        Broker broker = broker(follower);
        FetchAsked asked = broker.fetch;
        if (asked == null) {
            throw new IllegalStateException("broker " + follower + " asks for nothing");
        }
        return new Fetch(follower, broker.epoch, asked);
    }

    /** It arrives at the leader that it was sent to, where that is up. */
    void serve(Fetch fetch) {
        Broker leader = broker(fetch.asked.leader());
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
    }

    /** The last answer to {@code follower}, not yet received. */
    Fetched fetched(int follower) {
        Fetched fetched = broker(follower).fetched;
        if (fetched == null) {
            throw new IllegalStateException("no answer for broker " + follower);
        }
        return fetched;
    }

    void receive(Fetched fetched) {
        FetchAnswer answer = fetched.answer;
        List<Stored> source = broker(fetched.to.asked.leader()).log;
        List<BatchHeader> batches = new ArrayList<>();
        List<Stored> bytes = List.of();
        if (answer.error() == ErrorCode.NONE && answer.diverging() == null) {
            int upTo = (int) Math.min(answer.upTo(), source.size());
            bytes = List.copyOf(source.subList((int) Math.min(answer.from(), upTo), upTo));
            for (Stored stored : bytes) {
                batches.add(new BatchHeader(0, 0, -1, 100, 1000, -1, (short) -1, -1, false, false)
                        .assigned(answer.from() + batches.size(), stored.epoch));
            }
        }
        Broker follower = broker(fetched.to.from);
        step(
                follower,
                new PartitionInput.HandleFetchResponse(
                        fetched.to.asked,
                        answer.error(),
                        answer.diverging(),
                        batches,
                        new Bytes(bytes),
                        answer.hw(),
                        answer.logStart()));
    }

    private record Bytes(List<Stored> stored) implements RecordsRef {
        @Override
        public int sizeInBytes() {
            return stored.size();
        }
    }

    void lag(int leader, Integer... laggards) {
        step(broker(leader), new PartitionInput.ReplicaLagTimeout(new TreeSet<>(Arrays.asList(laggards))));
    }

    boolean asksForChange(int leader) {
        return broker(leader).alter != null;
    }

    /** What {@code leader} asks the controller for. */
    ControllerRequest.AlterPartition asksToAlter(int leader) {
        AlterPartitionAsked asked = broker(leader).alter;
        if (asked == null) {
            throw new IllegalStateException("broker " + leader + " asks for no change");
        }
        return new ControllerRequest.AlterPartition(
                leader,
                broker(leader).epoch,
                List.of(new ControllerRequest.AlterPartition.PartitionItem(
                        StoryController.PARTITION.topicId(), StoryController.PARTITION.partition(), asked)));
    }

    /** It arrives; the answer is under way. */
    void decide(ControllerRequest.AlterPartition request) {
        Broker sender = broker(request.brokerId());
        sender.altered = null;
        sender.decided = request.partitions().get(0).asked();
        controller.request(request.brokerId(), request);
    }

    /** The controller decides on what {@code leader} asks for, if anything, and the answer arrives, if it may leave. */
    void alter(int leader) {
        if (!asksForChange(leader)) {
            return;
        }
        decide(asksToAlter(leader));
        hearDecision(leader);
    }

    /** The answer to the last {@link #decide} arrives, if there is one. */
    void hearDecision(int leader) {
        Broker broker = broker(leader);
        AlterPartitionAsked asked = broker.decided;
        AlterPartitionAnswer answer = broker.altered;
        if (asked != null && answer != null) {
            broker.altered = null;
            step(broker, new PartitionInput.HandleAlterPartitionResponse(asked, answer));
        }
    }

    // Effects and invariants

    private void step(Broker broker, PartitionInput first) {
        ArrayDeque<PartitionInput> inputs = new ArrayDeque<>(List.of(first));
        while (!inputs.isEmpty()) {
            PartitionInput input = inputs.remove();
            for (PartitionEffect effect : broker.core.apply(input).effects()) {
                carryOut(broker, effect, inputs);
            }
            check();
        }
    }

    private void carryOut(Broker broker, PartitionEffect effect, ArrayDeque<PartitionInput> inputs) {
        if (effect instanceof PartitionEffect.Append append) {
            broker.log.add(new Stored(append.batch().leaderEpoch(), nextId - 1));
        } else if (effect instanceof PartitionEffect.AppendFetched append) {
            broker.log.addAll(((Bytes) append.records())
                    .stored.subList(0, append.batches().size()));
        } else if (effect instanceof PartitionEffect.Truncate truncate) {
            broker.log.subList((int) truncate.offset(), broker.log.size()).clear();
        } else if (effect instanceof PartitionEffect.SendAlterPartition send) {
            broker.alter = send.request();
        } else if (effect instanceof PartitionEffect.AbandonAlterPartition) {
            broker.alter = null;
        } else if (effect instanceof PartitionEffect.Fetch fetch) {
            broker.fetch = fetch.request();
        } else if (effect instanceof PartitionEffect.AbandonFetch) {
            broker.fetch = null;
        } else if (effect instanceof PartitionEffect.ReplyProduce reply) {
            ProduceToken token = (ProduceToken) reply.token();
            if (reply.error() == ErrorCode.NONE && token.acks == -1) {
                invariants.acknowledged((int) reply.baseOffset(), token.id);
            }
        } else if (effect instanceof PartitionEffect.ReplyFetch reply) {
            Fetch fetch = ((FetchToken) reply.token()).fetch;
            broker(fetch.from).fetched = new Fetched(fetch, reply.answer());
        } else if (effect instanceof PartitionEffect.Self self) {
            inputs.add(self.input());
        }
    }

    private void check() {
        for (Broker broker : brokers) {
            for (int offset = 0; broker.up && offset < broker.core.view().hw(); offset++) {
                invariants.belowHw(offset, broker.log.get(offset));
            }
            brokers.forEach(other -> StoryInvariants.logMatching(broker.log, other.log));
        }
        PartitionRegistration part = controller.partOrNull();
        for (Broker broker : brokers) {
            // One that is down is judged by its registration when it comes back.
            if (part != null && broker.up) {
                invariants.check(broker.id, broker.log, part);
            }
        }
    }

    int acknowledged() {
        return invariants.acknowledged();
    }
}
