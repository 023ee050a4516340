package io.tidemark.conformance.trace;

import static io.tidemark.conformance.trace.ReplicaImage.record;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a trace says of the metadata quorum, as steps of module {@code TraceQuorum}. Only the order is chosen here, and what the
 * lines do not tell because nobody saw it: that a request came too late, that a process died. Whether the specification can
 * take the steps is TLC's to say.
 */
final class QuorumSteps {
    static final Set<String> NAMES = Set.of(
            "ElectionTimeout",
            "FetchTimeout",
            "CheckQuorumTimeout",
            "Resign",
            "AppendMetadata",
            "PersistMetadata",
            "HandleVoteRequest",
            "HandleVoteResponse",
            "HandleBeginQuorumEpoch",
            "HandleEndQuorumEpoch",
            "HandleMetadataFetch",
            "MetadataRead",
            "HandleMetadataFetchResponse",
            "RestartNode");
    private static final List<String> BUDGETS =
            List.of("timeout", "append", "crash", "resign", "voters", "lose", "ghost", "wipe", "snapshot");

    private final List<Integer> nodes;
    private final List<TraceEvent> events;
    private final Directories directories;
    private final QuorumMessages messages;
    private final TreeMap<Integer, QuorumImage> images = new TreeMap<>();
    private final List<SpecStep> steps = new ArrayList<>();
    private final QuorumSent sent = new QuorumSent(steps);
    /** How many records the answer on its way to a node may carry. */
    private final Map<Integer, Integer> available = new HashMap<>();

    /** The last event that takes up an answer which was given by now. */
    private int answersUntil;

    private boolean begun;
    private @Nullable Map<String, Object> start;

    private QuorumSteps(TraceFile trace) {
        this.nodes = trace.nodes().stream().sorted().toList();
        this.events = trace.events().stream().filter(QuorumSteps::tells).toList();
        this.directories = new Directories(events);
        this.messages = new QuorumMessages(events, directories);
    }

    /** Whether the line is about the quorum. */
    static boolean tells(TraceEvent event) {
        return NAMES.contains(event.action());
    }

    /**
     * The steps of the events from one on.
     *
     * @param from index of the first event, if by then every node takes part and no answer is on its way; else of the first
     *     one where it is so
     * @param count how many events of the quorum; more until the next segment can begin
     */
    static TraceSegment of(TraceFile trace, int from, int count) {
        QuorumSteps all = new QuorumSteps(trace);
        int taken = 0;
        int last = 0;
        for (TraceEvent event : all.events) {
            boolean ready = all.ready(event);
            if (taken >= count && ready) {
                break;
            }
            if (!all.begun && event.index() >= from && ready) {
                all.begun = true;
                all.start = all.start();
            }
            all.take(event);
            last = event.index();
            taken += all.begun ? 1 : 0;
        }
        return new TraceSegment(
                "quorum",
                "TraceQuorum",
                all.constants(),
                Map.of("MaxOf", "Greatest", "VotersOf", "VotersTold"),
                all.start == null ? Map.of() : all.start,
                all.steps,
                taken,
                last,
                null);
    }

    private Map<String, Object> constants() {
        Map<String, Object> budget = new LinkedHashMap<>();
        BUDGETS.forEach(name -> budget.put(name, -1));
        Object voters = QuorumImage.nodes(directories.voters().keySet());
        return record(
                "Node",
                QuorumImage.nodes(nodes),
                "Controller",
                voters,
                "InitVoters",
                voters,
                "Static",
                !directories.named(),
                "FetchMax",
                1_000_000,
                "Patient",
                false,
                "Budget",
                budget);
    }

    /** Whether a segment may begin with the event. */
    private boolean ready(TraceEvent next) {
        return answersUntil < next.index()
                && images.size() == nodes.size()
                && images.values().stream().allMatch(QuorumImage::told)
                && images.values().stream().noneMatch(QuorumSteps::isNewLeader);
    }

    /** Its quorum-state may be behind what it is. */
    private static boolean isNewLeader(QuorumImage node) {
        return node.role().equals("Leader") && node.number("hw") <= node.log.indexOf(node.number("currentEpoch"));
    }

    private Map<String, Object> start() {
        return QuorumStartState.of(List.copyOf(images.values()), nodes, sent.keptFromTheStart());
    }

    // ---- steps

    private void add(String action, int at, Object args, Object seen, TraceEvent event) {
        if (begun) {
            steps.add(new SpecStep(action, "n" + at, args, seen, event.index(), QuorumSent.KEPT));
        }
    }

    private void hidden(String action, int at, Object args, TraceEvent event) {
        add(action, at, args, Tla.NIL, event);
    }

    private void take(TraceEvent event) {
        QuorumImage node = images.computeIfAbsent(event.node(), id -> new QuorumImage(id, directories));
        if (event.action().equals("RestartNode")) {
            restart(event, node);
        } else {
            node.take(event.state());
            step(event, node);
        }
        sent.after(node, directories.voters().containsKey(node.node));
    }

    private void observed(TraceEvent event, QuorumImage node, String action, Object args) {
        add(action, node.node, args, node.seen(nodes), event);
    }

    private void step(TraceEvent event, QuorumImage node) {
        boolean same = event.state().isEmpty();
        switch (event.action()) {
            case "ElectionTimeout" -> observed(event, node, same ? "Again" : "ElectionTimeout", Map.of());
            case "AppendMetadata" -> append(event, node);
            case "PersistMetadata" -> observed(event, node, "PersistMetadata", record("upTo", node.number("flushed")));
            case "HandleVoteRequest" -> vote(event, node);
            case "HandleVoteResponse" -> counted(event, node);
            case "HandleBeginQuorumEpoch" -> news(event, node, QuorumMessages.news("begin", event));
            case "HandleEndQuorumEpoch" -> news(event, node, QuorumMessages.news("end", event));
            case "HandleMetadataFetch" -> fetch(event, node);
            case "MetadataRead" -> read(event, node);
            case "HandleMetadataFetchResponse" -> fetched(event, node);
            default -> observed(event, node, event.action(), Map.of());
        }
    }

    private void restart(TraceEvent event, QuorumImage node) {
        boolean lived = node.told();
        int end = node.log.size();
        int directory = lived ? node.directory() : 0;
        int left = node.open(event.state());
        if (lived) {
            boolean wiped = node.directory() != directory;
            hidden(
                    "Die",
                    node.node,
                    wiped ? record("end", end, "flushed", end) : record("end", left, "flushed", node.number("flushed")),
                    event);
            if (wiped) {
                hidden("WipeDisk", node.node, Map.of(), event);
            }
        }
        observed(event, node, "RestartNode", Map.of());
    }

    /** Records of one batch are appended one by one. */
    private void append(TraceEvent event, QuorumImage node) {
        int records = Math.max(1, event.args().path("records").asInt());
        Map<String, Object> seen = node.seen(nodes);
        for (int i = 1; i < records; i++) {
            hidden("AppendMetadata", node.node, Map.of(), event);
        }
        int kept = (Integer) ReplicaImage.field(seen, "kept");
        List<?> epochs = (List<?>) ReplicaImage.field(seen, "epochs");
        int earlier = Math.min(epochs.size(), records - 1);
        seen.put("kept", kept + earlier);
        seen.put("epochs", epochs.subList(earlier, epochs.size()));
        add("AppendMetadata", node.node, Map.of(), seen, event);
    }

    // ---- votes, and what leaders say

    private void vote(TraceEvent event, QuorumImage node) {
        JsonNode told = event.args().path("answer");
        int asker = event.args().path("from").asInt();
        Map<String, Object> asked = messages.vote(event.args(), node.node);
        Object answer = told.isObject() ? messages.voteAnswer(told, node.node, asker) : Tla.NIL;
        if (answersLater(event)) {
            observed(event, node, "HandleVoteRequest", record("asked", asked, "answer", answer));
        } else {
            late(event, node, "LateVoteRequest", asked, answer);
        }
    }

    private boolean answersLater(TraceEvent event) {
        Integer taken = messages.takenAt(event);
        answersUntil = Math.max(answersUntil, taken == null ? 0 : taken);
        return taken != null;
    }

    /** A request that nobody waits for; what changes nothing may be no step of the specification. */
    private void late(TraceEvent event, QuorumImage node, String action, Map<String, Object> request, Object answer) {
        sent.arrives(request);
        Map<String, Object> args = record("asked", request, "answer", answer);
        if (event.state().isEmpty()) {
            observed(event, node, "Ignored", args);
        } else {
            hidden("Arrive", node.node, request, event);
            observed(event, node, action, args);
        }
    }

    private void counted(TraceEvent event, QuorumImage node) {
        int from = event.args().path("from").asInt();
        if (from == node.node) {
            hidden("OwnVote", from, Map.of(), event);
        }
        observed(
                event,
                node,
                "HandleVoteResponse",
                messages.voteAnswer(event.args().path("answer"), from, node.node));
    }

    private void news(TraceEvent event, QuorumImage node, Map<String, Object> request) {
        sent.arrives(request);
        if (event.state().isEmpty()) {
            observed(event, node, "KnownNews", request);
        } else {
            hidden("Arrive", node.node, request, event);
            observed(event, node, event.action(), request);
        }
    }

    // ---- fetches

    private void fetch(TraceEvent event, QuorumImage node) {
        Map<String, Object> asked = messages.fetch(event.args(), node.node);
        if (answersLater(event)) {
            answer(event, node, sent.asksAnybody(asked) ? "AskAnybody" : "HandleMetadataFetch", asked);
        } else {
            boolean answers = event.args().path("answer").isObject();
            late(event, node, "LateMetadataFetch", asked, answers ? answer(event) : Tla.NIL);
        }
    }

    /** Only an answer that is taken up matters. */
    private void read(TraceEvent event, QuorumImage node) {
        if (answersLater(event)) {
            answer(event, node, "MetadataRead", messages.fetch(event.args(), node.node));
        }
    }

    private void answer(TraceEvent event, QuorumImage node, String action, Map<String, Object> asked) {
        Map<String, Object> answer = answer(event);
        boolean records = ReplicaImage.field(answer, "ok").equals(true) && ReplicaImage.field(answer, "end") == Tla.NIL;
        available.put(
                event.args().path("from").asInt(),
                records ? node.log.size() - event.args().path("offset").asInt() : 0);
        observed(event, node, action, record("asked", asked, "answer", answer));
    }

    /** Beside what the answer says, how far the records go that it comes with. */
    private static Map<String, Object> answer(TraceEvent event) {
        JsonNode told = event.args().path("answer");
        Map<String, Object> answer = QuorumMessages.fetchAnswer(told);
        answer.put("upTo", told.path("upTo").asInt(-1));
        return answer;
    }

    private void fetched(TraceEvent event, QuorumImage node) {
        Map<String, Object> answer = QuorumMessages.arrived(event);
        if (!QuorumMessages.tellsNews(event)) {
            answer.put("asked", messages.asked(event.args().path("asked")));
            observed(event, node, "NoNews", answer);
            return;
        }
        int records = ((List<?>) ReplicaImage.field(answer, "epochs")).size();
        if (records < available.getOrDefault(node.node, 0)) {
            hidden("PartialAnswer", node.node, record("records", records), event);
        }
        observed(event, node, "HandleMetadataFetchResponse", answer);
    }
}
