package io.tidemark.conformance.trace;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * A line of a trace.
 *
 * @param index of the line among the events, from 1
 * @param cause of a message that was received: which one it was, as its sender has it in {@code args}; else null
 * @param args what the input said
 * @param state what changed of the variables
 */
public record TraceEvent(
        int index, int node, long nodeSeq, JsonNode cause, String action, JsonNode args, JsonNode state) {
    /** The same as another line of a merged trace. */
    TraceEvent at(int otherIndex) {
        return new TraceEvent(otherIndex, node, nodeSeq, cause, action, args, state);
    }
}
