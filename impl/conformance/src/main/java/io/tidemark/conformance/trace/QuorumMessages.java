package io.tidemark.conformance.trace;

import static io.tidemark.conformance.trace.ReplicaImage.record;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Requests and answers of the quorum as module {@code Quorum} has them, and which answer is taken up where. */
final class QuorumMessages {
    /** So many events may pass between a request and its answer: more than any time-out lasts. */
    private static final int FARTHEST = 20_000;

    private static final Set<String> FETCHES = Set.of("HandleMetadataFetch", "MetadataRead");

    private final Directories directories;
    private final Map<Integer, Integer> takenBy = new HashMap<>();

    /** @param events of the quorum, in order */
    QuorumMessages(List<TraceEvent> events, Directories directories) {
        this.directories = directories;
        for (int i = 0; i < events.size(); i++) {
            TraceEvent event = events.get(i);
            boolean vote = event.action().equals("HandleVoteResponse");
            if (vote || (event.action().equals("HandleMetadataFetchResponse") && tellsNews(event))) {
                TraceEvent source = source(events, i, vote ? Set.of("HandleVoteRequest") : FETCHES);
                if (source != null) {
                    takenBy.put(source.index(), event.index());
                }
            }
        }
    }

    /** Whether an answer to a fetch should change anything; a fetch that waited in vain is answered, too. */
    static boolean tellsNews(TraceEvent response) {
        return !response.state().isEmpty()
                || !response.args().path("records").isEmpty()
                || response.args().path("answer").path("diverging").isObject();
    }

    /**
     * Where the answer was given. A fetch may be answered by anybody, and its answer does not say by whom. Where nobody has
     * given this answer, whoever was asked last has given another one, and the two are held against each other.
     */
    private @Nullable TraceEvent source(List<TraceEvent> events, int at, Set<String> actions) {
        TraceEvent response = events.get(at);
        JsonNode args = response.args();
        TraceEvent asked = null;
        for (int i = at - 1; i >= Math.max(0, at - FARTHEST); i--) {
            TraceEvent event = events.get(i);
            if (event.node() == args.path("from").asInt(event.node())
                    && actions.contains(event.action())
                    && says(event.args(), args.path("asked"))) {
                if (says(event.args().path("answer"), args.path("answer"))) {
                    return event;
                }
                asked = asked == null && !takenBy.containsKey(event.index()) ? event : asked;
            }
        }
        return asked;
    }

    /** Whether all fields of the other have these values here. */
    private static boolean says(JsonNode here, JsonNode other) {
        return here.isObject()
                && other.properties().stream()
                        .allMatch(field -> field.getValue().equals(here.path(field.getKey())));
    }

    /** Where the answer that is given at the event is taken up; null where it never is. */
    @Nullable
    Integer takenAt(TraceEvent event) {
        return takenBy.get(event.index());
    }

    Map<String, Object> vote(JsonNode asked, int to) {
        int from = asked.path("from").asInt();
        return record(
                "kind", "vote",
                "from", "n" + from,
                "to", "n" + to,
                "epoch", asked.path("epoch").asInt(),
                "candidate", directories.key(from, asked.path("candidate")),
                "voter", directories.key(to, asked.path("voter")),
                "offset", asked.path("offset").asInt(),
                "lastEpoch", asked.path("lastEpoch").asInt(),
                "pre", asked.path("pre").asBoolean());
    }

    Map<String, Object> voteAnswer(JsonNode answer, int from, int to) {
        return record(
                "from", "n" + from,
                "to", "n" + to,
                "epoch", answer.path("epoch").asInt(),
                "leader", QuorumImage.nodeOrNil(answer.path("leader").asInt(-1)),
                "ok", answer.path("error").asText().equals("NONE"),
                "granted", answer.path("granted").asBoolean());
    }

    static Map<String, Object> news(String kind, TraceEvent event) {
        return record(
                "kind",
                kind,
                "from",
                "n" + event.args().path("from").asInt(),
                "to",
                "n" + event.node(),
                "epoch",
                event.args().path("epoch").asInt());
    }

    Map<String, Object> fetch(JsonNode asked, int to) {
        int from = asked.path("from").asInt();
        return record(
                "kind", "fetch",
                "from", "n" + from,
                "to", "n" + to,
                "epoch", asked.path("epoch").asInt(),
                "key", directories.key(from, asked.path("directory")),
                "offset", asked.path("offset").asInt(),
                "lastEpoch", asked.path("lastEpoch").asInt(),
                "hw", asked.path("hw").asInt());
    }

    /** What a fetch says, to whomever. */
    Map<String, Object> asked(JsonNode asked) {
        return record(
                "epoch", asked.path("epoch").asInt(),
                "key", directories.key(asked.path("from").asInt(), asked.path("directory")),
                "offset", asked.path("offset").asInt(),
                "lastEpoch", asked.path("lastEpoch").asInt(),
                "hw", asked.path("hw").asInt());
    }

    static Map<String, Object> fetchAnswer(JsonNode answer) {
        JsonNode end = answer.path("diverging");
        return record(
                "ok", answer.path("error").asText().equals("NONE"),
                "epoch", answer.path("epoch").asInt(),
                "leader", QuorumImage.nodeOrNil(answer.path("leader").asInt(-1)),
                "hw", answer.path("hw").asInt(),
                "end",
                        end.isObject()
                                ? record(
                                        "epoch", end.path("epoch").asInt(),
                                        "offset", end.path("offset").asInt())
                                : Tla.NIL);
    }

    /** The answer as its asker has got it. */
    static Map<String, Object> arrived(TraceEvent response) {
        Map<String, Object> answer = fetchAnswer(response.args().path("answer"));
        answer.put("epochs", new ArrayList<>(LogLines.epochs(response.args().path("records"))));
        return answer;
    }
}
