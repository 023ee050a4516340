package io.tidemark.conformance.trace;

import static io.tidemark.conformance.trace.ReplicaImage.brokerOrNil;
import static io.tidemark.conformance.trace.ReplicaImage.brokers;
import static io.tidemark.conformance.trace.ReplicaImage.record;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** The metadata as one active controller has it in its term, as its lines tell: {@code term[n]} of the module. */
final class TermImage {
    /** What an image tells beside the switch for ELR: of partitions, then of brokers. */
    private static final List<String> PARTS = List.of("assignment", "part", "minIsr", "unclean", "reg", "leave", "at");

    final int epoch;
    long hw;
    long end;
    /** The end of what the log of its node has taken. */
    long taken;

    private boolean elr;
    private final Map<String, Map<String, Object>> all = new LinkedHashMap<>();
    private final TreeMap<String, Object> told = new TreeMap<>();
    /** What the last line has told of partitions and brokers. */
    private final Map<String, Map<String, Object>> line = new LinkedHashMap<>();

    private long base = -1;
    private int records;

    /** @param brokers all that there are */
    TermImage(int epoch, List<String> brokers) {
        this.epoch = epoch;
        PARTS.forEach(name -> all.put(name, new TreeMap<>()));
        brokers.forEach(broker -> told.put(broker, -1));
    }

    /** A partition as the module calls it. */
    static String partition(String id) {
        return "p" + id.replace('-', '_');
    }

    static String broker(JsonNode id) {
        return "b" + id.asInt();
    }

    private Map<String, Object> of(String name) {
        return all.getOrDefault(name, new TreeMap<>());
    }

    /** What was made of the base that the term begins with, and that lines do not tell again. */
    void inherit(TermImage before) {
        for (String name : List.of("leave", "at")) {
            of(name).putAll(before.of(name));
        }
    }

    /** Takes up a line of the controller. */
    void take(TraceEvent event) {
        JsonNode state = event.state();
        line.clear();
        hw = state.path("metaHw").asLong(hw);
        elr = state.path("elrEnabled").asBoolean(elr);
        appended(state.path("metaLog").path("appended"));
        if (event.action().equals("Activate")) {
            hw = event.args().path("nextOffset").asLong();
            end = hw + records;
            taken = hw;
        }
        removed(event).forEach(partition -> {
            for (String name : List.of("assignment", "part", "minIsr", "unclean")) {
                of(name).remove(partition);
            }
        });
        partitions(state);
        state.path("reg").properties().forEach(field -> registered("b" + field.getKey(), field.getValue()));
        heard(event);
    }

    private void appended(JsonNode appended) {
        records = appended.size();
        base = records == 0 ? -1 : appended.path(0).path("offset").asLong();
        for (int i = 0; i < records; i++) {
            if (appended.path(i).path("offset").asLong() != base + i) {
                base = -2;
            }
        }
        if (records > 0) {
            end = appended.path(records - 1).path("offset").asLong() + 1;
        }
    }

    private void partitions(JsonNode state) {
        state.path("part").properties().forEach(field -> {
            JsonNode told = field.getValue();
            List<String> replicas = new ArrayList<>();
            told.path("replicas").forEach(id -> replicas.add(broker(id)));
            tells("assignment", partition(field.getKey()), replicas);
            tells("part", partition(field.getKey()), part(told));
        });
        state.path("minIsr")
                .properties()
                .forEach(field -> tells(
                        "minIsr", partition(field.getKey()), field.getValue().asInt()));
        state.path("uncleanElection")
                .properties()
                .forEach(field -> tells(
                        "unclean", partition(field.getKey()), field.getValue().asBoolean()));
    }

    private void tells(String name, String key, Object value) {
        of(name).put(key, value);
        line.computeIfAbsent(name, each -> new TreeMap<>()).put(key, value);
    }

    static Map<String, Object> part(JsonNode part) {
        return record(
                "leader", brokerOrNil(part.path("leader").asInt(-1)),
                "leaderEpoch", part.path("leaderEpoch").asInt(-2),
                "partitionEpoch", part.path("partitionEpoch").asInt(-2),
                "isr", brokers(part.path("isr")),
                "elr", brokers(part.path("elr")),
                "lastKnownElr", brokerOrNil(part.path("lastKnownElr").path(0).asInt(-1)),
                "recovery", part.path("recovery").asText());
    }

    private void registered(String broker, JsonNode told) {
        boolean leaving = told.path("shuttingDown").asBoolean();
        boolean left = leaving && !of("leave").getOrDefault(broker, -1L).equals(-1L);
        if (!left) {
            of("leave").put(broker, leaving ? end - 1 : -1L);
        }
        of("at").putIfAbsent(broker, told.path("epoch").asLong());
        tells(
                "reg",
                broker,
                record(
                        "epoch", told.path("epoch").asLong(),
                        "incarnation", told.path("incarnation").asText(),
                        "fenced", told.path("fenced").asBoolean(),
                        "shuttingDown", leaving));
    }

    /** What a broker has said of itself. */
    private void heard(TraceEvent event) {
        JsonNode args = event.args();
        String broker = broker(args.path("broker"));
        if (!args.path("answer").path("error").asText().equals("NONE") || !told.containsKey(broker)) {
            return;
        }
        if (event.action().equals("HandleBrokerHeartbeat")) {
            long before = ((Number) told.getOrDefault(broker, -1)).longValue();
            told.put(broker, Math.max(before, args.path("metadataOffset").asLong()));
        } else if (event.action().equals("HandleBrokerRegistration")) {
            of("at").put(broker, end - 1);
            if (line.containsKey("reg")) {
                told.put(broker, -1);
            }
        }
    }

    /** Partitions whose topics the line says are removed. */
    Set<String> removed(TraceEvent event) {
        return named(event, "RemoveTopic");
    }

    /** Partitions whose ELR the line says is cleared. */
    Set<String> cleared(TraceEvent event) {
        return named(event, "ClearElr");
    }

    /** Topics that the line's records name, and that have no partition. */
    Set<String> unknown(TraceEvent event) {
        TreeSet<String> unknown = new TreeSet<>();
        for (JsonNode record : event.state().path("metaLog").path("appended")) {
            String topic = record.path("topic").asText();
            if (!topic.isEmpty() && ofTopic(topic).isEmpty()) {
                unknown.add(topic);
            }
        }
        return unknown;
    }

    private Set<String> named(TraceEvent event, String type) {
        TreeSet<String> named = new TreeSet<>();
        for (JsonNode record : event.state().path("metaLog").path("appended")) {
            if (record.path("type").asText().equals(type)) {
                named.addAll(ofTopic(record.path("topic").asText()));
            }
        }
        return named;
    }

    /** @param topic empty for all */
    private List<String> ofTopic(String topic) {
        String of = topic.isEmpty() ? "p" : partition(topic) + "_";
        return of("part").keySet().stream()
                .filter(partition -> partition.startsWith(of))
                .toList();
    }

    /** Whether the broker is registered in this life. */
    boolean lives(String broker, String incarnation) {
        return of("reg").get(broker) instanceof Map<?, ?> reg && incarnation.equals(reg.get("incarnation"));
    }

    boolean elr() {
        return elr;
    }

    int records() {
        return records;
    }

    /** What the last line has told of them, by partition or broker. */
    Map<String, Object> line(String name) {
        return line.getOrDefault(name, Map.of());
    }

    /** Where the last line's batch begins; -1 where it has none, another number below 0 where its records have gaps. */
    long base() {
        return base;
    }

    Set<String> partitions() {
        return new TreeSet<>(of("part").keySet());
    }

    /** The metadata apart from who has it. */
    Map<String, Object> image() {
        Map<String, Object> image = record("elr", elr);
        PARTS.forEach(name -> image.put(name, new TreeMap<>(of(name))));
        return image;
    }

    /** All of it. */
    Map<String, Object> term() {
        Map<String, Object> term =
                record("epoch", epoch, "hw", hw, "end", end, "taken", taken, "told", new TreeMap<>(told));
        term.putAll(image());
        return term;
    }
}
