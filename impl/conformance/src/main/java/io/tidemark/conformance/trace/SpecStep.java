package io.tidemark.conformance.trace;

import java.util.Map;
import java.util.TreeSet;

/** A step that the specification is to take, for {@code Trace*.tla}. */
final class SpecStep {
    private final String action;
    private final String at;
    private final Map<String, Object> args;
    private final Object seen;
    private final int event;
    private final TreeSet<String> keepFetch = new TreeSet<>();
    private final TreeSet<String> keepAlterPartition = new TreeSet<>();

    /**
     * A step.
     *
     * @param at who acts
     * @param seen what was observed after it, {@link Tla#NIL} if nothing was
     * @param event index of the event that tells of it
     */
    SpecStep(String action, String at, Map<String, Object> args, Object seen, int event) {
        this.action = action;
        this.at = at;
        this.args = args;
        this.seen = seen;
        this.event = event;
    }

    String action() {
        return action;
    }

    String at() {
        return at;
    }

    int event() {
        return event;
    }

    Object seen() {
        return seen;
    }

    /** After it the live fetch of {@code broker} is remembered: it arrives when its sender waits no more. */
    void keepFetch(String broker) {
        keepFetch.add(broker);
    }

    void keepAlterPartition(String broker) {
        keepAlterPartition.add(broker);
    }

    /** As the module reads it. */
    String tla() {
        return Tla.text(new java.util.LinkedHashMap<>(Map.of(
                "do", action,
                "at", at,
                "x", args,
                "see", seen,
                "keep", Map.of("fetch", keepFetch, "alterPartition", keepAlterPartition))));
    }
}
