package io.tidemark.conformance.trace;

import static io.tidemark.conformance.trace.ReplicaImage.record;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a trace says of the controllers, as steps of module {@code TraceController}. Only what a line is about is chosen here,
 * and with what a controller begins: what its node's log holds. Whether the specification can take the steps is TLC's to say.
 */
final class ControllerSteps {
    private static final Set<String> SETTINGS = Set.of(
            "HandleAlterMinIsr",
            "HandleCreateTopics",
            "HandleCreatePartitions",
            "HandleDeleteTopics",
            "HandleAlterConfigs",
            "HandleUpdateFeatures");

    /** What a controller decides of which the specification knows nothing but that its log grows. */
    private static final Set<String> APPENDS = Set.of("HandleAllocateProducerIds", "HandleControllerRegistration");

    /** The actions that this layer follows: those of the module Controller that an active controller takes. */
    static final Set<String> ACTIONS = Stream.of(ControllerEvents.NAMES, SETTINGS, APPENDS)
            .flatMap(Set::stream)
            .collect(Collectors.toUnmodifiableSet());

    /** What was decided, and where its batch ends. */
    private record Made(int epoch, long end, TermImage after, Map<String, Object> image) {
        private Map<String, Object> asRecord() {
            return record("epoch", epoch, "end", end, "image", image);
        }
    }

    private final List<String> nodes;
    private final List<String> brokers;
    private final TreeMap<Integer, TermImage> terms = new TreeMap<>();
    private final Map<Integer, Integer> epochs = new HashMap<>();
    private final MetadataLogs logs = new MetadataLogs();
    private final List<SpecStep> steps = new ArrayList<>();
    private final ControllerRequests requests = new ControllerRequests();
    private List<Made> made = new ArrayList<>();
    private boolean begun;
    private @Nullable Map<String, Object> start;

    private ControllerSteps(TraceFile trace) {
        List<Integer> ids = trace.nodes().stream().sorted().toList();
        this.nodes = ids.stream().map(id -> "n" + id).toList();
        this.brokers = ids.stream().map(id -> "b" + id).toList();
    }

    /** Whether the line is about a controller. */
    static boolean tells(TraceEvent event) {
        return event.state().has("metaLog") || ControllerEvents.NAMES.contains(event.action());
    }

    /**
     * The steps of the events from one on.
     *
     * @param from index of the first event
     * @param count how many events of controllers
     */
    static TraceSegment of(TraceFile trace, int from, int count) {
        ControllerSteps all = new ControllerSteps(trace);
        int taken = 0;
        int last = 0;
        for (TraceEvent event : trace.events()) {
            boolean restarts = event.action().equals("RestartBroker");
            boolean appends = event.action().equals("AppendMetadata");
            if (!tells(event) && !restarts) {
                all.other(event);
            }
            if (!tells(event) && !restarts && !appends) {
                continue;
            }
            if (taken >= count) {
                break;
            }
            if (!all.begun && event.index() >= from) {
                all.begun = true;
                all.start = all.start();
            }
            int before = all.steps.size();
            if (appends) {
                all.handedOver(event);
            } else {
                all.take(event, restarts);
            }
            taken += all.steps.size() > before ? 1 : 0;
            last = event.index();
        }
        return new TraceSegment(
                "controller",
                "TraceController",
                Map.of("Brokers", all.brokers),
                Map.of(),
                all.start == null ? Map.of() : all.start,
                all.steps,
                taken,
                last,
                null);
    }

    /** What the log of a node's quorum holds says what its controller begins with. */
    private void other(TraceEvent event) {
        requests.heardOf(event);
        if (QuorumSteps.tells(event)) {
            logs.take(event.node(), event.state().path("log"));
        }
    }

    private Map<String, Object> start() {
        Map<String, Object> term = new TreeMap<>();
        nodes.forEach(node -> term.put(node, Tla.NIL));
        terms.forEach((node, image) -> term.put("n" + node, image.term()));
        Set<Object> decided = new LinkedHashSet<>();
        made.forEach(each -> decided.add(each.asRecord()));
        return record("term", term, "made", decided);
    }

    private void add(String action, Map<String, Object> x, Object seen, TraceEvent event) {
        if (begun) {
            steps.add(new SpecStep(action, "n" + event.node(), x, seen, event.index(), List.of()));
        }
    }

    private void take(TraceEvent event, boolean restarts) {
        if (restarts) {
            requests.heardOf(event);
            logs.restart(event.node());
        }
        if (restarts || event.action().equals("Deactivate")) {
            epochs.computeIfPresent(event.node(), (node, epoch) -> restarts ? -1 : epoch);
            boolean ends = terms.remove(event.node()) != null;
            if (ends || !restarts) {
                add(restarts ? "Die" : "Deactivate", Map.of(), Tla.NIL, event);
            }
            return;
        }
        JsonNode epoch = event.state().path("controllerEpoch");
        int now = epoch.asInt(epochs.getOrDefault(event.node(), -1));
        epochs.put(event.node(), now);
        if (event.action().equals("Activate")) {
            activate(event, now);
        } else {
            TermImage term = terms.computeIfAbsent(event.node(), node -> new TermImage(now, brokers));
            decided(event, term);
        }
    }

    /** The log of the controller's node takes what was decided: the line is the quorum's, and tells of the log alone. */
    private void handedOver(TraceEvent event) {
        JsonNode log = event.state().path("log");
        List<Object> appended = new ArrayList<>();
        log.path("appended")
                .forEach(run ->
                        appended.add(List.of(run.path(0).asInt(-1), run.path(1).asInt(-1))));
        TermImage term = terms.getOrDefault(event.node(), new TermImage(-1, brokers));
        term.taken = log.path("leo").asLong();
        Map<String, Object> seen = seen(event, term, false);
        List.of("part", "assignment", "minIsr", "unclean", "reg").forEach(name -> seen.put(name, Map.of()));
        seen.put("base", -1);
        seen.put("records", 0);
        seen.put(
                "answer",
                record("records", event.args().path("records").asInt(), "end", term.taken, "appended", appended));
        add("AppendMetadata", Map.of(), seen, event);
    }

    private void activate(TraceEvent event, int epoch) {
        Made base = null;
        for (Made each : made) {
            boolean held = logs.holds(event.node(), each.end() - 1, each.epoch());
            if (held && (base == null || each.end() > base.end())) {
                base = each;
            }
        }
        TermImage term = new TermImage(epoch, brokers);
        if (base != null) {
            term.inherit(base.after());
        }
        term.take(event);
        terms.put(event.node(), term);
        Map<String, Object> x = record(
                "epoch", event.args().path("epoch").asInt(),
                "nextOffset", event.args().path("nextOffset").asInt(),
                "committed", requests.committed(event.node()),
                "base", base == null ? Tla.NIL : record("epoch", base.epoch(), "end", base.end()),
                "image", made.isEmpty() ? term.image() : Tla.NIL,
                "records", term.records());
        add("Activate", x, seen(event, term, true), event);
        keep(event, term);
    }

    private void decided(TraceEvent event, TermImage term) {
        String broker = TermImage.broker(event.args().path("broker"));
        boolean again = term.lives(broker, event.args().path("incarnation").asText());
        Set<String> removed = term.removed(event);
        Set<String> cleared = term.cleared(event);
        Set<String> unknown = term.unknown(event);
        Set<String> before = term.partitions();
        term.take(event);
        String error = event.args().path("answer").path("error").asText("NONE");
        String action = event.action();
        String step = switch (action) {
            case "HandleBrokerRegistration" -> !error.equals("NONE") ? "Refused" : again ? "Amend" : action;
            case "HandleBrokerHeartbeat" -> !error.equals("NONE") ? "Refused" : term.records() == 0 ? "Beat" : action;
            // What no controller takes, a doctored trace may tell of: its log then grows by records of another kind.
            default -> ACTIONS.contains(action) && !APPENDS.contains(action) ? action : "Append";
        };
        boolean settings = SETTINGS.contains(step) || step.equals("Append");
        Map<String, Object> x =
                settings ? settings(event, term, before, removed, cleared, unknown) : requests.of(event, broker, error);
        add(step, x, seen(event, term, settings), event);
        keep(event, term);
    }

    private static Map<String, Object> settings(
            TraceEvent event,
            TermImage term,
            Set<String> before,
            Set<String> removed,
            Set<String> cleared,
            Set<String> unknown) {
        Map<String, Object> created = new TreeMap<>(term.line("assignment"));
        created.keySet().removeAll(before);
        Set<String> named = new TreeSet<>();
        for (JsonNode record : event.state().path("metaLog").path("appended")) {
            if (record.path("type").asText().equals("Partition")) {
                named.add(TermImage.partition(record.path("partition").asText()));
            }
        }
        return record(
                "created", created,
                "named", named,
                "unknown", unknown,
                "removed", removed,
                "cleared", cleared,
                "minIsr", term.line("minIsr"),
                "unclean", term.line("unclean"),
                "elr", term.elr(),
                "records", term.records());
    }

    /** @param anything the specification says nothing of what the records are about */
    private static Map<String, Object> seen(TraceEvent event, TermImage term, boolean anything) {
        JsonNode requires = event.args().path("requires");
        Object epoch = event.state().path("controllerEpoch").asInt(term.epoch);
        return record(
                "controllerEpoch", epoch,
                "metaHw", event.state().path("metaHw").asLong(term.hw),
                "elrEnabled", term.elr(),
                "base", term.base(),
                "records", term.records(),
                "appended", anything ? ControllerRequests.kinds(event) : ControllerRequests.appended(event),
                "part", term.line("part"),
                "assignment", term.line("assignment"),
                "minIsr", term.line("minIsr"),
                "unclean", term.line("unclean"),
                "reg", term.line("reg"),
                "answer", anything ? Tla.NIL : ControllerRequests.answer(event),
                "requires", requires.isNumber() ? (Object) requires.asLong() : Tla.NIL);
    }

    /** What later controllers may begin with, as the module's {@code made}. */
    private void keep(TraceEvent event, TermImage term) {
        List<Made> kept = new ArrayList<>();
        for (Made each : made) {
            boolean gone = switch (event.action()) {
                case "CommitMetadata" -> each.epoch() < term.epoch || each.end() < term.hw;
                case "Activate" -> each.epoch() <= term.epoch && each.end() < term.hw;
                default -> false;
            };
            if (!gone) {
                kept.add(each);
            }
        }
        if (term.records() > 0 || event.action().equals("Activate")) {
            TermImage after = new TermImage(term.epoch, brokers);
            after.inherit(term);
            kept.add(new Made(term.epoch, term.end, after, term.image()));
        }
        made = kept;
    }
}
