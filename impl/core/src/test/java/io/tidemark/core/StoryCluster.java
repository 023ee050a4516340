package io.tidemark.core;

import io.tidemark.core.controller.ControllerRequest;
import io.tidemark.core.controller.ControllerResponse;
import io.tidemark.core.log.BatchHeader;
import io.tidemark.core.metadata.PartitionRegistration;
import io.tidemark.core.partition.AlterPartitionAnswer;
import io.tidemark.core.partition.AlterPartitionAsked;
import io.tidemark.core.partition.FetchAnswer;
import io.tidemark.core.partition.FetchAsked;
import io.tidemark.core.partition.PartitionEffect;
import io.tidemark.core.partition.PartitionInput;
import io.tidemark.core.partition.PartitionView;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;

/**
 * The real controller and three real replicas of one partition, moved by hand: ELR on, nothing is flushed unless asked for.
 * What the controller decides is committed at once unless {@link StoryController#holdCommits} says otherwise; each broker
 * applies it in its own time. Broker 1 leads first, all are in the ISR, and everything is applied.
 *
 * <p>{@link StoryInvariants} are checked after every move.
 */
final class StoryCluster {
    /** A fetch as it was sent: the sender's broker epoch then, -1 from a version that sends none. */
    record Fetch(int from, long brokerEpoch, FetchAsked asked) {}

    /** An answer that is on its way; its bytes are read from the leader's log when they are sent. */
    record Fetched(Fetch to, FetchAnswer answer) {}

    private record ProduceToken(int id, short acks) implements ReplyToken {}

    private record FetchToken(Fetch fetch) implements ReplyToken {}

    final StoryController controller;
    private final Guards guards;
    private final List<StoryBroker> brokers = new ArrayList<>();
    private final StoryInvariants invariants = new StoryInvariants();
    /** AlterPartition requests that are delayed: their answers are no input any more. */
    private final List<ControllerRequest.AlterPartition> strays = new ArrayList<>();

    private int nextId;
    /** The idempotent producer: one record under way, sent again until it is acknowledged. */
    private int sequence;

    private int inFlight = -1;

    StoryCluster(Guards guards, int minIsr) {
        this(guards, minIsr, false);
    }

    /** @param flush whether every message is fsynced before it counts: {@code flush.messages=1} */
    StoryCluster(Guards guards, int minIsr, boolean flush) {
        this.guards = guards;
        controller = new StoryController(guards, this::answered, this::check);
        for (int id = 1; id <= 3; id++) {
            brokers.add(new StoryBroker(id, guards, flush));
            register(id, false);
        }
        controller.createTopic(minIsr);
        brokers.forEach(this::load);
    }

    private StoryBroker broker(int id) {
        return brokers.get(id - 1);
    }

    PartitionView view(int id) {
        return broker(id).core.view();
    }

    private void answered(int from, ControllerResponse response) {
        if (from == 0) {
            return;
        }
        if (response instanceof ControllerResponse.AlteredPartitions altered) {
            broker(from).altered = altered.partitions().get(0).answer();
        } else if (response instanceof ControllerResponse.RegisteredBroker registered) {
            broker(from).epoch = registered.brokerEpoch();
        } else if (response instanceof ControllerResponse.Refused refused) {
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
        StoryBroker broker = broker(id);
        boolean behind = broker.next < controller.published().size();
        if (behind) {
            step(broker, controller.published().get(broker.next++));
        }
        return behind;
    }

    /** The machine dies; of its log a prefix stays. The controller notices later ({@link StoryController#fence}). */
    void losePower(int id, int kept) {
        broker(id).die(kept);
    }

    /** As above, {@code lost} records from the end. */
    void losePowerAnd(int id, int lost) {
        losePower(id, broker(id).log.size() - lost);
    }

    /** Comes back unclean, is registered and unfenced, and has applied everything. */
    void restart(int id) {
        broker(id).start();
        register(id, false);
        load(broker(id));
    }

    /** A second process that calls itself {@code id} registers. */
    void registerTwin(int id) {
        register(id, true);
    }

    private void register(int id, boolean twin) {
        StoryBroker broker = broker(id);
        controller.register(id, twin ? 99 : ++broker.incarnation);
        if (!twin) {
            unfence(id);
        }
    }

    /** A heartbeat: it is there, and has applied everything. */
    void unfence(int id) {
        controller.heartbeat(id, broker(id).epoch);
    }

    private void load(StoryBroker broker) {
        broker.next = controller.published().size();
        controller.image().forEach(input -> step(broker, input));
    }

    void write(int leader) {
        write(leader, -1);
    }

    void write(int leader, int acks) {
        write(leader, acks, batch(-1, -1), nextId++);
    }

    /** With acks=all and a sequence: the record that is under way again, if there is one. */
    void writeOnce(int leader) {
        inFlight = inFlight < 0 ? nextId++ : inFlight;
        write(leader, -1, batch(7, sequence), inFlight);
    }

    private static BatchHeader batch(long producer, int sequence) {
        return new BatchHeader(0, 0, -1, 100, 1000, producer, (short) Math.min(producer, 0), sequence, false, false);
    }

    private void write(int leader, int acks, BatchHeader batch, int id) {
        StoryBroker.Bytes bytes = new StoryBroker.Bytes(List.of(new StoryBroker.Stored(batch, id)));
        ProduceToken token = new ProduceToken(id, (short) acks);
        step(broker(leader), new PartitionInput.HandleProduce((short) acks, batch, bytes, token));
    }

    /** An fsync is done. */
    void flush(int id) {
        StoryBroker broker = broker(id);
        broker.flushed = broker.log.size();
        step(broker, new PartitionInput.PersistLog(broker.flushed));
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
        return broker(follower).mayFetch();
    }

    boolean isAnswered(int follower) {
        return broker(follower).fetched != null;
    }

    /** The fetch that {@code follower} has under way. */
    Fetch asks(int follower) {
        StoryBroker broker = broker(follower);
        FetchAsked asked = broker.fetch;
        if (asked == null) {
            throw new IllegalStateException("broker " + follower + " asks for nothing");
        }
        return new Fetch(follower, broker.epoch, asked);
    }

    /** It arrives at the leader that it was sent to, where that is up. */
    void serve(Fetch fetch) {
        step(
                broker(fetch.asked.leader()),
                new PartitionInput.HandleFetch(
                        fetch.from,
                        fetch.brokerEpoch,
                        fetch.asked.leaderEpoch(),
                        fetch.asked.offset(),
                        fetch.asked.lastFetchedEpoch(),
                        new FetchToken(fetch)));
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
        List<StoryBroker.Stored> source = broker(fetched.to.asked.leader()).log;
        List<StoryBroker.Stored> bytes = List.of();
        if (answer.error() == ErrorCode.NONE && answer.diverging() == null) {
            int upTo = (int) Math.min(answer.upTo(), source.size());
            bytes = List.copyOf(source.subList((int) Math.min(answer.from(), upTo), upTo));
        }
        StoryBroker follower = broker(fetched.to.from);
        step(
                follower,
                new PartitionInput.HandleFetchResponse(
                        fetched.to.asked,
                        answer.error(),
                        answer.diverging(),
                        bytes.stream().map(StoryBroker.Stored::header).toList(),
                        new StoryBroker.Bytes(bytes),
                        answer.hw(),
                        answer.logStart()));
    }

    void lag(int leader, Integer... laggards) {
        step(broker(leader), new PartitionInput.ReplicaLagTimeout(new TreeSet<>(Arrays.asList(laggards))));
    }

    boolean asksForChange(int leader) {
        return broker(leader).up && broker(leader).alter != null;
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
        StoryBroker sender = broker(request.brokerId());
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
        StoryBroker broker = broker(leader);
        AlterPartitionAsked asked = broker.decided;
        AlterPartitionAnswer answer = broker.altered;
        if (asked != null && answer != null) {
            broker.altered = null;
            boolean stray = strays.stream()
                    .anyMatch(late -> late.brokerId() == leader
                            && late.partitions().get(0).asked().equals(asked));
            step(broker, new PartitionInput.HandleAlterPartitionResponse(asked, answer, stray));
        }
    }

    /** What {@code leader} asks for is sent and delayed. */
    void delayAlter(int leader) {
        strays.add(asksToAlter(leader));
    }

    boolean strays() {
        return !strays.isEmpty();
    }

    /** The oldest of the delayed ones arrives. */
    void strayArrives() {
        controller.request(0, strays.remove(0));
    }

    // Effects and invariants

    /** Nothing, where the broker is down. */
    private void step(StoryBroker broker, PartitionInput first) {
        ArrayDeque<PartitionInput> inputs = new ArrayDeque<>(broker.up ? List.of(first) : List.of());
        while (!inputs.isEmpty()) {
            PartitionInput input = inputs.remove();
            for (PartitionEffect effect : broker.core.apply(input).effects()) {
                carryOut(broker, effect, inputs);
            }
            if (guards == Guards.ALL) {
                // Without a guard the story is about what breaks for all.
                broker.alone.check(broker.core.view()).forEach(StoryInvariants::broken);
            }
            check();
        }
    }

    private void carryOut(StoryBroker broker, PartitionEffect effect, ArrayDeque<PartitionInput> inputs) {
        if (effect instanceof PartitionEffect.ReplyProduce reply) {
            produced(reply);
        } else if (effect instanceof PartitionEffect.ReplyFetch reply) {
            Fetch fetch = ((FetchToken) reply.token()).fetch;
            broker(fetch.from).fetched = new Fetched(fetch, reply.answer());
        } else if (effect instanceof PartitionEffect.Self self) {
            inputs.add(self.input());
        } else {
            broker.carryOut(effect, inputs);
        }
    }

    private void produced(PartitionEffect.ReplyProduce reply) {
        ProduceToken token = (ProduceToken) reply.token();
        if (reply.error() == ErrorCode.NONE && token.acks == -1) {
            invariants.acknowledged((int) reply.baseOffset(), token.id);
            if (token.id == inFlight) {
                inFlight = -1;
                sequence++;
            }
        }
    }

    private void check() {
        for (StoryBroker broker : brokers) {
            for (int offset = 0; broker.up && offset < broker.core.view().hw(); offset++) {
                invariants.belowHw(offset, broker.log.get(offset));
            }
            brokers.forEach(other -> StoryInvariants.logMatching(broker.log, other.log));
        }
        PartitionRegistration part = controller.partOrNull();
        for (StoryBroker broker : brokers) {
            // One that is down is judged by its registration when it comes back.
            if (part != null && broker.up) {
                invariants.check(broker.id, broker.log, part);
            }
        }
    }

    /** Everybody is up, in the ISR, and has everything; nobody waits. */
    boolean healed() {
        StoryBroker first = brokers.get(0);
        return brokers.stream()
                .allMatch(broker -> broker.up
                        && controller.part().isr().contains(broker.id)
                        && broker.core.view().hw() == first.log.size()
                        && broker.core.view().pendingAcks().isEmpty()
                        && broker.log.equals(first.log));
    }

    boolean isUp(int id) {
        return broker(id).up;
    }

    /** What of its log may be left when its machine dies: from what is fsynced to all of it. */
    int unflushed(int id) {
        return broker(id).log.size() - (int) broker(id).flushed;
    }

    int acknowledged() {
        return invariants.acknowledged();
    }
}
