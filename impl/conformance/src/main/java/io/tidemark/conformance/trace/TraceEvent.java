package io.tidemark.conformance.trace;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * A line of a trace.
 *
 * @param index of the line among the events, from 1
 * @param args what the input said
 * @param state what changed of the variables
 */
public record TraceEvent(int index, int node, long nodeSeq, String action, JsonNode args, JsonNode state) {}
