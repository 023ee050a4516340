package io.tidemark.conformance.trace;

import static io.tidemark.conformance.trace.ReplicaImage.field;
import static io.tidemark.conformance.trace.ReplicaImage.record;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Steps of replicas that take part. */
final class ReplicaEvents {
    private final PartitionSteps.Sink sink;
    private final ControllerImage controller;
    private final Map<String, ReplicaImage> replicas;
    private final FetchAnswers answers;
    private final SentRequests sent;

    ReplicaEvents(
            PartitionSteps.Sink sink,
            ControllerImage controller,
            Map<String, ReplicaImage> replicas,
            FetchAnswers answers,
            SentRequests sent) {
        this.sink = sink;
        this.controller = controller;
        this.replicas = replicas;
        this.answers = answers;
        this.sent = sent;
    }

    /**
     * Adds the steps.
     *
     * @param replica as the event leaves it
     * @param live of a fetch: its sender still waits for it
     */
    void take(TraceEvent event, ReplicaImage replica, boolean live) {
        JsonNode args = event.args();
        Map<String, Object> seen = replica.seen(controller.index(), controller.brokers());
        switch (event.action()) {
            case "HandleProduce" -> produce(event, replica, seen);
            case "PersistLog" -> observed(event, replica, record("upTo", replica.number("flushed")), seen);
            case "HandleFetch" -> fetch(event, replica, live, seen);
            case "FollowerRead" -> read(event, replica);
            case "HandleFetchResponse" -> fetched(event, replica, seen);
            case "ProposeExpandIsr" ->
                observed(
                        event,
                        replica,
                        record("follower", "b" + args.path("follower").asInt()),
                        seen);
            case "ReplicaLagTimeout" ->
                observed(event, replica, record("laggards", ReplicaImage.brokers(args.path("laggards"))), seen);
            case "HandleAlterPartitionResponse" -> {
                observed(event, replica, record("error", args.path("error").asText()), seen);
                replica.alterPartitionAnswer = false;
            }
            case "AckTimeout" -> observed(event, replica, record("left", field(seen, "pendingAcks")), seen);
            case "ApplyPartitionChange" -> {
                observed(event, replica, Map.of(), seen);
                replica.fetchAnswer &= !event.state().has("leaderEpoch");
                replica.alterPartitionAnswer &=
                        replica.get("isrState").path("pending").isObject();
            }
            case "ApplyFlushChange" ->
                observed(event, replica, record("every", args.path("messages").asLong() == 1), seen);
            default -> {
                if (CODE_ONLY.contains(event.action()) && event.state().isEmpty()) {
                    return;
                }
                observed(event, replica, Map.of(), seen);
            }
        }
    }

    private static final List<String> CODE_ONLY = List.of("ExpireProducers", "ReloadProducers");

    private void observed(TraceEvent event, ReplicaImage replica, Map<String, Object> args, Map<String, Object> seen) {
        sink.add(event.action(), replica.broker, args, seen, event);
    }

    private void hidden(String action, String at, Map<String, Object> args, TraceEvent event) {
        sink.add(action, at, args, Tla.NIL, event);
    }

    /** Records of one batch are appended one by one; the last one waits for all. */
    private void produce(TraceEvent event, ReplicaImage replica, Map<String, Object> seen) {
        JsonNode args = event.args();
        String acks =
                args.path("acks").asInt() == -1 ? "all" : args.path("acks").asText();
        JsonNode duplicate = args.path("duplicateOf");
        if (duplicate.isNumber()) {
            observed(event, replica, record("acks", acks, "offset", duplicate.asInt()), seen);
            return;
        }
        List<Integer> appended = new ArrayList<>();
        Object epochs = field(seen, "epochs");
        if (epochs instanceof List<?> all) {
            all.forEach(each -> appended.add(0));
        }
        for (int i = 1; i < args.path("records").asInt(); i++) {
            hidden("HandleProduce", replica.broker, record("acks", "0", "offset", -1), event);
        }
        Map<String, Object> last = seen;
        if (args.path("records").asInt() > 1) {
            // Each step before has appended one of them.
            last = record();
            last.putAll(seen);
            int earlier = Math.min(appended.size(), args.path("records").asInt() - 1);
            last.put("kept", (Integer) field(seen, "kept") + earlier);
            last.put("epochs", ((List<?>) field(seen, "epochs")).subList(earlier, appended.size()));
        }
        observed(event, replica, record("acks", acks, "offset", -1), last);
    }

    private void fetch(TraceEvent event, ReplicaImage replica, boolean live, Map<String, Object> seen) {
        String from = "b" + event.args().path("from").asInt();
        Map<String, Object> asked = asked(event, from);
        replica.fetchedAt(from, event.args().path("answer"));
        ReplicaImage sender = replicas.get(from);
        if (!live || sender == null) {
            sent.arrivesLate(asked);
            sink.add("LateFetch", replica.broker, record("asked", asked, "answer", answer(event)), seen, event);
            return;
        }
        if (sender.fetchAnswer) {
            hidden("LoseMessage", from, record("kind", "fetch"), event);
        }
        observed(event, replica, record("from", from, "asked", asked, "answer", answer(event)), seen);
        sender.answerOnItsWay(asked, event.args().path("answer"), replica.log);
        if (!answers.used(event)) {
            hidden("LoseMessage", from, record("kind", "fetch"), event);
            sender.fetchAnswer = false;
        }
    }

    /** Only an answer that is taken up matters. */
    private void read(TraceEvent event, ReplicaImage replica) {
        String from = "b" + event.args().path("from").asInt();
        ReplicaImage sender = replicas.get(from);
        if (sender == null || !answers.used(event)) {
            return;
        }
        Map<String, Object> asked = asked(event, from);
        hidden("FollowerRead", replica.broker, record("from", from, "asked", asked, "answer", answer(event)), event);
        sender.answerOnItsWay(asked, event.args().path("answer"), replica.log);
    }

    /** What the leader answers; Nil where the fetch waits. */
    private static Object answer(TraceEvent event) {
        JsonNode answer = event.args().path("answer");
        return answer.isObject()
                ? record(
                        "error", answer.path("error").asText(),
                        "hw", answer.path("hw").asInt(),
                        "logStart", answer.path("logStart").asInt(),
                        "diverging", end(answer.path("diverging")),
                        "upTo", answer.path("upTo").asInt())
                : Tla.NIL;
    }

    private static Object end(JsonNode diverging) {
        return diverging.isObject()
                ? record(
                        "epoch", diverging.path("epoch").asInt(),
                        "offset", diverging.path("offset").asInt())
                : Tla.NIL;
    }

    private Map<String, Object> asked(TraceEvent event, String from) {
        return SentRequests.fetch(
                from,
                PartitionSteps.asked(event.args(), event.node()),
                controller.index().epoch(from, event.args().path("brokerEpoch")));
    }

    private void fetched(TraceEvent event, ReplicaImage replica, Map<String, Object> seen) {
        JsonNode args = event.args();
        List<Integer> epochs = LogLines.epochs(args.path("records"));
        if (replica.fetchAnswer && epochs.size() < replica.recordsOnTheirWay()) {
            hidden("PartialAnswer", replica.broker, record("records", epochs.size()), event);
        }
        observed(
                event,
                replica,
                record(
                        "error",
                        args.path("error").asText(),
                        "hw",
                        args.path("hw").asInt(),
                        "logStart",
                        args.path("logStart").asInt(),
                        "diverging",
                        end(args.path("diverging")),
                        "epochs",
                        epochs),
                seen);
        replica.fetchAnswer = false;
    }
}
