package io.tidemark.conformance.trace;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.spec.SpecException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One trace of those of several processes: the events of a node in their order, and what was received after what was sent. Any
 * order that keeps to that is one in which the run may have happened; no clock is asked.
 *
 * <p>What was received and nobody tells of having sent comes from a life of a node that kept no trace. Nobody knows what else
 * it did, so the merged trace ends before that: with as much of the other nodes' as does not come after it. A node that begins
 * anew may have lived without a trace before; there, its next life is taken only where others have heard of it, and not at all
 * where it knows more than it has told ({@link SilentLives}).
 */
final class TraceMerge {
    /** What is sent, by what is received. */
    private static final Map<String, String> SENDS =
            Map.of("ReceiveRequest", "SendRequest", "ReceiveResponse", "SendResponse");

    /** The likely cause, where a trace is at hand and has not what another has received. */
    private static final String RUNNING =
            "; if nodes still run, stop them first: traces of running ones end at different moments";

    private final List<TraceFile> parts;
    private final int[] next;
    private final List<TraceEvent> all = new ArrayList<>();
    private final Set<List<Object>> toCome = new HashSet<>();
    private final Set<List<Object>> sent = new HashSet<>();
    /** Who answers on a connection. */
    private final Map<List<Object>, Integer> answerers = new HashMap<>();

    private final SilentLives silent;

    private TraceMerge(List<TraceFile> parts) {
        this.parts = parts;
        this.next = new int[parts.size()];
        this.silent = new SilentLives(parts.stream()
                .filter(part -> !part.whole())
                .flatMap(part -> part.events().stream())
                .toList());
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
        return new TraceMerge(parts).merged(config, nodes);
    }

    private TraceFile merged(JsonNode config, List<Integer> nodes) {
        parts.forEach(part -> part.events().forEach(this::known));
        boolean missing = parts.stream().flatMap(part -> part.events().stream()).anyMatch(this::followsSilence);
        boolean restart = !missing;
        for (boolean progress = true; progress; ) {
            progress = false;
            for (int part = 0; part < next.length; part++) {
                progress |= take(part, restart);
                // One at a time: what it says to others may lead them to where something is missing.
                restart &= !(missing && progress);
            }
            if (!progress && !restart && waiting().noneMatch(this::followsSilence)) {
                restart = true;
                progress = true;
            }
        }
        String ends = missing ? unsent() : null;
        if (ends == null) {
            waiting().findFirst().ifPresent(stuck -> {
                throw refused(
                        "event " + stuck.nodeSeq() + " of node " + stuck.node() + " was received before it was sent",
                        "traces of one run");
            });
        }
        return new TraceFile(config, nodes, all, parts.stream().allMatch(TraceFile::whole), ends);
    }

    private void known(TraceEvent event) {
        if (SENDS.containsValue(event.action())) {
            toCome.add(message(event.action(), event.args()));
        } else if (event.action().equals("ReceiveRequest")) {
            answerers.put(connection(event.cause()), event.node());
        }
    }

    /** The events that come next, each of another part. */
    private Stream<TraceEvent> waiting() {
        return IntStream.range(0, next.length)
                .filter(part -> next[part] < parts.get(part).events().size())
                .mapToObj(part -> parts.get(part).events().get(next[part]));
    }

    /** Takes one event of a part, if it may be next: a restart where it is allowed. */
    private boolean take(int part, boolean restart) {
        List<TraceEvent> events = parts.get(part).events();
        if (next[part] == events.size()) {
            return false;
        }
        TraceEvent event = events.get(next[part]);
        String sends = SENDS.get(event.action());
        if (sends != null) {
            if (!sent.contains(message(sends, event.cause()))) {
                return false;
            }
        } else if (SENDS.containsValue(event.action())) {
            sent.add(message(event.action(), event.args()));
        } else if (silent.more(event) != null) {
            return false;
        } else if (!restart && next[part] > 0 && event.action().equals("RestartBroker")) {
            return false;
        }
        next[part]++;
        all.add(event.at(all.size() + 1));
        return true;
    }

    /** Whether it was received, and nobody tells of having sent it: its sender has lived without a trace. */
    private boolean isUnsent(TraceEvent event) {
        String sends = SENDS.get(event.action());
        return sends != null && !toCome.contains(message(sends, event.cause()));
    }

    /** Whether a node has lived without a trace before it. */
    private boolean followsSilence(TraceEvent event) {
        return isUnsent(event) || silent.more(event) != null;
    }

    /** What is missing, in words; null where all was taken. */
    private @Nullable String unsent() {
        // A request says whose it is.
        return waiting()
                .filter(this::followsSilence)
                .min(Comparator.comparing(event -> !event.action().equals("ReceiveRequest")))
                .map(event -> "after event " + all.size() + ": " + missing(event))
                .orElse(null);
    }

    private String missing(TraceEvent event) {
        String more = silent.more(event);
        if (more != null) {
            return "node " + event.node() + " begins (event " + event.nodeSeq() + " of its trace) with " + more
                    + ": it has lived without a trace before, or lost the end of one; start it with --trace each time";
        }
        boolean request = event.action().equals("ReceiveRequest");
        String client = event.cause().path("client").asText();
        Integer answerer = answerers.get(connection(event.cause()));
        String sender = request ? client.replace('-', ' ') : answerer == null ? "another node" : "node " + answerer;
        boolean given = parts.stream()
                .flatMap(part -> part.nodes().stream())
                .anyMatch(node -> sender.equals("another node") || sender.equals("node " + node));
        return "node " + event.node() + " has received " + (request ? "a request" : "an answer") + " of " + sender
                + " (event " + event.nodeSeq() + " of its trace), and "
                + (given
                        ? sender + "'s trace ends before it was sent or has a gap there" + RUNNING
                        : "no trace of " + sender + " is given");
    }

    private static List<Object> connection(JsonNode told) {
        return message("", told).subList(1, 3);
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
