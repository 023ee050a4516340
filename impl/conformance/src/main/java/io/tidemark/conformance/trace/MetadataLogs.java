package io.tidemark.conformance.trace;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The metadata log of each node as its quorum's lines have it: the epoch of every record. */
final class MetadataLogs {
    /** Of a record that went before the log was told. */
    private static final int FORGOTTEN = -1;

    private final Map<Integer, List<Integer>> logs = new HashMap<>();

    /** A new process tells its log from the start. */
    void restart(int node) {
        logs.remove(node);
    }

    /** Takes up a change of a node's log. */
    void take(int node, JsonNode change) {
        if (change.isObject()) {
            LogLines.change(logs.computeIfAbsent(node, id -> new ArrayList<>()), change);
        }
    }

    /** Where the node's log ends. */
    long end(int node) {
        return logs.getOrDefault(node, List.of()).size();
    }

    /** The epoch of the last record of the node's log; -1 where it holds none. */
    int lastEpoch(int node) {
        List<Integer> log = logs.getOrDefault(node, List.of());
        return log.isEmpty() ? -1 : log.get(log.size() - 1);
    }

    /** Whether the node's log has at that offset the record that was appended in the epoch. */
    boolean holds(int node, long offset, int epoch) {
        List<Integer> log = logs.getOrDefault(node, List.of());
        return offset < log.size() && (log.get((int) offset) == epoch || log.get((int) offset) == FORGOTTEN);
    }
}
