package io.tidemark.conformance.trace;

import static io.tidemark.conformance.trace.ReplicaImage.record;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;

/** One replica of the quorum, as the lines so far have it. */
final class QuorumImage {
    private static final int NO_EPOCH = -2;

    final int node;
    final List<Integer> log = new ArrayList<>();
    private final Directories directories;
    private final Map<String, JsonNode> state = new HashMap<>();
    private int kept;

    QuorumImage(int node, Directories directories) {
        this.node = node;
        this.directories = directories;
    }

    String name() {
        return "n" + node;
    }

    /** A line has told of it. */
    boolean told() {
        return state.containsKey("role");
    }

    /** Takes up what a line says. */
    void take(JsonNode changes) {
        changes.properties().forEach(field -> state.put(field.getKey(), field.getValue()));
        kept = log.size();
        JsonNode change = changes.path("log");
        if (change.isObject()) {
            kept = LogLines.change(log, change);
        }
    }

    /** A process that has started tells its log from the start; returns how much of the log of before is in it. */
    int open(JsonNode changes) {
        List<Integer> before = List.copyOf(log);
        log.clear();
        state.clear();
        take(changes);
        int same = 0;
        while (same < Math.min(before.size(), log.size()) && before.get(same).equals(log.get(same))) {
            same++;
        }
        kept = log.size();
        return same == log.size() ? same : -1;
    }

    JsonNode get(String variable) {
        return state.getOrDefault(variable, MissingNode.getInstance());
    }

    int number(String variable) {
        return get(variable).asInt(-1);
    }

    String role() {
        String role = get("role").asText("?");
        return role.charAt(0) + role.substring(1).toLowerCase(Locale.ROOT);
    }

    int directory() {
        return directories.number(node, get("dirId"));
    }

    Object votedKey() {
        JsonNode key = get("votedKey");
        return key.isObject() ? directories.key(key.path("id").asInt(), key.path("directory")) : Tla.NIL;
    }

    Object leader() {
        return nodeOrNil(number("leaderId"));
    }

    static Object nodeOrNil(int id) {
        return id < 0 ? Tla.NIL : "n" + id;
    }

    int lastEpoch() {
        return log.isEmpty() ? 0 : log.get(log.size() - 1);
    }

    static SortedSet<Object> nodes(Iterable<?> ids) {
        TreeSet<Object> all = new TreeSet<>(Comparator.comparing(Object::toString));
        ids.forEach(id -> all.add("n" + id));
        return all;
    }

    Object grants() {
        return nodes(get("grants"));
    }

    Object rejects() {
        return nodes(get("rejects"));
    }

    boolean fetchedFromLeader() {
        return get("fetchedFromLeader").asBoolean();
    }

    /** Of all nodes; a leader's own is its fsynced end, which the specification does not keep twice. */
    Map<String, Object> voterFetch(List<Integer> nodes) {
        Map<String, Object> all = new LinkedHashMap<>();
        boolean leads = get("role").asText().equals("LEADER");
        for (int each : nodes) {
            JsonNode at = get("voterFetch").path(Integer.toString(each));
            boolean own = each == node && leads && at.asInt(-1) == number("flushed");
            all.put("n" + each, own ? -1 : at.asInt(-1));
        }
        return all;
    }

    private SortedSet<Object> voters() {
        TreeSet<Object> all = new TreeSet<>(Comparator.comparing(Object::toString));
        get("voters").properties().forEach(voter -> {
            all.add(directories.key(Integer.parseInt(voter.getKey()), voter.getValue()));
        });
        return all;
    }

    /** The state as {@code Agrees} of the module compares it. */
    Map<String, Object> seen(List<Integer> nodes) {
        JsonNode change = get("log");
        boolean endAgrees = !change.isObject() || change.path("leo").asInt() == log.size();
        return record(
                "of", "replica",
                "currentEpoch", number("currentEpoch"),
                "votedKey", votedKey(),
                "leaderId", leader(),
                "role", role(),
                "grants", grants(),
                "rejects", rejects(),
                "fetchedFromLeader", fetchedFromLeader(),
                "voterFetch", voterFetch(nodes),
                "kept", kept,
                "epochs", endAgrees ? List.copyOf(log.subList(kept, log.size())) : List.of(NO_EPOCH),
                "logStart", number("logStart"),
                "flushed", number("flushed"),
                "hw", number("hw"),
                "dirId", directory(),
                "voters", voters());
    }
}
