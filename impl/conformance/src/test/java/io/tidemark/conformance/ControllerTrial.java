package io.tidemark.conformance;

import io.tidemark.conformance.states.SpecState;
import io.tidemark.conformance.states.Val;
import io.tidemark.core.Guards;
import io.tidemark.core.ReplyToken;
import io.tidemark.core.Requires;
import io.tidemark.core.Step;
import io.tidemark.core.controller.ControllerConfig;
import io.tidemark.core.controller.ControllerCore;
import io.tidemark.core.controller.ControllerEffect;
import io.tidemark.core.controller.ControllerInState;
import io.tidemark.core.controller.ControllerInput;
import io.tidemark.core.controller.ControllerResponse;
import io.tidemark.core.controller.ControllerView;
import io.tidemark.core.metadata.BrokerRegistration;
import io.tidemark.core.metadata.BrokerRegistration.FeatureRange;
import io.tidemark.core.metadata.MetadataRecord;
import io.tidemark.core.metadata.MetadataState;
import io.tidemark.core.metadata.TopicPartition;
import io.tidemark.core.partition.AlterPartitionAnswer;
import io.tidemark.core.quorum.Endpoint;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One input to the active controller. Record n of the specification lies at offset {@link #BASE} + n: what comes before the
 * specification begins (features, the topic, its configs) is below.
 */
final class ControllerTrial implements Trial {
    static final long BASE = 1000;
    static final String TOPIC = "topic";
    static final TopicPartition PARTITION = new TopicPartition(new UUID(7, 7), 0);
    static final ReplyToken TOKEN = new ReplyToken() {};
    static final String CLUSTER = "cluster";
    static final SortedMap<String, FeatureRange> FEATURES = new TreeMap<>(Map.of(
            "metadata.version",
            new FeatureRange((short) 7, (short) 29),
            MetadataState.ELR_FEATURE,
            new FeatureRange((short) 0, (short) 1)));

    private final SpecState state;
    private final ControllerCore core;
    private @Nullable ControllerInput input;
    private @Nullable String answered;

    ControllerTrial(SpecState state, boolean elr, boolean unclean, Guards guards) {
        this.state = state;
        Val metaLog = state.get("metaLog");
        Val image = metaLog.at(metaLog.size());
        MetadataState metadata = new MetadataState(100, new TreeMap<>());
        List<MetadataRecord> before = new ArrayList<>();
        before.add(new MetadataRecord.FeatureLevel("metadata.version", (short) 27));
        if (elr) {
            before.add(new MetadataRecord.FeatureLevel(MetadataState.ELR_FEATURE, (short) 1));
        }
        before.add(new MetadataRecord.Topic(TOPIC, PARTITION.topicId()));
        before.add(new MetadataRecord.Partition(PARTITION.topicId(), 0, Brokers.registration(state, image.at("part"))));
        before.add(config("min.insync.replicas", image.at("minIsr").text()));
        before.add(config("unclean.leader.election.enable", String.valueOf(unclean)));
        for (int i = 0; i < before.size(); i++) {
            metadata.apply(i, before.get(i));
        }
        register(metadata, image.at("reg"));
        this.core = ControllerInState.of(
                new ControllerConfig(100, CLUSTER, 1, 3, new TreeMap<>(), FEATURES, new TreeSet<>(), guards),
                metadata,
                BASE + metaLog.size() + 1,
                BASE + state.get("metaHw").integer() + 1,
                sessions(image));
    }

    private static MetadataRecord config(String key, String value) {
        return new MetadataRecord.Config(MetadataRecord.Config.TOPIC, TOPIC, key, value);
    }

    /** In the order of their epochs; those of the beginning share one, and take the offsets up to it. */
    private void register(MetadataState metadata, Val reg) {
        List<String> brokers = new ArrayList<>(Brokers.all(state));
        brokers.sort((a, b) -> Integer.compare(
                reg.at(a).at("epoch").integer(), reg.at(b).at("epoch").integer()));
        List<Long> offsets = new ArrayList<>();
        long next = Long.MAX_VALUE;
        for (int i = brokers.size() - 1; i >= 0; i--) {
            next = Math.min(next - 1, BASE + reg.at(brokers.get(i)).at("epoch").integer());
            offsets.add(0, next);
        }
        for (int i = 0; i < brokers.size(); i++) {
            Val r = reg.at(brokers.get(i));
            int id = Brokers.id(brokers.get(i));
            metadata.apply(
                    offsets.get(i),
                    new MetadataRecord.RegisterBroker(new BrokerRegistration(
                            id,
                            BASE + r.at("epoch").integer(),
                            incarnation(id, r.at("incarnation").integer()),
                            endpoints(id),
                            FEATURES,
                            null,
                            List.of(directory(id)),
                            r.at("fenced").bool(),
                            r.at("shuttingDown").bool())));
        }
    }

    static UUID incarnation(int broker, int life) {
        return new UUID(broker, life);
    }

    static UUID directory(int broker) {
        return new UUID(1000, broker);
    }

    static List<Endpoint> endpoints(int broker) {
        return List.of(new Endpoint("PLAINTEXT", "host" + broker, 9092));
    }

    /** In the specification the session of a broker that is unfenced lives, that of another is over. */
    private SortedMap<Integer, ControllerInState.Session> sessions(Val image) {
        SortedMap<Integer, ControllerInState.Session> sessions = new TreeMap<>();
        for (String broker : Brokers.all(state)) {
            Val r = image.at("reg").at(broker);
            if (!r.at("fenced").bool()) {
                sessions.put(
                        Brokers.id(broker),
                        new ControllerInState.Session(
                                offset(state.get("applied", broker).integer()),
                                r.at("shuttingDown").bool() ? shutdownOffset(broker) : -1));
            }
        }
        return sessions;
    }

    /** What a broker tells of a metadata offset; nothing is applied before it acts on metadata. */
    static long offset(int applied) {
        return applied == 0 ? -1 : BASE + applied;
    }

    /** The last record of the decision that began the shutdown. */
    private long shutdownOffset(String broker) {
        Val metaLog = state.get("metaLog");
        int at = metaLog.size();
        while (at > 1
                && metaLog.at(at - 1).at("reg").at(broker).at("shuttingDown").bool()) {
            at--;
        }
        while (!metaLog.at(at).at("last").bool()) {
            at++;
        }
        return BASE + at;
    }

    ControllerTrial input(ControllerInput given) {
        input = given;
        return this;
    }

    /** Compares the answer to the leader's AlterPartition. */
    ControllerTrial answers(String leader) {
        answered = leader;
        return this;
    }

    @Override
    public Map<String, Object> expectedBefore() {
        return specified(state);
    }

    @Override
    public Map<String, Object> before() {
        return shown();
    }

    @Override
    public Outcome apply() {
        Object part = String.valueOf(view().part(PARTITION));
        Step<ControllerEffect> step = core.apply(Objects.requireNonNull(input));
        Map<String, Object> all = shown();
        List<String> appended = new ArrayList<>();
        for (ControllerEffect effect : step.effects()) {
            if (effect instanceof ControllerEffect.Append append) {
                append.records().forEach(record -> appended.add(type(record)));
                if (appended.contains("partition") && part.equals(all.get("part"))) {
                    // As Kafka's, each change of minIsr clears the ELR, though there be none; the specification leaves
                    // such a record out.
                    appended.remove("partition");
                    all.put("metaLog", view().metaLogEnd() - BASE - 2);
                }
            } else if (effect instanceof ControllerEffect.Reply reply && answered != null) {
                all.put("answer", answer(reply));
            }
        }
        all.put("appended", appended);
        return new Outcome(step.action(), all);
    }

    private static String type(MetadataRecord record) {
        if (record instanceof MetadataRecord.PartitionChange || record instanceof MetadataRecord.ClearElr) {
            return "partition";
        }
        return record instanceof MetadataRecord.Config ? "minIsr" : "broker";
    }

    private static Object answer(ControllerEffect.Reply reply) {
        String rests = reply.requires() instanceof Requires.Committed committed
                ? " resting on " + (committed.endOffset() - BASE - 1)
                : " resting on nothing";
        if (reply.response() instanceof ControllerResponse.Refused refused) {
            return refused.error() + rests;
        }
        AlterPartitionAnswer answer = ((ControllerResponse.AlteredPartitions) reply.response())
                .partitions()
                .get(0)
                .answer();
        return answer.error() != io.tidemark.core.ErrorCode.NONE
                ? answer.error() + rests
                : "ISR " + answer.isr() + " in " + answer.leaderEpoch() + "/" + answer.partitionEpoch() + rests;
    }

    @Override
    public Map<String, Object> expected(SpecState next) {
        Map<String, Object> all = specified(next);
        List<String> appended = new ArrayList<>();
        Val metaLog = next.get("metaLog");
        for (int i = state.get("metaLog").size() + 1; i <= metaLog.size(); i++) {
            appended.add(metaLog.at(i).at("type").text());
        }
        all.put("appended", appended);
        if (answered != null && !next.get("apResp", answered).isNil()) {
            Val answer = next.get("apResp", answered);
            String error = answer.at("error").text();
            String rests = " resting on " + answer.at("offset");
            all.put(
                    "answer",
                    error.equals("NONE")
                            ? "ISR " + Brokers.ids(next, answer.at("isr")) + " in " + answer.at("leaderEpoch") + "/"
                                    + answer.at("partitionEpoch") + rests
                            : error + rests);
        }
        return all;
    }

    private Map<String, Object> specified(SpecState at) {
        Map<String, Object> all = new LinkedHashMap<>();
        Val metaLog = at.get("metaLog");
        Val image = metaLog.at(metaLog.size());
        all.put("metaLog", (long) metaLog.size());
        all.put("metaHw", (long) at.get("metaHw").integer());
        all.put("part", Brokers.registration(at, image.at("part")).toString());
        all.put("minIsr", image.at("minIsr").integer());
        Map<String, String> reg = new TreeMap<>();
        for (String broker : Brokers.all(at)) {
            Val r = image.at("reg").at(broker);
            reg.put(
                    broker,
                    r.at("epoch") + " of life " + r.at("incarnation")
                            + (r.at("fenced").bool() ? " fenced" : "")
                            + (r.at("shuttingDown").bool() ? " shutting down" : ""));
        }
        all.put("reg", reg);
        return all;
    }

    private ControllerView view() {
        return core.view();
    }

    private Map<String, Object> shown() {
        Map<String, Object> all = new LinkedHashMap<>();
        ControllerView view = view();
        all.put("metaLog", view.metaLogEnd() - BASE - 1);
        all.put("metaHw", view.metaHw() - BASE - 1);
        all.put("part", String.valueOf(view.part(PARTITION)));
        all.put("minIsr", view.minIsr(TOPIC));
        Map<String, String> reg = new TreeMap<>();
        view.reg()
                .forEach((id, r) -> reg.put(
                        "b" + id,
                        (r.epoch() - BASE) + " of life " + r.incarnation().getLeastSignificantBits()
                                + (r.fenced() ? " fenced" : "")
                                + (r.shuttingDown() ? " shutting down" : "")));
        all.put("reg", reg);
        return all;
    }
}
