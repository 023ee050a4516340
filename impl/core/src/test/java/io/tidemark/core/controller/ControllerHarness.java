package io.tidemark.core.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.ErrorCode;
import io.tidemark.core.Guards;
import io.tidemark.core.ReplyToken;
import io.tidemark.core.Requires;
import io.tidemark.core.Step;
import io.tidemark.core.metadata.BrokerRegistration;
import io.tidemark.core.metadata.BrokerRegistration.FeatureRange;
import io.tidemark.core.metadata.LeaderRecovery;
import io.tidemark.core.metadata.MetadataRecord;
import io.tidemark.core.metadata.MetadataState;
import io.tidemark.core.metadata.PartitionRegistration;
import io.tidemark.core.metadata.TopicPartition;
import io.tidemark.core.partition.AlterPartitionAsked;
import io.tidemark.core.quorum.Endpoint;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;

/** An active controller with brokers, for tests: every step is checked against the invariants. */
final class ControllerHarness {
    record Token(int number) implements ReplyToken {}

    static final String CLUSTER = "cluster";
    static final SortedMap<String, FeatureRange> FEATURES = new TreeMap<>(Map.of(
            "metadata.version",
            new FeatureRange((short) 7, (short) 29),
            "eligible.leader.replicas.version",
            new FeatureRange((short) 0, (short) 1),
            "group.version",
            new FeatureRange((short) 0, (short) 1)));

    final MetadataState metadata;
    ControllerCore core;
    final List<MetadataRecord> log = new ArrayList<>();
    private final Guards guards;
    private final boolean elr;
    private ControllerInvariants invariants;
    private int tokens;

    ControllerHarness(boolean elr, Guards guards, Map<String, String> staticConfig) {
        this.guards = guards;
        this.elr = elr;
        metadata = new MetadataState(100, new TreeMap<>(staticConfig));
        core = new ControllerCore(config(), metadata);
        invariants = new ControllerInvariants();
        apply(new ControllerInput.Activate(1, 1));
    }

    /** Brokers 1 to {@code brokers} run; minIsr is 2. */
    static ControllerHarness running(boolean elr, int brokers) {
        return running(elr, brokers, Guards.ALL);
    }

    static ControllerHarness running(boolean elr, int brokers, Guards guards) {
        ControllerHarness harness = new ControllerHarness(elr, guards, Map.of("min.insync.replicas", "2"));
        for (int broker = 1; broker <= brokers; broker++) {
            harness.register(broker, incarnation(broker, 1), -1);
            harness.heartbeat(broker);
        }
        return harness;
    }

    ControllerConfig config() {
        TreeMap<String, Short> bootstrap = new TreeMap<>(Map.of("metadata.version", (short) 27));
        bootstrap.put("kraft.version", (short) 1);
        if (elr) {
            bootstrap.put(MetadataState.ELR_FEATURE, (short) 1);
        }
        return new ControllerConfig(
                100, CLUSTER, 3, 2, bootstrap, FEATURES, new TreeSet<>(List.of("process.roles")), guards);
    }

    Step<ControllerEffect> apply(ControllerInput input) {
        Step<ControllerEffect> step = core.apply(input);
        for (ControllerEffect effect : step.effects()) {
            if (effect instanceof ControllerEffect.Append append) {
                log.addAll(append.records());
            }
        }
        List<String> broken = invariants.check(core.view(), step);
        if (guards == Guards.ALL) {
            assertThat(broken).as("after %s", input).isEmpty();
        }
        return step;
    }

    Token token() {
        return new Token(++tokens);
    }

    Token lastToken() {
        return new Token(tokens);
    }

    Step<ControllerEffect> request(ControllerRequest request) {
        return apply(ControllerInput.of(request, token()));
    }

    static UUID incarnation(int broker, int start) {
        return new UUID(broker, start);
    }

    static UUID directory(int broker) {
        return new UUID(1000, broker);
    }

    static ControllerRequest.RegisterBroker registration(int broker, UUID incarnation, long previousEpoch) {
        return new ControllerRequest.RegisterBroker(
                broker,
                CLUSTER,
                incarnation,
                List.of(new Endpoint("PLAINTEXT", "localhost", 9090 + broker)),
                FEATURES,
                null,
                List.of(directory(broker)),
                previousEpoch);
    }

    Step<ControllerEffect> register(int broker, UUID incarnation, long previousEpoch) {
        return request(registration(broker, incarnation, previousEpoch));
    }

    /** Wants to run and has applied everything. */
    Step<ControllerEffect> heartbeat(int broker) {
        return heartbeat(broker, core.view().metaLogEnd(), false, false);
    }

    Step<ControllerEffect> heartbeat(int broker, long offset, boolean wantFence, boolean wantShutDown) {
        return request(new ControllerRequest.BrokerHeartbeat(broker, epoch(broker), offset, wantFence, wantShutDown));
    }

    Step<ControllerEffect> sessionTimeout(int broker) {
        return apply(new ControllerInput.BrokerSessionTimeout(broker));
    }

    long epoch(int broker) {
        return broker(broker).epoch();
    }

    BrokerRegistration broker(int broker) {
        return core.view().reg().get(broker);
    }

    /** A topic of one partition. */
    TopicPartition topic(String name, Integer... replicas) {
        return topic(name, Map.of(), replicas);
    }

    TopicPartition topic(String name, Map<String, String> configs, Integer... replicas) {
        UUID id = new UUID(7, name.hashCode());
        ControllerRequest.NewTopic topic = new ControllerRequest.NewTopic(
                name, -1, (short) -1, new TreeMap<>(Map.of(0, Arrays.asList(replicas))), new TreeMap<>(configs));
        Step<ControllerEffect> step =
                request(new ControllerRequest.CreateTopics(List.of(topic), false, List.of(id), 0));
        ControllerResponse.CreatedTopics created = (ControllerResponse.CreatedTopics) response(step);
        assertThat(created.topics().get(0).error()).isEqualTo(ErrorCode.NONE);
        return new TopicPartition(id, 0);
    }

    PartitionRegistration part(TopicPartition id) {
        return core.view().part(id);
    }

    /** The leader asks for this ISR with everything right. */
    ControllerRequest.AlterPartition alter(TopicPartition id, Integer... isr) {
        PartitionRegistration partition = part(id);
        AlterPartitionAsked asked = new AlterPartitionAsked(
                partition.leaderEpoch(), partition.partitionEpoch(), members(isr), LeaderRecovery.RECOVERED);
        return alter(partition.leader(), id, asked);
    }

    ControllerRequest.AlterPartition alter(int sender, TopicPartition id, AlterPartitionAsked asked) {
        return new ControllerRequest.AlterPartition(
                sender,
                epoch(sender),
                List.of(new ControllerRequest.AlterPartition.PartitionItem(id.topicId(), id.partition(), asked)));
    }

    List<AlterPartitionAsked.Member> members(Integer... isr) {
        return Arrays.stream(isr)
                .map(member -> new AlterPartitionAsked.Member(
                        member, core.view().reg().containsKey(member) ? epoch(member) : -1))
                .toList();
    }

    static List<MetadataRecord> appended(Step<ControllerEffect> step) {
        return step.effects().stream()
                .filter(ControllerEffect.Append.class::isInstance)
                .flatMap(effect -> ((ControllerEffect.Append) effect).records().stream())
                .toList();
    }

    static ControllerEffect.Reply reply(Step<ControllerEffect> step) {
        return (ControllerEffect.Reply) step.effects().get(step.effects().size() - 1);
    }

    static ControllerResponse response(Step<ControllerEffect> step) {
        return reply(step).response();
    }

    /** The answer to the last request, as it leaves now. */
    ControllerEffect answer(ControllerResponse response) {
        return new ControllerEffect.Reply(
                lastToken(), response, new Requires.Committed(core.view().metaLogEnd()));
    }

    /** The step refused the whole request and changed nothing. */
    static void assertRefused(Step<ControllerEffect> step, ErrorCode error) {
        assertThat(step.action()).isNull();
        assertThat(step.effects()).hasSize(1);
        assertThat(((ControllerResponse.Refused) response(step)).error()).isEqualTo(error);
        if (error != ErrorCode.NOT_CONTROLLER) {
            assertThat(reply(step).requires()).isInstanceOf(Requires.Committed.class);
        }
    }

    /** A successor on the same committed log. */
    void failOver() {
        MetadataState committed = metadata.copy();
        long end = core.view().metaLogEnd();
        int epoch = core.view().epoch();
        core = new ControllerCore(config(), committed);
        invariants = new ControllerInvariants();
        apply(new ControllerInput.Activate(epoch + 1, end + 1));
    }

    static MetadataRecord.PartitionChange change(
            TopicPartition id,
            List<Integer> isr,
            Integer leader,
            List<Integer> elr,
            List<Integer> lastKnownElr,
            LeaderRecovery recovery) {
        return new MetadataRecord.PartitionChange(
                id.topicId(), id.partition(), isr, leader, null, null, null, recovery, elr, lastKnownElr, null);
    }
}
