package io.tidemark.conformance.trace;

import static io.tidemark.conformance.trace.ReplicaImage.record;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** What a controller is asked, appends and answers, as module {@code TraceController} has them. */
final class ControllerRequests {
    private static final Set<String> UNKNOWN = Set.of("UNKNOWN_TOPIC_ID", "UNKNOWN_TOPIC_OR_PARTITION");
    private static final Set<String> BROKER_RECORDS = Set.of("RegisterBroker", "BrokerRegistrationChange");

    /** Which broker's life an incarnation is, as its process has said. */
    private final Map<String, String> lives = new HashMap<>();
    /** The epochs that each broker has had. */
    private final Map<String, Set<Object>> had = new HashMap<>();
    /** How much of the metadata log a broker's node has known as committed. */
    private final Map<String, Long> committed = new HashMap<>();
    /** How much the present process of the node knows so. */
    private final Map<Integer, Long> hws = new HashMap<>();

    /** Takes up a line that is no controller's: what a broker may say of itself to one later. */
    void heardOf(TraceEvent event) {
        String broker = "b" + event.node();
        JsonNode state = event.state();
        if (event.action().equals("RestartBroker")) {
            lives.put(state.path("incarnation").asText(), broker);
        } else if (QuorumSteps.tells(event)) {
            committed.merge(broker, state.path("hw").asLong(0), Math::max);
            hws.put(event.node(), state.path("hw").asLong(committed(event.node())));
        } else if (state.path("brokerEpoch").isNumber()) {
            had.computeIfAbsent(broker, id -> new LinkedHashSet<>())
                    .add(state.path("brokerEpoch").asLong());
        }
    }

    /** How much of the metadata log the node's replica of the quorum knows as committed. */
    long committed(int node) {
        return hws.getOrDefault(node, 0L);
    }

    /** @param error what the whole request was refused with; NONE where it was not */
    Map<String, Object> of(TraceEvent event, String broker, String error) {
        JsonNode args = event.args();
        return switch (event.action()) {
            case "HandleBrokerRegistration" -> registration(args, broker, error);
            case "HandleBrokerHeartbeat" -> heartbeat(args, broker, error);
            case "BrokerSessionTimeout" -> record("broker", broker);
            case "HandleAlterPartition" ->
                record(
                        "broker", broker,
                        "brokerEpoch", args.path("brokerEpoch").asLong(),
                        "items", items(args.path("partitions")));
            case "HandleElectLeaders" ->
                record(
                        "mode", args.path("mode").asText(),
                        "all", args.path("all").asBoolean(),
                        "elected", elected(args.path("answer").path("elected")));
            case "CommitMetadata" -> record("committed", committed(event.node()));
            default -> Map.of();
        };
    }

    private Map<String, Object> registration(JsonNode args, String broker, String error) {
        String incarnation = args.path("incarnation").asText();
        return record(
                "registers",
                true,
                "broker",
                broker,
                "incarnation",
                incarnation,
                "lives",
                broker.equals(lives.get(incarnation)),
                "previousBrokerEpoch",
                args.path("previousBrokerEpoch").asLong(),
                "had",
                new LinkedHashSet<>(had.getOrDefault(broker, Set.of())),
                "brokerEpoch",
                -1,
                "error",
                error);
    }

    private Map<String, Object> heartbeat(JsonNode args, String broker, String error) {
        return record(
                "registers",
                false,
                "broker",
                broker,
                "incarnation",
                "",
                "brokerEpoch",
                args.path("brokerEpoch").asLong(),
                "want",
                wanted(args),
                "metadataOffset",
                args.path("metadataOffset").asLong(),
                "committed",
                committed.getOrDefault(broker, 0L),
                "error",
                error);
    }

    /** What a broker's heartbeat asks for. */
    static String wanted(JsonNode args) {
        return args.path("wantShutDown").asBoolean()
                ? "shutdown"
                : args.path("wantFence").asBoolean() ? "fence" : "run";
    }

    private static Map<String, Object> items(JsonNode partitions) {
        Map<String, Object> items = new TreeMap<>();
        for (JsonNode item : partitions) {
            JsonNode asked = item.path("asked");
            Map<String, Object> isr = new TreeMap<>();
            asked.path("isr")
                    .properties()
                    .forEach(member ->
                            isr.put("b" + member.getKey(), member.getValue().asLong()));
            String error = item.path("error").asText();
            items.put(
                    TermImage.partition(item.path("partition").asText()),
                    record(
                            "leaderEpoch",
                            asked.path("leaderEpoch").asInt(),
                            "partitionEpoch",
                            asked.path("partitionEpoch").asInt(),
                            "isr",
                            isr,
                            "unknown",
                            UNKNOWN.contains(error) ? error : "UNKNOWN_TOPIC_ID"));
        }
        return items;
    }

    private static Map<String, Object> elected(JsonNode told) {
        Map<String, Object> elected = new TreeMap<>();
        told.properties()
                .forEach(each -> elected.put(
                        TermImage.partition(each.getKey()), each.getValue().asText()));
        return elected;
    }

    /** What is answered; Nil where nothing is, or nothing that the specification has. */
    static Object answer(TraceEvent event) {
        JsonNode answer = event.args().path("answer");
        if (event.action().equals("CommitMetadata")) {
            return record("hw", event.args().path("hw").asLong());
        } else if (event.action().equals("HandleAlterPartition")) {
            return altered(event.args().path("partitions"));
        } else if (!answer.isObject()) {
            return Tla.NIL;
        }
        Map<String, Object> told = record("error", answer.path("error").asText());
        if (answer.has("brokerEpoch")) {
            told.put("brokerEpoch", answer.path("brokerEpoch").asLong());
        }
        for (String name : List.of("caughtUp", "fenced", "shouldShutDown")) {
            if (answer.has(name)) {
                told.put(name, answer.path(name).asBoolean());
            }
        }
        if (answer.has("elected")) {
            told.put("elected", elected(answer.path("elected")));
        }
        return told;
    }

    private static Map<String, Object> altered(JsonNode partitions) {
        Map<String, Object> answers = new TreeMap<>();
        for (JsonNode item : partitions) {
            Map<String, Object> answer = record("error", item.path("error").asText());
            if (item.path("error").asText().equals("NONE")) {
                answer.put("leaderEpoch", item.path("leaderEpoch").asInt());
                answer.put("partitionEpoch", item.path("partitionEpoch").asInt());
                answer.put("isr", ReplicaImage.brokers(item.path("isr")));
            }
            answers.put(TermImage.partition(item.path("partition").asText()), answer);
        }
        return answers;
    }

    /** Of what kinds the records of the batch are. */
    static Set<String> kinds(TraceEvent event) {
        TreeSet<String> kinds = new TreeSet<>();
        event.state()
                .path("metaLog")
                .path("appended")
                .forEach(record -> kinds.add(record.path("type").asText()));
        return kinds;
    }

    /** What the records of the batch are about; a record of another kind, or a second one, is about nothing that there is. */
    static Map<String, Object> appended(TraceEvent event) {
        JsonNode records = event.state().path("metaLog").path("appended");
        TreeSet<String> parts = new TreeSet<>();
        Object broker = Tla.NIL;
        boolean first = false;
        for (int i = 0; i < records.size(); i++) {
            JsonNode record = records.path(i);
            String type = record.path("type").asText();
            boolean ends = i == 0 || i == records.size() - 1;
            boolean registers = event.action().equals("HandleBrokerRegistration");
            if (BROKER_RECORDS.contains(type)
                    && type.equals("RegisterBroker") == registers
                    && broker == Tla.NIL
                    && ends) {
                broker = TermImage.broker(record.path("broker"));
                first = i == 0 && records.size() > 1;
            } else if (!type.equals("PartitionChange")
                    || !parts.add(TermImage.partition(record.path("partition").asText()))) {
                parts.add("record " + i + ": " + type);
            }
        }
        return record("broker", broker, "first", first, "parts", parts);
    }
}
