package io.tidemark.conformance.trace;

import static io.tidemark.conformance.trace.ReplicaImage.record;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Steps of brokers: how their processes start, register and end, and what their disks do meanwhile. */
final class BrokerEvents {
    private static final Set<String> LIFE = Set.of("HandleBrokerRegistrationResponse", "HandleBrokerHeartbeatResponse");

    private final PartitionSteps.Sink sink;
    private final ControllerImage controller;
    private final Map<String, ReplicaImage> replicas;
    private final Map<String, Integer> lives;
    private final List<TraceEvent> events;

    /**
     * @param replicas by broker; those that are met come to it
     * @param lives the incarnation that each id of a process is; those that start come to it
     * @param events of the partition: what a process left on disk shows in the next one's
     */
    BrokerEvents(
            PartitionSteps.Sink sink,
            ControllerImage controller,
            Map<String, ReplicaImage> replicas,
            Map<String, Integer> lives,
            List<TraceEvent> events) {
        this.sink = sink;
        this.controller = controller;
        this.replicas = replicas;
        this.lives = lives;
        this.events = events;
    }

    /** Whether it is of a broker's life. */
    static boolean has(TraceEvent event) {
        return event.state().has("up") || LIFE.contains(event.action());
    }

    private void hidden(String action, String at, Map<String, Object> args, TraceEvent event) {
        sink.add(action, at, args, Tla.NIL, event);
    }

    /** What is known of the node's replica. */
    ReplicaImage image(int node) {
        return replicas.computeIfAbsent("b" + node, name -> new ReplicaImage(node));
    }

    private boolean holds(String broker) {
        return controller.brokers().contains(broker);
    }

    /** A process starts, and shows how the one before it ended. */
    void restart(TraceEvent event) {
        ReplicaImage replica = image(event.node());
        dies(replica, event);
        lies(event, event.args().path("diskLies").asBoolean());
        replica.up = "starting";
        replica.incarnation++;
        replica.brokerEpoch = -1;
        replica.forget();
        lives.put(event.state().path("incarnation").asText(), replica.incarnation);
        if (holds(replica.broker)) {
            sink.add("RestartBroker", replica.broker, Map.of(), seen(replica), event);
        }
    }

    /** From here on the disk says of a flush that it is done although it is not, or keeps its word again. */
    void lies(TraceEvent event, boolean lies) {
        ReplicaImage replica = image(event.node());
        if (replica.lied != lies && holds(replica.broker)) {
            hidden(lies ? "DiskLies" : "DiskKeepsWord", replica.broker, Map.of(), event);
        }
        replica.lied = lies;
    }

    /** How a process ended shows when the next one opens its log. */
    private void dies(ReplicaImage replica, TraceEvent event) {
        if (!holds(replica.broker)) {
            return;
        }
        int end = replica.log.size();
        boolean acts = replica.acts();
        ReplicaImage next = opened(event);
        int kept = next == null ? end : agree(replica.log, next);
        int hw = next != null ? next.number("hw") : acts ? replica.number("hw") : replica.diskHw;
        int flushed = next != null ? next.number("flushed") : acts ? replica.number("flushed") : replica.diskFlushed;
        boolean wiped = next != null && next.log.isEmpty() && replica.fsynced > 0;
        if (!replica.up.equals("down")) {
            hidden(
                    "Die",
                    replica.broker,
                    wiped
                            ? record("end", end, "hw", Math.max(0, replica.number("logStart")), "flushed", end)
                            : record("end", kept, "hw", hw, "flushed", flushed),
                    event);
        }
        if (wiped) {
            hidden("WipeDisk", replica.broker, Map.of(), event);
        }
        replica.diskFlushed = flushed;
        replica.diskHw = hw;
        replica.fsynced = Math.min(kept, Math.max(replica.fsynced, replica.lied ? 0 : flushed));
        replica.log.subList(kept, end).clear();
    }

    /** The replica as the node opens it next; null if it does not. */
    private @Nullable ReplicaImage opened(TraceEvent after) {
        for (TraceEvent later : events) {
            if (later.index() > after.index()
                    && later.node() == after.node()
                    && later.args().has("partition")) {
                ReplicaImage next = new ReplicaImage(after.node());
                next.take(later.state());
                return next;
            }
        }
        return null;
    }

    /** How many records of the log are in the one that was opened; what is below that one's start it tells nothing of. */
    private static int agree(List<Integer> log, ReplicaImage opened) {
        int most = Math.min(log.size(), opened.log.size());
        int kept = Math.max(0, Math.min(most, opened.number("logStart")));
        while (kept < most && log.get(kept).equals(opened.log.get(kept))) {
            kept++;
        }
        return kept;
    }

    private Map<String, Object> seen(ReplicaImage replica) {
        return record(
                "of",
                "broker",
                "up",
                replica.up,
                "incarnation",
                replica.incarnation,
                "brokerEpoch",
                controller.index().epoch(replica.broker, replica.brokerEpoch));
    }

    /** A broker registers, heartbeats, or is told to go. */
    void life(TraceEvent event) {
        ReplicaImage replica = image(event.node());
        JsonNode epoch = event.state().path("brokerEpoch");
        replica.brokerEpoch = epoch.asLong(replica.brokerEpoch);
        boolean known = replica.up.equals("recovery") && event.action().equals("HandleBrokerRegistrationResponse");
        boolean told = LIFE.contains(event.action());
        replica.up = switch (event.state().path("up").asText()) {
            case "STARTING" -> "starting";
            case "RECOVERY" -> "recovery";
            case "RUNNING" -> "running";
            // Who is told to go stops in order; who gives up in its start dies.
            case "SHUTTING_DOWN" -> told ? "down" : replica.up;
            case "", "NOT_RUNNING", "PENDING_CONTROLLED_SHUTDOWN" -> replica.up;
            default -> "no state of a broker";
        };
        if (told && replica.up.equals("down")) {
            replica.fsynced = replica.log.size();
        }
        if (told && holds(replica.broker)) {
            sink.add(known ? "Known" : event.action(), replica.broker, Map.of(), seen(replica), event);
        }
    }
}
