package io.tidemark.conformance.trace;

import static io.tidemark.conformance.trace.ReplicaImage.record;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a trace says of one partition, as steps of module {@code TracePartition}. Only the order is chosen here, and what the
 * lines do not tell because nobody saw it: that an answer was lost, that a process died, that a record is committed. Whether the
 * specification can take the steps is TLC's to say.
 */
final class PartitionSteps {
    private static final Set<String> APPLIES = Set.of("ApplyPartitionChange", "ApplyBrokerChange", "ApplyMinIsrChange");

    private final String partition;
    private final List<TraceEvent> events;
    private final BrokerEvents brokers;
    private final FetchAnswers answers;
    private final Map<String, Integer> lives = new HashMap<>();
    private final TreeMap<String, ReplicaImage> replicas = new TreeMap<>();
    private final Map<Integer, Integer> controllerEpochs = new HashMap<>();
    private final ControllerImage controller;
    private final List<SpecStep> steps = new ArrayList<>();
    private final SentRequests sent = new SentRequests(steps);
    private final MetadataLogs metadataLogs = new MetadataLogs();
    private final Map<Integer, Integer> metadataHws = new HashMap<>();
    private final PartitionSettings settings = new PartitionSettings();
    private int activeEpoch = -1;
    private int committed;
    private boolean begun;
    private @Nullable Map<String, Object> start;

    /** Why the module can follow no further. */
    private @Nullable String ends;

    private PartitionSteps(TraceFile trace, String partition) {
        this.partition = partition;
        this.controller = new ControllerImage(partition, lives);
        this.events = trace.events().stream().filter(this::concerns).toList();
        this.answers = new FetchAnswers(events);
        this.brokers = new BrokerEvents(this::add, controller, replicas, lives, events);
    }

    /** Lines about another partition say nothing here. */
    private boolean concerns(TraceEvent event) {
        JsonNode of = event.args().path("partition");
        return of.isMissingNode() || of.asText().equals(partition);
    }

    /**
     * The steps of the events from one on.
     *
     * @param from index of the first event, if by then every replica takes part; else of the first one where it does
     * @param count how many events of the partition; more where a replica is away, so that the next segment can begin with
     *     all of them
     */
    static TraceSegment of(TraceFile trace, String partition, int from, int count) {
        PartitionSteps all = new PartitionSteps(trace, partition);
        int taken = 0;
        int last = 0;
        for (TraceEvent event : all.events) {
            if (all.controller.gone()) {
                break;
            }
            if (!all.begun && event.index() >= from && all.ready()) {
                all.begin();
            }
            int before = all.steps.size();
            if (all.ends == null) {
                all.take(event);
            }
            if (all.ends != null) {
                break;
            }
            last = event.index();
            if (all.begun && all.steps.size() > before) {
                taken++;
            }
            if (taken >= count && all.ready()) {
                break;
            }
        }
        return new TraceSegment(
                partition,
                "TracePartition",
                all.settings.constants(all.controller.brokers(), all.controller.minIsr()),
                Map.of(),
                all.start == null ? Map.of() : all.start,
                all.steps,
                taken,
                last,
                all.ends);
    }

    private boolean ready() {
        List<String> brokers = controller.brokers();
        return !brokers.isEmpty()
                && brokers.stream().allMatch(broker -> {
                    ReplicaImage replica = replicas.get(broker);
                    return replica != null && replica.acts() && replica.up.equals("running");
                });
    }

    private void begin() {
        begun = true;
        ends = settings.begin();
        start = new StartState(controller, replicas, sent).build(committed);
    }

    private void add(String action, String at, Map<String, Object> args, Object seen, TraceEvent event) {
        if (begun) {
            Map<String, Object> x = APPLIES.contains(action) ? record("committed", held(event.node())) : args;
            steps.add(new SpecStep(action, at, x, seen, event.index(), SentRequests.KEPT));
        }
    }

    /** How much of the partition's metadata the node's own log holds, and the node knows as committed. */
    private int held(int node) {
        return controller.index().heldBy(node, metadataHws.getOrDefault(node, 0), metadataLogs);
    }

    /** Whether the event changes what the steps so far have as a constant. */
    private boolean differs(TraceEvent event) {
        String changed = begun ? settings.changed() : null;
        ends = changed == null
                ? null
                : "from event " + event.index() + " on: " + changed + "; a change is not modelled, and --from "
                        + (event.index() + 1) + " follows what comes after it";
        return ends != null;
    }

    private void take(TraceEvent event) {
        if (event.action().equals("RestartBroker")) {
            metadataLogs.restart(event.node());
            settings.restart(event.node());
            brokers.restart(event);
        } else if (event.action().equals("DiskLies")) {
            brokers.lies(event, true);
        } else if (event.args().has("partition")) {
            replica(event);
        } else if (event.state().has("metaLog") || ControllerEvents.NAMES.contains(event.action())) {
            controller(event);
        } else if (BrokerEvents.has(event)) {
            brokers.life(event);
        } else {
            metadataLogs.take(event.node(), event.state().path("log"));
            commit(event);
        }
    }

    /** A replica of the quorum knows that its log is committed up to its high watermark. */
    private void commit(TraceEvent event) {
        if (event.state().has("hw")) {
            metadataHws.put(event.node(), event.state().path("hw").asInt());
        }
        int now = held(event.node());
        if (now > committed) {
            committed = now;
            add("CommitMetadata", "b" + event.node(), record("upTo", now), Tla.NIL, event);
        }
    }

    // ---- the controller

    private void controller(TraceEvent event) {
        JsonNode epoch = event.state().path("controllerEpoch");
        if (epoch.isNumber()) {
            controllerEpochs.put(event.node(), epoch.asInt());
        }
        int own = controllerEpochs.getOrDefault(event.node(), -1);
        if (own < activeEpoch) {
            // A controller that was replaced and does not know: what it appends is never committed.
            return;
        }
        if (event.state().has("elrEnabled")) {
            settings.elr(event.state().path("elrEnabled").asBoolean());
            if (differs(event)) {
                return;
            }
        }
        if (own > activeEpoch) {
            activeEpoch = own;
            activate(event);
        }
        int appended = controller.take(event.state(), own, metadataLogs.end(event.node()));
        if (event.action().equals("Activate") && controller.index().begun()) {
            add("Activate", "b" + event.node(), activation(event), controller.seen(), event);
        }
        new ControllerEvents(this::add, controller, replicas, answers, sent, partition).take(event, appended);
    }

    /** What the controller was told of its epoch and where it appends, beside what its node's log says of that. */
    private Map<String, Object> activation(TraceEvent event) {
        return record(
                "epoch", event.args().path("epoch").asInt(),
                "nextOffset", event.args().path("nextOffset").asInt(),
                "lastEpoch", metadataLogs.lastEpoch(event.node()),
                "end", metadataLogs.end(event.node()),
                "metaHw", event.state().path("metaHw").asInt(-1),
                "hw", metadataHws.getOrDefault(event.node(), -1));
    }

    /** Another controller is active; what its log does not have is gone. */
    private void activate(TraceEvent event) {
        int left = controller.index().heldBy(event.node(), Long.MAX_VALUE, metadataLogs);
        if (left < controller.index().end()) {
            controller.cutTo(left);
            add("LoseUncommitted", "b" + event.node(), record("end", left), Tla.NIL, event);
            replicas.values().forEach(replica -> replica.alterPartitionAnswer = false);
        }
    }

    // ---- replicas

    private void replica(TraceEvent event) {
        JsonNode messages = event.args().path("messages");
        boolean flush = event.action().equals("ApplyFlushChange");
        settings.replica(event.node(), flush ? (Long) messages.asLong() : null);
        if (differs(event)) {
            return;
        }
        ReplicaImage replica = brokers.image(event.node());
        boolean acted = replica.acts();
        ReplicaImage.Request before = acted ? replica.fetch() : null;
        boolean live = acted && isLive(event);
        if (acted) {
            replica.take(event.state());
        } else {
            replica.open(event.state());
        }
        if (!replica.acts()) {
            return;
        }
        if (!acted) {
            opened(replica, event);
        } else {
            new ReplicaEvents(this::add, controller, replicas, answers, sent).take(event, replica, live);
        }
        if (replica.follows() && !replica.fetch().equals(before)) {
            sent.fetch(replica, controller.index());
        }
        if (replica.leads() && replica.get("isrState").path("pending").isObject()) {
            sent.alterPartition(replica, controller.index());
        }
    }

    /** Whether a fetch that arrives is what its sender still waits for. */
    private boolean isLive(TraceEvent event) {
        if (!event.action().equals("HandleFetch") && !event.action().equals("FollowerRead")) {
            return false;
        }
        ReplicaImage sender = replicas.get("b" + event.args().path("from").asInt());
        return sender != null
                && sender.alive()
                && sender.follows()
                && sender.number("leader") == event.node()
                && (!settings.flushes() || sender.number("flushed") == sender.log.size())
                && sender.brokerEpoch == event.args().path("brokerEpoch").asLong()
                && asked(event.args(), event.node()).equals(sender.fetch());
    }

    static ReplicaImage.Request asked(JsonNode args, int leader) {
        return new ReplicaImage.Request(
                leader,
                args.path("leaderEpoch").asInt(),
                args.path("offset").asInt(),
                args.path("lastEpoch").asInt());
    }

    /** A replica that was opened acts from its own registration on, which it applies too. */
    private void opened(ReplicaImage replica, TraceEvent event) {
        String broker = replica.broker;
        if (replica.up.equals("starting")) {
            // It has applied its registration before the controller's answer has come.
            add("HandleBrokerRegistrationResponse", broker, Map.of(), Tla.NIL, event);
            replica.up = "recovery";
            replica.brokerEpoch =
                    replica.get("reg").path(broker.substring(1)).path("epoch").asLong(-1);
        }
        add("ApplyPartitionChange", broker, Map.of(), Tla.NIL, event);
        add("ApplyBrokerChange", broker, Map.of(), replica.seen(controller.index(), controller.brokers()), event);
    }

    /** Adds a step. */
    interface Sink {
        void add(String action, String at, Map<String, Object> args, Object seen, TraceEvent event);
    }
}
