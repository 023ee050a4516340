package io.tidemark.conformance.trace;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeSet;

/** One replica of the partition and its broker, as the lines so far have it. */
final class ReplicaImage {
    /** The content of a fetch. */
    record Request(int leader, int leaderEpoch, int offset, int lastEpoch) {}

    /** Of a record that no log has. */
    private static final int NO_EPOCH = -2;

    final String broker;
    final List<Integer> log = new ArrayList<>();
    private final Map<String, JsonNode> state = new HashMap<>();
    /** How many records the last line left as they were. */
    private int kept;
    /** As the specification has them, of the broker. */
    String up = "down";

    int incarnation;
    long brokerEpoch = -1;
    /** The answer to the live fetch is on its way; likewise to the pending change of the ISR. */
    boolean fetchAnswer;

    boolean alterPartitionAnswer;

    ReplicaImage(int node) {
        this.broker = "b" + node;
    }

    /** Of a replica whose process has ended: what is on disk. */
    int diskFlushed;

    int diskHw;
    /** How much of the log is on disk, whether its process knows or not. */
    int fsynced;
    /** What the disk says of fsyncs is not to be believed. */
    boolean lied;

    private Map<String, Object> askedOnItsWay = Map.of();
    private Map<String, Object> alterPartitionOnItsWay = Map.of();
    private JsonNode answerOnItsWay = MissingNode.getInstance();
    private List<Integer> epochsOnTheirWay = List.of();
    /** Of a leader: where its log ended at the last fetch of each follower that it believed. */
    final Map<String, Integer> leaderEnds = new HashMap<>();

    private int ledEpoch = -1;

    /** An answer to the live fetch: of a leader that has these records. */
    void answerOnItsWay(Map<String, Object> asked, JsonNode answer, List<Integer> leadersLog) {
        fetchAnswer = true;
        askedOnItsWay = asked;
        answerOnItsWay = answer;
        int from = (Integer) field(asked, "offset");
        int upTo = Math.min(answer.path("upTo").asInt(), leadersLog.size());
        boolean plain = answer.path("error").asText().equals("NONE")
                && !answer.path("diverging").isObject();
        epochsOnTheirWay = plain && from >= 0 && from < upTo ? List.copyOf(leadersLog.subList(from, upTo)) : List.of();
    }

    int recordsOnTheirWay() {
        return epochsOnTheirWay.size();
    }

    void alterPartitionAnswer(Map<String, Object> answer) {
        alterPartitionAnswer = true;
        alterPartitionOnItsWay = answer;
    }

    /** As the leader: a follower's fetch was handled. */
    void fetchedAt(String follower, JsonNode answer) {
        if (number("leaderEpoch") != ledEpoch) {
            ledEpoch = number("leaderEpoch");
            leaderEnds.clear();
        }
        if (answer.path("error").asText().equals("NONE")
                && !answer.path("diverging").isObject()) {
            leaderEnds.put(follower, log.size());
        }
    }

    /** {@code fetchResp[f]} of the specification; {@code records} names records. */
    Object fetchResp(java.util.function.BiFunction<Integer, Integer, Object> records) {
        if (!fetchAnswer) {
            return Tla.NIL;
        }
        int from = (Integer) field(askedOnItsWay, "offset");
        List<Object> all = new ArrayList<>();
        for (int i = 0; i < epochsOnTheirWay.size(); i++) {
            all.add(records.apply(from + i, epochsOnTheirWay.get(i)));
        }
        JsonNode diverging = answerOnItsWay.path("diverging");
        boolean plain = answerOnItsWay.path("error").asText().equals("NONE") && !diverging.isObject();
        return record(
                "type",
                "fetchAnswer",
                "to",
                broker,
                "asked",
                askedOnItsWay,
                "error",
                answerOnItsWay.path("error").asText(),
                "diverging",
                diverging.isObject()
                        ? record(
                                "epoch", diverging.path("epoch").asInt(),
                                "offset", diverging.path("offset").asInt())
                        : Tla.NIL,
                "records",
                all,
                "upTo",
                plain ? answerOnItsWay.path("upTo").asInt() : from,
                "hw",
                answerOnItsWay.path("hw").asInt(),
                "logStart",
                answerOnItsWay.path("logStart").asInt());
    }

    Object apResp() {
        return alterPartitionAnswer ? alterPartitionOnItsWay : Tla.NIL;
    }

    /** A new process: nothing is known of the replica until it is opened. */
    void forget() {
        state.clear();
        fetchAnswer = false;
        alterPartitionAnswer = false;
    }

    /** Takes up what a line says of a replica that the process has opened: its log is told from the start. */
    void open(JsonNode changes) {
        int onDisk = fsynced;
        if (changes.has("log")) {
            log.clear();
        }
        take(changes);
        fsynced = Math.min(log.size(), Math.max(onDisk, fsynced));
    }

    /** Takes up what a line says. */
    void take(JsonNode changes) {
        changes.properties().forEach(field -> state.put(field.getKey(), field.getValue()));
        kept = log.size();
        JsonNode change = changes.path("log");
        if (change.isObject()) {
            kept = LogLines.change(log, change);
        }
        fsynced = Math.min(log.size(), Math.max(Math.min(fsynced, kept), lied ? 0 : number("flushed")));
    }

    /** Whether the end that the last change of the log states is where it ends. */
    boolean endAgrees() {
        JsonNode change = get("log");
        return !change.isObject() || change.path("leo").asInt() == log.size();
    }

    JsonNode get(String variable) {
        return state.getOrDefault(variable, MissingNode.getInstance());
    }

    int number(String variable) {
        return get(variable).asInt(-1);
    }

    /** It has a part in the partition: the first record about it is applied. */
    boolean acts() {
        return get("leaderEpoch").isNumber();
    }

    boolean alive() {
        return up.equals("recovery") || up.equals("running");
    }

    boolean leads() {
        return get("isrState").isObject();
    }

    boolean follows() {
        return acts() && !leads() && number("leader") >= 0;
    }

    Request fetch() {
        return new Request(
                number("leader"), number("leaderEpoch"), log.size(), log.isEmpty() ? -1 : log.get(log.size() - 1));
    }

    /** The state as {@code ReplicaIs} of the module compares it. */
    Map<String, Object> seen(MetadataIndex index, List<String> brokers) {
        Map<String, Object> seen = new LinkedHashMap<>();
        seen.put("of", "replica");
        seen.put("applied", index.of(get("applied").asLong()));
        seen.put("kept", kept);
        seen.put("epochs", endAgrees() ? List.copyOf(log.subList(kept, log.size())) : List.of(NO_EPOCH));
        for (String name : List.of("logStart", "flushed", "hw", "leaderEpoch", "partitionEpoch", "minIsr")) {
            seen.put(name, number(name));
        }
        seen.put("leader", brokerOrNil(number("leader")));
        seen.put("epochStart", leads() ? (Object) number("epochStart") : Tla.NIL);
        seen.put("follower", leads() ? followers(index, brokers) : Tla.NIL);
        seen.put("isrState", leads() ? isrState(index) : Tla.NIL);
        TreeSet<Integer> acks = new TreeSet<>();
        get("pendingAcks").forEach(ack -> acks.add(ack.asInt()));
        seen.put("pendingAcks", acks);
        Map<String, Object> reg = new LinkedHashMap<>();
        for (String each : brokers) {
            JsonNode known = get("reg").path(each.substring(1));
            reg.put(
                    each,
                    record(
                            "epoch",
                            index.epoch(each, known.path("epoch")),
                            "active",
                            known.path("active").asBoolean()));
        }
        seen.put("reg", reg);
        return seen;
    }

    Map<String, Object> followers(MetadataIndex index, List<String> brokers) {
        Map<String, Object> all = new LinkedHashMap<>();
        for (String each : brokers) {
            JsonNode at = get("follower").path(each.substring(1));
            if (!each.equals(broker)) {
                all.put(
                        each,
                        record(
                                "offset", at.path("offset").asInt(-2),
                                "brokerEpoch", index.epoch(each, at.path("brokerEpoch")),
                                "caughtUp", at.path("caughtUp").asBoolean()));
            }
        }
        return all;
    }

    Map<String, Object> isrState(MetadataIndex index) {
        JsonNode st = get("isrState");
        return record(
                "isr",
                brokers(st.path("isr")),
                "partitionEpoch",
                number("partitionEpoch"),
                "pending",
                st.path("pending").isObject() ? pending(st.path("pending"), index) : Tla.NIL);
    }

    static Map<String, Object> pending(JsonNode members, MetadataIndex index) {
        TreeSet<String> isr = new TreeSet<>();
        Map<String, Object> epochs = new LinkedHashMap<>();
        members.properties().forEach(member -> {
            String id = "b" + member.getKey();
            isr.add(id);
            epochs.put(id, index.epoch(id, member.getValue()));
        });
        return record("isr", isr, "epochs", epochs);
    }

    static SortedSet<String> brokers(JsonNode ids) {
        TreeSet<String> all = new TreeSet<>();
        ids.forEach(id -> all.add("b" + id.asInt()));
        return all;
    }

    static Object brokerOrNil(int id) {
        return id < 0 ? Tla.NIL : "b" + id;
    }

    /** A field that the record has. */
    static Object field(Map<String, Object> record, String name) {
        return Objects.requireNonNull(record.get(name), name);
    }

    /** Names and values by turns. */
    static Map<String, Object> record(Object... pairs) {
        Map<String, Object> all = new LinkedHashMap<>();
        for (int i = 0; i < pairs.length; i += 2) {
            all.put((String) pairs[i], pairs[i + 1]);
        }
        return all;
    }
}
