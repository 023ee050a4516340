package io.tidemark.conformance.trace;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** A step that the specification is to take, for {@code Trace*.tla}. */
final class SpecStep {
    private final String action;
    private final String at;
    private final Object args;
    private final Object seen;
    private final int event;
    private final Map<String, Set<Object>> keep;

    /**
     * A step.
     *
     * @param at who acts
     * @param seen what was observed after it, {@link Tla#NIL} if nothing was
     * @param event index of the event that tells of it
     * @param kept names of sets of requests that the module may be told to keep
     */
    SpecStep(String action, String at, Object args, Object seen, int event, List<String> kept) {
        this.action = action;
        this.at = at;
        this.args = args;
        this.seen = seen;
        this.event = event;
        this.keep = new LinkedHashMap<>();
        kept.forEach(name -> keep.put(name, new LinkedHashSet<>()));
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

    /**
     * After it a live request is remembered: it arrives when its sender waits no more.
     *
     * @param kept one of the names that the step was made with
     * @param request whose it is, as the module understands it
     */
    void keep(String kept, Object request) {
        Objects.requireNonNull(keep.get(kept), kept).add(request);
    }

    /** As the module reads it. */
    String tla() {
        return Tla.text(ReplicaImage.record("do", action, "at", at, "x", args, "see", seen, "keep", keep));
    }
}
