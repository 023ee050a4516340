package io.tidemark.conformance.trace;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.spec.SpecException;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A trace as it was written: the header and its events. A file that is empty, damaged or cut short is refused, since a part
 * of a trace says less than its whole seems to.
 *
 * @param whole whether the writer has promised how many events there are, which a process that may be killed cannot
 * @param ends why nothing can be said of what came after the last event; null where that is the end
 */
public record TraceFile(
        JsonNode config,
        List<Integer> nodes,
        List<TraceEvent> events,
        boolean whole,
        @Nullable String ends) {
    /** So many events are read at most, and so many characters of a line: a trace is held in memory. */
    static final int MAX_EVENTS = 500_000;

    private static final int MAX_LINE = 1 << 20;
    private static final String SCHEMA = "tidemark.trace/1";
    private static final ObjectMapper JSON = new ObjectMapper().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    public TraceFile {
        nodes = List.copyOf(nodes);
        events = List.copyOf(events);
    }

    /**
     * Reads one trace, or merges those of several processes.
     *
     * @throws SpecException INPUT: no such file, not a trace, cut short, lines that are missing or twice
     */
    public static TraceFile read(List<Path> files) {
        List<TraceFile> parts = files.stream().map(TraceFile::read).toList();
        return TraceMerge.of(parts);
    }

    private static TraceFile read(Path file) {
        List<String> lines = new ArrayList<>();
        try (BufferedReader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
            for (String line = line(reader, file, 1); line != null; line = line(reader, file, lines.size() + 1)) {
                lines.add(line);
            }
            // What a process was about to write when it was killed is no event; a trace that was ended promises its
            // length.
            if (lines.size() > 1 && !endsALine(file) && lines.get(0).contains("\"events\":null")) {
                lines.remove(lines.size() - 1);
            }
        } catch (CharacterCodingException e) {
            throw refused(file + ":" + (lines.size() + 1), "not UTF-8", "lines of JSON");
        } catch (IOException e) {
            throw refused(file.toString(), "cannot be read: " + e.getMessage(), "a trace");
        }
        return parse(file.toString(), lines);
    }

    private static boolean endsALine(Path file) throws IOException {
        try (SeekableByteChannel bytes = Files.newByteChannel(file)) {
            ByteBuffer last = ByteBuffer.allocate(1);
            bytes.position(Math.max(0, bytes.size() - 1)).read(last);
            return last.get(0) == '\n';
        }
    }

    /** The next line without its end; null after the last one. */
    private static @Nullable String line(BufferedReader reader, Path file, int number) throws IOException {
        StringBuilder line = new StringBuilder();
        int c = reader.read();
        if (c < 0) {
            return null;
        }
        if (number > MAX_EVENTS + 1) {
            throw refused(file.toString(), "more than " + MAX_EVENTS + " events", "a shorter trace");
        }
        for (; c >= 0 && c != '\n'; c = reader.read()) {
            if (line.length() == MAX_LINE) {
                throw refused(file + ":" + number, "a line of more than " + MAX_LINE + " characters", "an event");
            }
            line.append((char) c);
        }
        return line.toString();
    }

    /** @param name of the file, for messages */
    public static TraceFile parse(String name, List<String> lines) {
        if (lines.isEmpty()) {
            throw refused(name, "the trace is empty", "a header and at least one event");
        }
        JsonNode header = json(name, 1, lines.get(0));
        if (!header.path("schema").asText().equals(SCHEMA)) {
            throw refused(name + ":1", "no header of a trace", "{\"schema\":\"" + SCHEMA + "\",...}");
        }
        boolean counted = header.path("events").isIntegralNumber();
        if ((!counted && !header.path("events").isNull())
                || !header.path("nodes").isArray()) {
            throw refused(name + ":1", "the header has no events or nodes", "a number of events and a list of nodes");
        }
        // A process that may be killed cannot promise how much it will tell.
        long promised = counted ? header.path("events").longValue() : lines.size() - 1;
        if (promised == 0 || lines.size() == 1) {
            throw refused(name, "the trace has no events", "at least one event");
        }
        if (lines.size() - 1 != promised) {
            throw refused(
                    name,
                    "the header promises " + promised + " events, there are " + (lines.size() - 1),
                    "a trace that is whole");
        }
        List<TraceEvent> events = new ArrayList<>();
        Map<Integer, Long> nodeSeqs = new HashMap<>();
        for (int i = 1; i < lines.size(); i++) {
            events.add(event(name, i, json(name, i + 1, lines.get(i)), nodeSeqs));
        }
        List<Integer> nodes = new ArrayList<>();
        header.path("nodes").forEach(node -> nodes.add(node.asInt()));
        return new TraceFile(header.path("config"), nodes, events, counted, null);
    }

    private static TraceEvent event(String name, int index, JsonNode line, Map<Integer, Long> nodeSeqs) {
        String where = name + ":" + (index + 1);
        boolean whole = line.path("seq").isIntegralNumber()
                && line.path("node").isInt()
                && line.path("nodeSeq").isIntegralNumber()
                && line.path("action").isTextual()
                && line.path("args").isObject()
                && line.path("state").isObject();
        if (!whole) {
            throw refused(where, "no event", "seq, node, nodeSeq, cause, action, args, state");
        }
        int node = line.path("node").asInt();
        long nodeSeq = line.path("nodeSeq").longValue();
        long expected = nodeSeqs.merge(node, 1L, Long::sum);
        if (line.path("seq").longValue() != index || nodeSeq != expected) {
            throw refused(
                    where,
                    "seq " + line.path("seq") + ", nodeSeq " + nodeSeq + " of node " + node,
                    "seq " + index + ", nodeSeq " + expected + ": no event missing, none twice");
        }
        return new TraceEvent(
                index,
                node,
                nodeSeq,
                line.path("cause"),
                line.path("action").asText(),
                line.path("args"),
                line.path("state"));
    }

    private static JsonNode json(String name, int number, String line) {
        try {
            JsonNode node = JSON.readTree(line);
            if (node != null && node.isObject()) {
                return node;
            }
            throw refused(name + ":" + number, "no JSON object", "a line of a trace");
        } catch (JsonProcessingException e) {
            int column = e.getLocation() == null ? 1 : e.getLocation().getColumnNr();
            throw refused(name + ":" + number + ":" + column, "malformed JSON", "one JSON object a line");
        }
    }

    private static SpecException refused(String where, String what, String expected) {
        return new SpecException(SpecException.Kind.INPUT, where, what, expected);
    }
}
