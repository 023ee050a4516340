package io.tidemark.conformance.trace;

import static io.tidemark.conformance.trace.ReplicaImage.field;
import static io.tidemark.conformance.trace.ReplicaImage.record;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import java.util.Set;

/** Steps of the active controller. */
final class ControllerEvents {
    static final Set<String> NAMES = Set.of(
            "HandleBrokerRegistration",
            "HandleBrokerHeartbeat",
            "BrokerSessionTimeout",
            "HandleAlterPartition",
            "HandleElectLeaders",
            "PreferredLeaderTimeout",
            "UncleanElectionTimeout",
            "HandleAlterMinIsr",
            "CommitMetadata",
            "Activate",
            "Deactivate");

    private final PartitionSteps.Sink sink;
    private final ControllerImage controller;
    private final Map<String, ReplicaImage> replicas;
    private final FetchAnswers answers;
    private final SentRequests sent;
    private final String partition;

    ControllerEvents(
            PartitionSteps.Sink sink,
            ControllerImage controller,
            Map<String, ReplicaImage> replicas,
            FetchAnswers answers,
            SentRequests sent,
            String partition) {
        this.sink = sink;
        this.controller = controller;
        this.replicas = replicas;
        this.answers = answers;
        this.sent = sent;
        this.partition = partition;
    }

    /** @param appended how many records of the event concern the partition */
    void take(TraceEvent event, int appended) {
        JsonNode args = event.args();
        String broker = "b" + args.path("broker").asInt();
        if (event.action().equals("HandleAlterPartition")) {
            args.path("partitions").forEach(item -> {
                if (item.path("partition").asText().equals(partition)) {
                    alter(event, broker, item, appended);
                }
            });
            return;
        }
        if (appended == 0) {
            return;
        }
        Map<String, Object> x = switch (event.action()) {
            case "HandleBrokerRegistration" ->
                record(
                        "incarnation",
                        controller.lives().getOrDefault(args.path("incarnation").asText(), -1),
                        "previousBrokerEpoch",
                        controller.index().epoch(broker, args.path("previousBrokerEpoch")),
                        "unclean",
                        controller.unclean());
            case "HandleBrokerHeartbeat" ->
                record(
                        "want",
                        wanted(args),
                        "brokerEpoch",
                        controller.index().epoch(broker, args.path("brokerEpoch")),
                        "unclean",
                        controller.unclean());
            case "BrokerSessionTimeout", "UncleanElectionTimeout" -> record("unclean", controller.unclean());
            case "HandleElectLeaders" -> record("mode", args.path("mode").asText());
            case "HandleAlterMinIsr" -> record("minIsr", controller.minIsr());
            default -> Map.of();
        };
        sink.add(event.action(), args.has("broker") ? broker : "b" + event.node(), x, controller.seen(), event);
    }

    /** What a broker's heartbeat asks for; a broker that is fenced and stays so asks for nothing that a module has. */
    private static String wanted(JsonNode args) {
        return args.path("wantShutDown").asBoolean()
                ? "shutdown"
                : args.path("wantFence").asBoolean() ? "fence" : "run";
    }

    /** A change of the ISR: of the leader's live request, or of one that it waits for no more. */
    private void alter(TraceEvent event, String broker, JsonNode item, int appended) {
        ReplicaImage leader = replicas.get(broker);
        if (leader == null || (appended == 0 && !answers.used(event))) {
            return;
        }
        Map<String, Object> asked = asked(event, broker, item.path("asked"));
        boolean live = leader.alive()
                && leader.leads()
                && leader.get("isrState").path("pending").isObject()
                && SentRequests.alterPartitionOf(leader, controller.index()).equals(asked);
        if (!live) {
            sent.arrivesLate(asked);
            sink.add("LateAlterPartition", broker, record("asked", asked), controller.seen(), event);
            return;
        }
        if (leader.alterPartitionAnswer) {
            sink.add("LoseMessage", broker, record("kind", "alterPartition"), Tla.NIL, event);
        }
        Map<String, Object> answer = record(
                "error", item.path("error").asText(),
                "leaderEpoch", item.path("leaderEpoch").asInt(),
                "partitionEpoch", item.path("partitionEpoch").asInt(),
                "isr", ReplicaImage.brokers(item.path("isr")),
                "offset", controller.index().end());
        sink.add("HandleAlterPartition", broker, record("asked", asked, "answer", answer), controller.seen(), event);
        leader.alterPartitionAnswer(answer);
        if (!answers.used(event)) {
            sink.add("LoseMessage", broker, record("kind", "alterPartition"), Tla.NIL, event);
            leader.alterPartitionAnswer = false;
        }
    }

    private Map<String, Object> asked(TraceEvent event, String broker, JsonNode asked) {
        Map<String, Object> members = ReplicaImage.pending(asked.path("isr"), controller.index());
        return record(
                "type",
                "alterPartition",
                "from",
                broker,
                "brokerEpoch",
                controller.index().epoch(broker, event.args().path("brokerEpoch")),
                "leaderEpoch",
                asked.path("leaderEpoch").asInt(),
                "partitionEpoch",
                asked.path("partitionEpoch").asInt(),
                "isr",
                field(members, "isr"),
                "epochs",
                field(members, "epochs"));
    }
}
