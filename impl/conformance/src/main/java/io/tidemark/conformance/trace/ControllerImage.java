package io.tidemark.conformance.trace;

import static io.tidemark.conformance.trace.ReplicaImage.brokerOrNil;
import static io.tidemark.conformance.trace.ReplicaImage.record;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The metadata of one partition and its brokers as the newest active controller has it, record by record. */
final class ControllerImage {
    private final String partition;
    private final Map<String, Integer> lives;
    private final MetadataIndex index = new MetadataIndex();
    private final TreeMap<String, Map<String, Object>> reg = new TreeMap<>();
    private final TreeMap<String, Long> epochs = new TreeMap<>();
    private final List<Map<String, Object>> images = new ArrayList<>();
    private List<String> brokers = List.of();
    private Map<String, Object> part = Map.of();
    private int minIsr;
    private boolean unclean;
    private boolean gone;
    private final List<Object> appended = new ArrayList<>();
    private boolean atEnd = true;

    /**
     * Nothing is known yet.
     *
     * @param lives which life of its broker an incarnation is
     */
    ControllerImage(String partition, Map<String, Integer> lives) {
        this.partition = partition;
        this.lives = lives;
    }

    MetadataIndex index() {
        return index;
    }

    /** Its topic is being deleted. */
    boolean gone() {
        return gone;
    }

    /** In assignment order; empty before the partition is created. */
    List<String> brokers() {
        return brokers;
    }

    /**
     * Takes up what a line of the controller of an epoch says; returns how many records concern the partition.
     *
     * @param end where the log of the controller's node ends, which is where it appends
     */
    int take(JsonNode state, int controllerEpoch, long end) {
        JsonNode records = state.path("metaLog").path("appended");
        appended.clear();
        atEnd = true;
        for (int i = 0; i < records.size(); i++) {
            atEnd &= records.path(i).path("offset").asLong() == end + i;
        }
        Map<String, Object> newPart = part;
        JsonNode changed = state.path("part").path(partition);
        if (changed.isObject()) {
            List<String> replicas = new ArrayList<>();
            changed.path("replicas").forEach(id -> replicas.add("b" + id.asInt()));
            newPart = part(changed);
            if (index.begun() && !replicas.equals(brokers)) {
                newPart.put("recovery", "reassignment is not modelled: " + replicas);
            } else {
                brokers = replicas;
            }
        }
        int newMinIsr = state.path("minIsr").path(partition).asInt(minIsr);
        unclean = state.path("uncleanElection").path(partition).asBoolean(unclean);
        JsonNode registrations = state.path("reg");
        List<JsonNode> relevant = new ArrayList<>();
        boolean minIsrTold = newMinIsr == minIsr;
        boolean created = !index.begun() && changed.isObject();
        for (JsonNode record : records) {
            String type = record.path("type").asText();
            gone |= type.equals("RemoveTopic")
                    && partition.startsWith(record.path("topic").asText() + "-");
            boolean own = record.path("partition").asText().equals(partition);
            boolean broker = index.begun()
                    && brokers.contains("b" + record.path("broker").asInt());
            boolean clears = type.equals("ClearElr") && !newPart.equals(part);
            boolean config = index.begun() && !minIsrTold && (type.equals("Config") || type.equals("FeatureLevel"));
            minIsrTold |= config;
            if (own || broker || clears || config) {
                relevant.add(record);
            }
        }
        if (!index.begun()) {
            registrations.properties().forEach(field -> register(field.getKey(), field.getValue()));
            part = newPart;
            minIsr = newMinIsr;
            if (created && !relevant.isEmpty()) {
                index.begin(relevant.get(0).path("offset").asLong(), controllerEpoch, epochs);
                images.add(entry("init", Tla.NIL, true));
            }
            return 0;
        }
        for (int i = 0; i < relevant.size(); i++) {
            JsonNode record = relevant.get(i);
            index.append(record.path("offset").asLong(), controllerEpoch);
            int broker = record.path("broker").asInt(-1);
            boolean last = i == relevant.size() - 1;
            appended.add(record("type", kind(record), "broker", broker < 0 ? Tla.NIL : "b" + broker));
            if (broker >= 0) {
                register(Integer.toString(broker), registrations.path(Integer.toString(broker)));
                images.add(entry("broker", "b" + broker, last));
            } else if (record.path("type").asText().startsWith("Partition")
                    || record.path("type").asText().equals("ClearElr")) {
                part = newPart;
                images.add(entry("partition", Tla.NIL, last));
            } else {
                minIsr = newMinIsr;
                images.add(entry("minIsr", Tla.NIL, last));
            }
        }
        // Of a line that tells all, what it says of the others is as it was.
        part = newPart;
        minIsr = newMinIsr;
        registrations.properties().forEach(field -> register(field.getKey(), field.getValue()));
        return relevant.size();
    }

    /** As the specification calls it. */
    private static String kind(JsonNode record) {
        return switch (record.path("type").asText()) {
            case "RegisterBroker", "BrokerRegistrationChange", "UnregisterBroker" -> "broker";
            case "Partition", "PartitionChange", "ClearElr" -> "partition";
            case "Config", "FeatureLevel" -> "minIsr";
            default -> "no kind of record that concerns a partition";
        };
    }

    private void register(String id, JsonNode broker) {
        if (!broker.isObject()) {
            return;
        }
        String name = "b" + id;
        epochs.put(name, broker.path("epoch").asLong());
        reg.put(
                name,
                record(
                        "epoch", index.begun() ? index.epoch(name, broker.path("epoch")) : 1,
                        "incarnation",
                                lives.getOrDefault(broker.path("incarnation").asText(), -1),
                        "fenced", broker.path("fenced").asBoolean(),
                        "shuttingDown", broker.path("shuttingDown").asBoolean()));
    }

    private static Map<String, Object> part(JsonNode part) {
        return record(
                "leader",
                brokerOrNil(part.path("leader").asInt(-1)),
                "leaderEpoch",
                part.path("leaderEpoch").asInt(-2),
                "partitionEpoch",
                part.path("partitionEpoch").asInt(-2),
                "isr",
                ReplicaImage.brokers(part.path("isr")),
                "elr",
                ReplicaImage.brokers(part.path("elr")),
                "lastKnownElr",
                brokerOrNil(part.path("lastKnownElr").path(0).asInt(-1)),
                "recovery",
                part.path("recovery").asText());
    }

    private Map<String, Object> entry(String type, Object broker, boolean last) {
        return record(
                "type", type, "broker", broker, "last", last, "part", part, "reg", registrations(), "minIsr", minIsr);
    }

    private Map<String, Object> registrations() {
        Map<String, Object> all = new LinkedHashMap<>();
        brokers.forEach(broker -> all.put(broker, reg.getOrDefault(broker, Map.of())));
        return all;
    }

    /** Another controller is active: what is not among the first {@code end} records is gone. */
    void cutTo(int end) {
        index.cutTo(end);
        images.subList(end, images.size()).clear();
    }

    /** As {@code ControllerIs} of the module compares it. */
    Map<String, Object> seen() {
        return record(
                "of",
                "controller",
                "end",
                index.end(),
                "appended",
                List.copyOf(appended),
                "atEnd",
                atEnd,
                "part",
                part,
                "reg",
                registrations(),
                "minIsr",
                minIsr);
    }

    /** The metadata log as the specification has it. */
    List<Map<String, Object>> metaLog() {
        return List.copyOf(images);
    }

    int minIsr() {
        return minIsr;
    }

    /** Whether replicas outside of ISR and ELR may be elected. */
    boolean unclean() {
        return unclean;
    }

    /** Of a registration, as the specification counts. */
    Map<String, Integer> lives() {
        return new HashMap<>(lives);
    }
}
