package io.tidemark.history.engine;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one engine says of one history.
 *
 * @param cause why the outcome is UNKNOWN, in words; null otherwise
 * @param durationMs from the first operation read to the verdict
 * @param peakBytes what the engine's own tables took at most
 * @param notes what the verdict says nothing about
 */
public record EngineResult(
        String engine,
        Outcome outcome,
        @Nullable String cause,
        long durationMs,
        long peakBytes,
        List<Finding> findings,
        List<String> notes) {
    public EngineResult {
        findings = List.copyOf(findings);
        notes = List.copyOf(notes);
    }
}
