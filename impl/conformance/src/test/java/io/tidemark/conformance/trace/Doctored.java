package io.tidemark.conformance.trace;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Traces that are not quite what was recorded, as variants of it. */
final class Doctored {
    /**
     * A changed trace.
     *
     * @param variant what is left of it to follow
     * @param ends why it is not followed to where the recorded one is; null where it is
     */
    record Changed(TraceRun.Variant variant, @Nullable String ends) {}

    private static final int MOST = 40;
    private static final ObjectMapper JSON = new ObjectMapper();

    private final List<String> lines;
    private final Layer layer;
    private final int from;
    private final int count;
    private final TraceFile whole;
    private final List<String> recorded;

    Doctored(List<String> lines, Layer layer, int from, int count) {
        this.lines = lines;
        this.layer = layer;
        this.from = from;
        this.count = count;
        this.whole = TraceFile.parse("trace", lines);
        this.recorded = segment(lines).steps().stream().map(SpecStep::tla).toList();
    }

    TraceSegment segment(List<String> of) {
        return layer.segment(TraceFile.parse("trace", of), from, count);
    }

    /** The lines changed, numbered anew: what differs from the recorded steps is the variant's own. */
    TraceRun.Variant variant(UnaryOperator<List<String>> change) {
        return variant(segment(numbered(change.apply(new ArrayList<>(lines)))).steps());
    }

    /** The trace with another value at a place of one event. */
    Changed corrupted(int event, String pointer) {
        List<TraceEvent> events = new ArrayList<>(whole.events());
        TraceEvent old = events.get(event - 1);
        ObjectNode line = read(corrupted(lines.get(event), pointer));
        events.set(
                event - 1,
                new TraceEvent(
                        old.index(),
                        old.node(),
                        old.nodeSeq(),
                        old.cause(),
                        old.action(),
                        line.path("args"),
                        line.path("state")));
        TraceSegment segment =
                layer.segment(new TraceFile(whole.config(), whole.nodes(), events, true, null), from, count);
        return new Changed(variant(segment.steps()), segment.ends());
    }

    private TraceRun.Variant variant(List<SpecStep> steps) {
        List<String> texts = steps.stream().map(SpecStep::tla).toList();
        int least = Math.min(texts.size(), recorded.size());
        int before = 0;
        while (before < least && texts.get(before).equals(recorded.get(before))) {
            before++;
        }
        int after = 0;
        while (after < least - before
                && texts.get(texts.size() - 1 - after).equals(recorded.get(recorded.size() - 1 - after))) {
            after++;
        }
        List<SpecStep> own = steps.subList(before, steps.size() - after);
        // What was changed is read soon or never; the module would grow by all that follows from it.
        return own.size() <= MOST
                ? new TraceRun.Variant(before, own, recorded.size() - after + 1)
                : new TraceRun.Variant(before, own.subList(0, MOST), recorded.size() + 1);
    }

    /** Numbered anew. */
    static List<String> numbered(List<String> lines) {
        List<String> all = new ArrayList<>();
        ObjectNode header = read(lines.get(0));
        all.add(header.put("events", lines.size() - 1).toString());
        Map<Integer, Integer> nodeSeqs = new HashMap<>();
        for (int i = 1; i < lines.size(); i++) {
            ObjectNode line = read(lines.get(i));
            int node = line.path("node").asInt();
            all.add(line.put("seq", i)
                    .put("nodeSeq", nodeSeqs.merge(node, 1, Integer::sum))
                    .toString());
        }
        return all;
    }

    static ObjectNode read(String line) {
        try {
            return (ObjectNode) JSON.readTree(line);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(line, e);
        }
    }

    /** Places of numbers, truth values and texts below a node, as JSON pointers. */
    static List<String> fields(JsonNode node, String path) {
        List<String> all = new ArrayList<>();
        if (node.isObject()) {
            node.properties().forEach(field -> all.addAll(fields(field.getValue(), path + "/" + field.getKey())));
        } else if (node.isArray()) {
            for (int i = 0; i < node.size(); i++) {
                all.addAll(fields(node.get(i), path + "/" + i));
            }
        } else if (!node.isNull()) {
            all.add(path);
        }
        return all;
    }

    /** The line with another value at the place. */
    static String corrupted(String line, String pointer) {
        ObjectNode root = read(line);
        int slash = pointer.lastIndexOf('/');
        JsonNode parent = root.at(pointer.substring(0, slash));
        String name = pointer.substring(slash + 1);
        JsonNode value = root.at(pointer);
        JsonNode other = value.isBoolean()
                ? JSON.getNodeFactory().booleanNode(!value.asBoolean())
                : value.isNumber()
                        ? JSON.getNodeFactory().numberNode(value.asLong() + 1)
                        : JSON.getNodeFactory().textNode("NOT_" + value.asText());
        if (parent instanceof ArrayNode array) {
            array.set(Integer.parseInt(name), other);
        } else {
            ((ObjectNode) parent).set(name, other);
        }
        return root.toString();
    }
}
