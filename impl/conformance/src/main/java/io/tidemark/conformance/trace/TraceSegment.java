package io.tidemark.conformance.trace;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What one run of TLC is to follow.
 *
 * @param subject what the trace is followed for: a partition, {@code quorum} or {@code controller}
 * @param module the module whose steps they are
 * @param constants of the module, by name: values of TLA+ as {@link Tla} writes them; those of the trace itself apart
 * @param replaced definitions that the module has a better one for where a trace is followed, and that one
 * @param start the state in which the steps begin; empty where there are none
 * @param events how many events the steps tell of
 * @param last index of the last event that was read
 * @param ends why the module can follow no further than that; null where it can
 */
record TraceSegment(
        String subject,
        String module,
        Map<String, Object> constants,
        Map<String, String> replaced,
        Map<String, Object> start,
        List<SpecStep> steps,
        int events,
        int last,
        @Nullable String ends) {
    TraceSegment {
        constants = new LinkedHashMap<>(constants);
        replaced = new LinkedHashMap<>(replaced);
        start = new LinkedHashMap<>(start);
        steps = List.copyOf(steps);
    }
}
