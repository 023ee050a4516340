package io.tidemark.runtime.trace;

import io.tidemark.runtime.StepListener;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The trace of the nodes of one process, a line a step; the schema is {@code tidemark.trace/1}. A line holds what changed of
 * the variables of who acted since the last line about them; names are the specification's. Nodes may act on several threads.
 */
public final class TraceLog {
    /** Names the format in the first line of a file. */
    public static final String SCHEMA = "tidemark.trace/1";

    private final Consumer<String> lines;
    private final TreeMap<Integer, Long> nodeSeqs = new TreeMap<>();
    private long seq;

    /** @param lines takes one line after the other, without its end; the header is the caller's, see {@link #header} */
    public TraceLog(Consumer<String> lines) {
        this.lines = lines;
    }

    /**
     * Goes on with a trace of one node.
     *
     * @param written how many lines there are already
     */
    public TraceLog(Consumer<String> lines, int node, long written) {
        this(lines);
        this.seq = written;
        nodeSeqs.put(node, written);
    }

    /**
     * The first line of a file.
     *
     * @param events how many lines follow; null where that cannot be known, since the process may be killed
     * @param nodes their ids
     * @param config settings that are constants of the specification
     */
    public static String header(@Nullable Long events, Iterable<Integer> nodes, Map<String, ?> config) {
        Map<String, @Nullable Object> header = new LinkedHashMap<>();
        header.put("schema", SCHEMA);
        header.put("events", events);
        header.put("nodes", nodes);
        header.put("config", config);
        return Json.text(header);
    }

    /** How many lines there are. */
    public synchronized long events() {
        return seq;
    }

    /**
     * A process of a node begins: writes the line that says so.
     *
     * @param incarnation which life of the broker it is
     * @param diskLies whether its disk lies about fsyncs, as far as anybody can know
     * @return sees the steps of that life
     */
    public StepListener begins(int node, UUID incarnation, boolean diskLies) {
        write(
                node,
                "RestartBroker",
                diskLies ? Map.of("diskLies", true) : Map.of(),
                Map.of("incarnation", incarnation));
        return new StepTrace(this, node);
    }

    /** The disk of a node begins to say of fsyncs that they are done and does not do them. Only a simulated disk tells. */
    public void diskLies(int node) {
        write(node, "DiskLies", Map.of(), Map.of());
    }

    /** A node is about to write a message to a connection: {@code SendRequest} or {@code SendResponse}. */
    public void sends(int node, String action, Message message) {
        write(node, action, null, message.told(), Map.of());
    }

    /** A node has got a message and has not acted on it yet: {@code ReceiveRequest} or {@code ReceiveResponse}. */
    public void receives(int node, String action, Message message) {
        write(node, action, message.told(), Map.of(), Map.of());
    }

    /**
     * Which message it is. A request and its answer have the same; the direction is in the action.
     *
     * @param client the asker's client id
     * @param connection the address of the asker's end of the connection
     */
    public record Message(String client, String connection, int correlation) {
        private Map<String, Object> told() {
            Map<String, Object> told = new LinkedHashMap<>();
            told.put("client", client);
            told.put("connection", connection);
            told.put("correlation", correlation);
            return told;
        }
    }

    void write(int node, String action, Map<String, ?> args, Map<String, ?> state) {
        write(node, action, null, args, state);
    }

    private synchronized void write(
            int node, String action, @Nullable Map<String, ?> cause, Map<String, ?> args, Map<String, ?> state) {
        long nodeSeq = nodeSeqs.merge(node, 1L, Long::sum);
        Map<String, @Nullable Object> line = new LinkedHashMap<>();
        line.put("seq", ++seq);
        line.put("node", node);
        line.put("nodeSeq", nodeSeq);
        line.put("cause", cause);
        line.put("action", action);
        line.put("args", args);
        line.put("state", state);
        lines.accept(Json.text(line));
    }
}
