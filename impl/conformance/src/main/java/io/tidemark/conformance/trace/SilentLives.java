package io.tidemark.conformance.trace;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Lives of a node that begin with more on disk than the lives before them have told: a later epoch, a vote, or a longer
 * metadata log. A process tells of a step before its effects are carried out, so another one has worked on that disk and kept
 * no trace, or the machine has lost the end of the trace, which nobody fsyncs. Either way nothing can be said of what follows.
 *
 * <p>A life without a trace that has left less than that shows in what others have received of it, or not at all.
 */
final class SilentLives {
    /** What a node has told of its disk so far. */
    private static final class Told {
        private int epoch = -1;
        private boolean voted;
        private long end;

        /** What the disk holds more than was told; null if nothing. */
        private @Nullable String more(JsonNode opened) {
            int now = opened.path("currentEpoch").asInt(-1);
            long leo = opened.path("log").path("leo").asLong(0);
            if (now > epoch) {
                return "epoch " + now + ", and has told of none after " + epoch;
            } else if (leo > end) {
                return "a metadata log of " + leo + " records, and has told of " + end;
            }
            return now == epoch && !voted && opened.path("votedKey").isObject()
                    ? "a vote in epoch " + now + ", and has told of none"
                    : null;
        }

        private void take(JsonNode state) {
            int now = state.path("currentEpoch").asInt(epoch);
            voted = (voted && now <= epoch) || state.path("votedKey").isObject();
            epoch = Math.max(epoch, now);
            end = Math.max(end, state.path("log").path("leo").asLong(0));
        }
    }

    private final Map<Integer, Told> told = new HashMap<>();
    private final Map<TraceEvent, String> found = new HashMap<>();

    /** @param events of processes that may have been started without a trace between */
    SilentLives(List<TraceEvent> events) {
        Map<Integer, TraceEvent> begins = new HashMap<>();
        for (TraceEvent event : events) {
            Told node = told.get(event.node());
            if (event.action().equals("RestartBroker")) {
                begins.put(event.node(), event);
            } else if (QuorumSteps.tells(event)) {
                String more = node != null && event.action().equals("RestartNode") ? node.more(event.state()) : null;
                TraceEvent begin = begins.get(event.node());
                if (more != null && begin != null) {
                    found.put(begin, more);
                }
                told.computeIfAbsent(event.node(), id -> new Told()).take(event.state());
            }
        }
    }

    /** What the life that begins with the event has more on disk than was told, in words; null where it is none. */
    @Nullable
    String more(TraceEvent event) {
        return event.action().equals("RestartBroker") ? found.get(event) : null;
    }
}
