package io.tidemark.core;

import io.tidemark.core.controller.ControllerConfig;
import io.tidemark.core.controller.ControllerCore;
import io.tidemark.core.controller.ControllerEffect;
import io.tidemark.core.controller.ControllerInput;
import io.tidemark.core.controller.ControllerInvariants;
import io.tidemark.core.controller.ControllerRequest;
import io.tidemark.core.controller.ControllerResponse;
import io.tidemark.core.metadata.BrokerRegistration;
import io.tidemark.core.metadata.BrokerRegistration.FeatureRange;
import io.tidemark.core.metadata.MetadataRecord;
import io.tidemark.core.metadata.MetadataState;
import io.tidemark.core.metadata.PartitionRegistration;
import io.tidemark.core.metadata.TopicPartition;
import io.tidemark.core.partition.PartitionInput;
import io.tidemark.core.quorum.Endpoint;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The real controller over one metadata log, with one partition on brokers 1 to 3, ELR on: {@link StoryCluster}'s other
 * half. What it decides is committed at once unless {@link #holdCommits} says otherwise, and published to the brokers.
 */
final class StoryController {
    static final TopicPartition PARTITION = new TopicPartition(new UUID(1, 1), 0);
    private static final String TOPIC = "t";
    private static final SortedMap<String, FeatureRange> FEATURES = new TreeMap<>(Map.of(
            "metadata.version",
            new FeatureRange((short) 7, (short) 29),
            MetadataState.ELR_FEATURE,
            new FeatureRange((short) 0, (short) 1)));

    private record ControllerToken(int from) implements ReplyToken {}

    private final Guards guards;
    private final BiConsumer<Integer, ControllerResponse> answers;
    private final Runnable check;
    private final MetadataState committed = metadata();
    private final List<PartitionInput> published = new ArrayList<>();
    private final List<ControllerEffect.Append> uncommitted = new ArrayList<>();
    private final List<ControllerEffect.Reply> held = new ArrayList<>();
    private ControllerCore core;
    private ControllerInvariants invariants = new ControllerInvariants();
    private long metaHw;
    private int epoch = 1;
    private boolean holding;

    /** @param answers takes each answer, with who asked, once it may leave */
    StoryController(Guards guards, BiConsumer<Integer, ControllerResponse> answers, Runnable check) {
        this.guards = guards;
        this.answers = answers;
        this.check = check;
        core = new ControllerCore(config(), metadata());
        core.apply(new ControllerInput.Activate(epoch, 1)).effects().forEach(this::take);
        commit();
    }

    private static MetadataState metadata() {
        return new MetadataState(100, new TreeMap<>(Map.of("min.insync.replicas", "1")));
    }

    private ControllerConfig config() {
        TreeMap<String, Short> features =
                new TreeMap<>(Map.of("metadata.version", (short) 27, MetadataState.ELR_FEATURE, (short) 1));
        return new ControllerConfig(100, "cluster", 1, 3, features, FEATURES, new TreeSet<>(), guards);
    }

    @Nullable
    PartitionRegistration partOrNull() {
        return core.view().part(PARTITION);
    }

    /** The partition as the controller has decided, uncommitted changes included. */
    PartitionRegistration part() {
        PartitionRegistration part = partOrNull();
        if (part == null) {
            throw new IllegalStateException("no partition yet");
        }
        return part;
    }

    /** Whether the partition can be led by somebody else without a look at what {@code id} has. */
    boolean anotherIsInSync(int id) {
        return part().isr().stream().anyMatch(member -> member != id && committed.active(member));
    }

    /** ISR, ELR and last known leader are forgotten: a change of minIsr did that. */
    boolean nobodyElectable() {
        PartitionRegistration part = part();
        return !part.hasLeader()
                && part.isr().isEmpty()
                && part.elr().isEmpty()
                && part.lastKnownElr().isEmpty();
    }

    /** What the committed records mean for a replica, in the log's order. */
    List<PartitionInput> published() {
        return published;
    }

    /** What a broker that starts now is told. */
    List<PartitionInput> image() {
        long offset = committed.appliedOffset();
        List<PartitionInput> image = new ArrayList<>();
        for (int id = 1; id <= 3; id++) {
            image.add(brokerChange(offset, id));
        }
        image.add(new PartitionInput.ApplyMinIsrChange(offset, committed.effectiveMinIsr(TOPIC)));
        PartitionRegistration part = committed.partition(PARTITION);
        if (part != null) {
            image.add(new PartitionInput.ApplyPartitionChange(offset, part));
        }
        return image;
    }

    // Requests

    void createTopic(int minIsr) {
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
    }

    /** Without a clean stop before. */
    void register(int id, int incarnation) {
        request(
                id,
                new ControllerRequest.RegisterBroker(
                        id,
                        "cluster",
                        new UUID(id, incarnation),
                        List.of(new Endpoint("PLAINTEXT", "localhost", 9090 + id)),
                        FEATURES,
                        null,
                        List.of(new UUID(1000, id)),
                        -1));
    }

    void heartbeat(int id, long brokerEpoch) {
        request(
                id,
                new ControllerRequest.BrokerHeartbeat(
                        id, brokerEpoch, core.view().metaLogEnd(), false, false));
    }

    void fence(int id) {
        act(new ControllerInput.BrokerSessionTimeout(id));
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

    // The log

    void request(int from, ControllerRequest request) {
        act(ControllerInput.of(request, new ControllerToken(from)));
    }

    private void act(ControllerInput input) {
        Step<ControllerEffect> step = core.apply(input);
        step.effects().forEach(this::take);
        if (guards == Guards.ALL) {
            invariants.check(core.view(), step).forEach(StoryInvariants::broken);
        }
        if (holding) {
            release();
        } else {
            commit();
        }
        check.run();
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
        core.apply(new ControllerInput.CommitMetadata(metaHw));
        release();
    }

    /** Answers whose condition holds; a lost one is never released. */
    private void release() {
        for (ControllerEffect.Reply reply : List.copyOf(held)) {
            boolean holds = !(reply.requires() instanceof Requires.Committed needed) || needed.endOffset() <= metaHw;
            if (holds) {
                held.remove(reply);
                answers.accept(((ControllerToken) reply.token()).from(), reply.response());
            }
        }
    }

    /** What was not committed is lost with the controller; its successor folds what was. */
    void loseUncommitted() {
        uncommitted.clear();
        held.clear();
        holding = false;
        core = new ControllerCore(config(), committed.copy());
        invariants = new ControllerInvariants();
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

    private void take(ControllerEffect effect) {
        if (effect instanceof ControllerEffect.Append append) {
            uncommitted.add(append);
        } else if (effect instanceof ControllerEffect.Reply reply) {
            held.add(reply);
        }
    }
}
