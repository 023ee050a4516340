package io.tidemark.core;

import io.tidemark.core.controller.ControllerConfig;
import io.tidemark.core.controller.ControllerCore;
import io.tidemark.core.controller.ControllerEffect;
import io.tidemark.core.controller.ControllerInput;
import io.tidemark.core.controller.ControllerRequest;
import io.tidemark.core.controller.ControllerResponse;
import io.tidemark.core.log.BatchHeader;
import io.tidemark.core.log.EpochStart;
import io.tidemark.core.log.LogState;
import io.tidemark.core.log.RecordBytes;
import io.tidemark.core.log.RecordsRef;
import io.tidemark.core.metadata.BrokerRegistration;
import io.tidemark.core.metadata.BrokerRegistration.FeatureRange;
import io.tidemark.core.metadata.MetadataRecord;
import io.tidemark.core.metadata.MetadataState;
import io.tidemark.core.metadata.PartitionRegistration;
import io.tidemark.core.metadata.TopicPartition;
import io.tidemark.core.partition.AlterPartitionAnswer;
import io.tidemark.core.partition.AlterPartitionAsked;
import io.tidemark.core.partition.FetchAnswer;
import io.tidemark.core.partition.FetchAsked;
import io.tidemark.core.partition.PartitionConfig;
import io.tidemark.core.partition.PartitionCore;
import io.tidemark.core.partition.PartitionEffect;
import io.tidemark.core.partition.PartitionInput;
import io.tidemark.core.partition.PartitionView;
import io.tidemark.core.quorum.Endpoint;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The real controller and three real replicas of one partition, moved by hand: ELR on, nothing is flushed. What the
 * controller decides is committed at once unless {@link #holdCommits} says otherwise; each broker applies it in its own
 * time. Broker 1 leads first, all are in the ISR, and everything is applied.
 *
 * <p>After every move: whoever the controller may elect cleanly (ISR and ELR), and whoever leads, has every acknowledged
 * record (AckedDurable) and every record that was below a high watermark (ElectableComplete); equal epochs at an offset mean
 * equal logs up to it (LogMatching).
 */
final class StoryCluster {
    /** An invariant does not hold. */
    static final class Violation extends RuntimeException {
        private static final long serialVersionUID = 1L;

        final String invariant;

        Violation(String invariant, String what) {
            super(invariant + ": " + what);
            this.invariant = invariant;
        }
    }

    /** A fetch as it was sent: the sender's broker epoch then, -1 from a version that sends none. */
    record Fetch(int from, long brokerEpoch, FetchAsked asked) {}

    /** An answer that is on its way; its bytes are read from the leader's log when they are sent. */
    record Fetched(Fetch to, FetchAnswer answer) {}

    private record Stored(int epoch, int id) {}

    private record ProduceToken(int id, short acks) implements ReplyToken {}

    private record FetchToken(Fetch fetch) implements ReplyToken {}

    private record ControllerToken(int from) implements ReplyToken {}

    private static final String TOPIC = "t";
    private static final TopicPartition PARTITION = new TopicPartition(new UUID(1, 1), 0);
    private static final SortedMap<String, FeatureRange> FEATURES = new TreeMap<>(Map.of(
            "metadata.version",
            new FeatureRange((short) 7, (short) 29),
            MetadataState.ELR_FEATURE,
            new FeatureRange((short) 0, (short) 1)));

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
                    new PartitionConfig(id, guards),
                    new LogState(0, log.size(), log.size(), 0, epochs, List.of()));
        }
    }

    private final Guards guards;
    private final List<Broker> brokers = new ArrayList<>();
    private final TreeMap<Integer, Integer> acked = new TreeMap<>();
    private final TreeMap<Integer, Integer> exposed = new TreeMap<>();
    /** Committed and folded, and what of it concerns the partition. */
    private MetadataState committed = metadata();

    private final List<PartitionInput> published = new ArrayList<>();
    private final List<ControllerEffect.Append> uncommitted = new ArrayList<>();
    private final List<ControllerEffect.Reply> held = new ArrayList<>();
    private ControllerCore controller;
    private long metaHw;
    private int epoch = 1;
    private boolean holding;
    private int nextId;

    StoryCluster(Guards guards, int minIsr) {
        this.guards = guards;
        controller = new ControllerCore(config(), metadata());
        act(new ControllerInput.Activate(epoch, 1));
        for (int id = 1; id <= 3; id++) {
            brokers.add(new Broker(id));
            register(id, false);
        }
        request(
                0,
                new ControllerRequest.CreateTopics(
                        List.of(new ControllerRequest.NewTopic(
                                TOPIC,
                                -1,
                                (short) -1,
                                new TreeMap<>(Map.of(0, List.of(1, 2, 3))),
                                new TreeMap<>(Map.of("min.insync.replicas", String.valueOf(minIsr))))),
                        false,
                        List.of(PARTITION.topicId()),
                        0));
        brokers.forEach(this::load);
    }

    private static MetadataState metadata() {
        return new MetadataState(100, new TreeMap<>(Map.of("min.insync.replicas", "1")));
    }

    private ControllerConfig config() {
        TreeMap<String, Short> features =
                new TreeMap<>(Map.of("metadata.version", (short) 27, MetadataState.ELR_FEATURE, (short) 1));
        return new ControllerConfig(100, "cluster", 1, 3, features, FEATURES, new TreeSet<>(), guards);
    }

    private Broker broker(int id) {
        return brokers.get(id - 1);
    }

    PartitionView view(int id) {
        return broker(id).core.view();
    }

    /** The partition as the controller has decided, uncommitted changes included. */
    PartitionRegistration part() {
        PartitionRegistration part = controller.view().part(PARTITION);
        if (part == null) {
            throw new IllegalStateException("no partition yet");
        }
        return part;
    }

    // The controller

    private void request(int from, ControllerRequest request) {
        act(ControllerInput.of(request, new ControllerToken(from)));
    }

    private void act(ControllerInput input) {
        for (ControllerEffect effect : controller.apply(input).effects()) {
            if (effect instanceof ControllerEffect.Append append) {
                uncommitted.add(append);
            } else if (effect instanceof ControllerEffect.Reply reply) {
                held.add(reply);
            }
        }
        if (holding) {
            release();
        } else {
            commit();
        }
        check();
    }

    /** From now on nothing is committed until {@link #commit}. */
    void holdCommits() {
        holding = true;
    }

    void commit() {
        holding = false;
        for (ControllerEffect.Append append : uncommitted) {
            long offset = append.baseOffset();
            for (MetadataRecord record : append.records()) {
                committed.apply(offset, record);
                publish(offset, record);
                offset++;
            }
            metaHw = offset;
        }
        uncommitted.clear();
        controller.apply(new ControllerInput.CommitMetadata(metaHw));
        release();
    }

    /** Answers whose condition holds; a lost one is never released. */
    private void release() {
        for (ControllerEffect.Reply reply : List.copyOf(held)) {
            boolean holds = !(reply.requires() instanceof Requires.Committed needed) || needed.endOffset() <= metaHw;
            if (holds) {
                held.remove(reply);
                answered(((ControllerToken) reply.token()).from(), reply.response());
            }
        }
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

    /** What was not committed is lost with the controller; its successor folds what was. */
    void loseUncommitted() {
        uncommitted.clear();
        held.clear();
        holding = false;
        controller = new ControllerCore(config(), committed.copy());
        act(new ControllerInput.Activate(++epoch, metaHw + 1));
    }

    private void publish(long offset, MetadataRecord record) {
        if (committed.partition(PARTITION) == null) {
            return;
        }
        if (record instanceof MetadataRecord.RegisterBroker r) {
            published.add(brokerChange(offset, r.registration().id()));
        } else if (record instanceof MetadataRecord.BrokerRegistrationChange r) {
            published.add(brokerChange(offset, r.brokerId()));
        } else if (record instanceof MetadataRecord.Config) {
            published.add(new PartitionInput.ApplyMinIsrChange(offset, committed.effectiveMinIsr(TOPIC)));
        } else {
            published.add(new PartitionInput.ApplyPartitionChange(offset, committed.partition(PARTITION)));
        }
    }

    private PartitionInput brokerChange(long offset, int id) {
        BrokerRegistration broker = committed.broker(id);
        return new PartitionInput.ApplyBrokerChange(
                offset, id, broker == null ? -1 : broker.epoch(), broker != null && broker.active());
    }

    // Moves: the controller's

    void fence(int id) {
        act(new ControllerInput.BrokerSessionTimeout(id));
    }

    void unfence(int id) {
        request(
                id,
                new ControllerRequest.BrokerHeartbeat(
                        id, broker(id).epoch, controller.view().metaLogEnd(), false, false));
    }

    void minIsr(int minIsr) {
        ControllerRequest.ConfigOp op = new ControllerRequest.ConfigOp(
                "min.insync.replicas", ControllerRequest.ConfigOp.Op.SET, String.valueOf(minIsr));
        request(
                0,
                new ControllerRequest.AlterConfigs(
                        List.of(new ControllerRequest.ConfigChange((byte) 2, TOPIC, List.of(op))), false));
    }

    void electPreferred() {
        request(0, new ControllerRequest.ElectLeaders(false, null));
    }

    // Moves: a broker's

    void applyAll(int... ids) {
        for (int id : ids) {
            Broker broker = broker(id);
            while (broker.next < published.size()) {
                step(broker, published.get(broker.next++));
            }
        }
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
        UUID incarnation = new UUID(id, twin ? 99 : ++broker.incarnation);
        request(
                id,
                new ControllerRequest.RegisterBroker(
                        id,
                        "cluster",
                        incarnation,
                        List.of(new Endpoint("PLAINTEXT", "localhost", 9090 + id)),
                        FEATURES,
                        null,
                        List.of(new UUID(1000, id)),
                        -1));
        if (!twin) {
            unfence(id);
        }
    }

    private void load(Broker broker) {
        long offset = committed.appliedOffset();
        broker.next = published.size();
        for (int id = 1; id <= 3; id++) {
            step(broker, brokerChange(offset, id));
        }
        step(broker, new PartitionInput.ApplyMinIsrChange(offset, committed.effectiveMinIsr(TOPIC)));
        PartitionRegistration part = committed.partition(PARTITION);
        if (part != null) {
            step(broker, new PartitionInput.ApplyPartitionChange(offset, part));
        }
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
            int from = (int) answer.from();
            bytes = List.copyOf(source.subList(from, Math.max(from, (int) Math.min(answer.upTo(), source.size()))));
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
                        PARTITION.topicId(), PARTITION.partition(), asked)));
    }

    /** It arrives; the answer is under way. */
    void decide(ControllerRequest.AlterPartition request) {
        request(request.brokerId(), request);
    }

    /** The controller decides on what {@code leader} asks for, and the answer arrives, if it may leave. */
    void alter(int leader) {
        Broker broker = broker(leader);
        AlterPartitionAsked asked = broker.alter;
        decide(asksToAlter(leader));
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
                acked.put((int) reply.baseOffset(), token.id);
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
                exposed.putIfAbsent(offset, broker.log.get(offset).id);
            }
        }
        for (Broker a : brokers) {
            brokers.forEach(b -> logMatching(a.log, b.log));
        }
        PartitionRegistration part = controller.view().part(PARTITION);
        if (part == null) {
            return;
        }
        TreeSet<Integer> electable = new TreeSet<>(part.isr());
        electable.addAll(part.elr());
        if (part.hasLeader()) {
            electable.add(part.leader());
        }
        for (int id : electable) {
            // One that is down is judged by its registration when it comes back.
            if (broker(id).up) {
                has(broker(id), acked, "AckedDurable", part);
                has(broker(id), exposed, "ElectableComplete", part);
            }
        }
    }

    private static void has(
            Broker broker, Map<Integer, Integer> records, String invariant, PartitionRegistration part) {
        records.forEach((offset, id) -> {
            if (offset >= broker.log.size() || broker.log.get(offset).id != id) {
                throw new Violation(
                        invariant, "broker " + broker.id + " lacks record " + id + " at " + offset + ": " + part);
            }
        });
    }

    private static void logMatching(List<Stored> a, List<Stored> b) {
        int same = Math.min(a.size(), b.size()) - 1;
        while (same >= 0 && a.get(same).epoch != b.get(same).epoch) {
            same--;
        }
        if (!a.subList(0, same + 1).equals(b.subList(0, same + 1))) {
            throw new Violation("LogMatching", a + " and " + b);
        }
    }

    int acknowledged() {
        return acked.size();
    }
}
