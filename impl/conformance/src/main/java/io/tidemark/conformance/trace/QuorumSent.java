package io.tidemark.conformance.trace;

import static io.tidemark.conformance.trace.ReplicaImage.record;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The requests of the quorum that were live, and after which step, so that those that arrive late can be kept until then. */
final class QuorumSent {
    private static final String SENT = "sent";
    /** What steps keep. */
    static final List<String> KEPT = List.of(SENT);

    /** @param content all that the request says but for whom it is sent to */
    private record Sent(Map<String, Object> content, int step) {}

    private final List<SpecStep> steps;
    private final Map<String, List<Sent>> byNode = new HashMap<>();
    private final Set<Object> keptFromTheStart = new LinkedHashSet<>();

    QuorumSent(List<SpecStep> steps) {
        this.steps = steps;
    }

    /** What the node asks for after the last step, if that is another request than before. */
    void after(QuorumImage node, boolean flushes) {
        boolean flushed = !flushes || node.number("flushed") == node.log.size();
        Map<String, Object> content = switch (node.role()) {
            case "Prospective" -> vote(node, true);
            case "Candidate" -> flushed ? vote(node, false) : null;
            case "Follower", "Unattached" -> flushed ? fetch(node) : null;
            case "Leader" -> news("begin", node);
            case "Resigned" -> news("end", node);
            default -> null;
        };
        List<Sent> all = byNode.computeIfAbsent(node.name(), name -> new ArrayList<>());
        if (content != null
                && (all.isEmpty() || !all.get(all.size() - 1).content().equals(content))) {
            all.add(new Sent(content, steps.size()));
        }
    }

    private static Map<String, Object> vote(QuorumImage node, boolean pre) {
        return record(
                "kind", "vote",
                "epoch", node.number("currentEpoch"),
                "offset", node.log.size(),
                "lastEpoch", node.lastEpoch(),
                "pre", pre);
    }

    private static Map<String, Object> fetch(QuorumImage node) {
        return record(
                "kind", "fetch",
                "epoch", node.number("currentEpoch"),
                "offset", node.log.size(),
                "lastEpoch", node.lastEpoch(),
                "hw", node.number("hw"),
                "leader", node.role().equals("Follower") ? node.leader() : Tla.NIL);
    }

    private static Map<String, Object> news(String kind, QuorumImage node) {
        return record("kind", kind, "epoch", node.number("currentEpoch"));
    }

    /** The request arrives although it is not waited for; what was never sent cannot be kept. */
    void arrives(Map<String, Object> request) {
        Object kind = Objects.requireNonNull(request.get("kind"));
        Object to = Objects.requireNonNull(request.get("to"));
        // Who has learned of a leader since has sent the same to anybody before: a voter never does so afterwards.
        Sent sent = sent(request, false);
        boolean asks = sent == null;
        if (sent == null) {
            sent = sent(request, true);
        }
        if (sent == null) {
            return;
        }
        if (sent.step() == 0) {
            keptFromTheStart.add(request);
        } else {
            steps.get(sent.step() - 1)
                    .keep(SENT, List.of(asks ? "ask" : kind, Objects.requireNonNull(request.get("from")), to));
        }
    }

    /** @param toAnybody whether it may be one that would have gone to a leader, and went to another node */
    private @Nullable Sent sent(Map<String, Object> request, boolean toAnybody) {
        List<Sent> all = byNode.getOrDefault(String.valueOf(request.get("from")), List.of());
        for (int i = all.size() - 1; i >= 0; i--) {
            boolean same = all.get(i).content().entrySet().stream()
                    .allMatch(field ->
                            field.getKey().equals("leader") || field.getValue().equals(request.get(field.getKey())));
            if (same && (toAnybody || !asks(all.get(i), request))) {
                return all.get(i);
            }
        }
        return null;
    }

    /** Whether the last request of its sender goes to another node than this one: it asks anybody. */
    boolean asksAnybody(Map<String, Object> request) {
        Sent sent = sent(request, true);
        return sent != null && asks(sent, request);
    }

    /** Whether the sender knew a leader, and this goes to another node. */
    private static boolean asks(Sent sent, Map<String, Object> request) {
        Object leader = sent.content().get("leader");
        return leader != null && leader != Tla.NIL && !leader.equals(request.get("to"));
    }

    /** Those of before the first step; grows while later events are read. */
    Set<Object> keptFromTheStart() {
        return keptFromTheStart;
    }
}
