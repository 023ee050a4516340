package io.tidemark.conformance.trace;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.spec.SpecException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * One trace of those of several processes: the events of a node in their order, and what was received after what was sent. Any
 * order that keeps to that is one in which the run may have happened; no clock is asked.
 */
final class TraceMerge {
    /** What is sent, by what is received. */
    private static final Map<String, String> SENDS =
            Map.of("ReceiveRequest", "SendRequest", "ReceiveResponse", "SendResponse");

    private final List<TraceFile> parts;
    private final int[] next;
    private final Map<List<Object>, Integer> toCome = new HashMap<>();
    private final Set<List<Object>> sent = new HashSet<>();

    private TraceMerge(List<TraceFile> parts) {
        this.parts = parts;
        this.next = new int[parts.size()];
    }

    /** @throws SpecException INPUT: traces of one node, of different settings, or of which no order can be made */
    static TraceFile of(List<TraceFile> parts) {
        List<Integer> nodes = new ArrayList<>();
        parts.forEach(part -> nodes.addAll(part.nodes()));
        if (new HashSet<>(nodes).size() < nodes.size()) {
            throw refused("two traces of one node: " + nodes, "a trace of each node");
        }
        JsonNode config = parts.get(0).config();
        if (parts.stream().anyMatch(part -> !part.config().equals(config))) {
            throw refused("the nodes have different settings", "traces of one cluster");
        }
        return new TraceFile(config, nodes, new TraceMerge(parts).events());
    }

    private List<TraceEvent> events() {
        parts.forEach(part -> part.events().stream()
                .filter(event -> SENDS.containsValue(event.action()))
                .forEach(event -> toCome.merge(message(event.action(), event.args()), 1, Integer::sum)));
        List<TraceEvent> all = new ArrayList<>();
        for (boolean progress = true; progress; ) {
            progress = false;
            for (int part = 0; part < next.length; part++) {
                progress |= take(part, all);
            }
        }
        for (int part = 0; part < next.length; part++) {
            if (next[part] < parts.get(part).events().size()) {
                TraceEvent stuck = parts.get(part).events().get(next[part]);
                throw refused(
                        "event " + stuck.index() + " of node " + stuck.node() + " was received before it was sent",
                        "traces of one run");
            }
        }
        return all;
    }

    /** Takes one event of a part, if it may be next. */
    private boolean take(int part, List<TraceEvent> all) {
        List<TraceEvent> events = parts.get(part).events();
        if (next[part] == events.size()) {
            return false;
        }
        TraceEvent event = events.get(next[part]);
        String sends = SENDS.get(event.action());
        if (sends != null) {
            List<Object> message = message(sends, event.cause());
            // What nobody tells of having sent comes from a process that keeps no trace.
            if (toCome.containsKey(message) && !sent.contains(message)) {
                return false;
            }
        } else if (SENDS.containsValue(event.action())) {
            sent.add(message(event.action(), event.args()));
        }
        next[part]++;
        all.add(event.at(all.size() + 1));
        return true;
    }

    private static List<Object> message(String sends, JsonNode told) {
        String connection = told.path("connection").asText();
        return List.of(
                sends,
                told.path("client").asText(),
                // Java writes an address with the name that it was asked for by before the slash.
                connection.substring(connection.indexOf('/') + 1),
                told.path("correlation").asInt());
    }

    private static SpecException refused(String what, String expected) {
        return new SpecException(SpecException.Kind.INPUT, "traces", what, expected);
    }
}
