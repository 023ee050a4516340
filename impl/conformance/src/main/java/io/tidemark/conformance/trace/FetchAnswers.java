package io.tidemark.conformance.trace;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which event's answer each event takes up: the last one before it that says the same. Whatever was handled and is not taken up
 * by anybody was lost, or came too late.
 */
final class FetchAnswers {
    /** So many events may pass between a request and its answer: more than any time-out lasts. */
    private static final int FARTHEST = 20_000;

    private final Map<Integer, Integer> takenBy = new HashMap<>();

    /** @param events of one partition and of the controllers, in order */
    FetchAnswers(List<TraceEvent> events) {
        for (int i = 0; i < events.size(); i++) {
            TraceEvent event = events.get(i);
            TraceEvent source = event.action().equals("HandleFetchResponse")
                    ? answered(events, i, event)
                    : event.action().equals("HandleAlterPartitionResponse") ? altered(events, i, event) : null;
            if (source != null) {
                takenBy.put(source.index(), event.index());
            }
        }
    }

    /** Whether what is answered at the event is taken up. */
    boolean used(TraceEvent event) {
        return takenBy.containsKey(event.index());
    }

    private static @Nullable TraceEvent answered(List<TraceEvent> events, int at, TraceEvent response) {
        JsonNode args = response.args();
        for (int i = at - 1; i >= Math.max(0, at - FARTHEST); i--) {
            TraceEvent event = events.get(i);
            boolean handled = event.node() == args.path("from").asInt()
                    && event.args().path("from").asInt() == response.node()
                    && (event.action().equals("HandleFetch") || event.action().equals("FollowerRead"));
            if (handled && same(event.args(), args, "leaderEpoch", "offset", "lastEpoch")) {
                JsonNode answer = event.args().path("answer");
                if (same(answer, args, "error", "diverging", "hw", "logStart")) {
                    return event;
                }
            }
        }
        return null;
    }

    private static @Nullable TraceEvent altered(List<TraceEvent> events, int at, TraceEvent response) {
        for (int i = at - 1; i >= Math.max(0, at - FARTHEST); i--) {
            TraceEvent event = events.get(i);
            if (event.action().equals("HandleAlterPartition")
                    && event.args().path("broker").asInt() == response.node()) {
                for (JsonNode item : event.args().path("partitions")) {
                    boolean same = same(item, response.args(), "partition", "asked", "error")
                            && (!item.path("error").asText().equals("NONE")
                                    || same(item, response.args(), "leaderEpoch", "partitionEpoch", "isr"));
                    if (same) {
                        return event;
                    }
                }
            }
        }
        return null;
    }

    private static boolean same(JsonNode one, JsonNode other, String... names) {
        for (String name : names) {
            if (!one.path(name).equals(other.path(name))) {
                return false;
            }
        }
        return true;
    }
}
