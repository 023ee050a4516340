package io.tidemark.history.check;

import io.tidemark.history.engine.EngineResult;
import io.tidemark.history.engine.Finding;
import io.tidemark.history.engine.HistoryModel;
import io.tidemark.history.engine.Outcome;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a check says of one history.
 *
 * @param code a stable name for why the outcome is UNKNOWN, null otherwise
 * @param cause the same in words
 * @param operations invocations; of these ok, fail and info completed so
 * @param finalRead whether a final read was completed
 * @param partitionsFinallyRead the partitions of a log that final reads name
 * @param partitionsReadWhole those of them that a final read has read to their end
 */
public record HistoryResult(
        Outcome outcome,
        @Nullable String code,
        @Nullable String cause,
        HistoryModel model,
        long operations,
        long ok,
        long fail,
        long info,
        int processes,
        boolean finalRead,
        int partitionsFinallyRead,
        int partitionsReadWhole,
        List<EngineResult> engines) {
    public HistoryResult {
        engines = List.copyOf(engines);
    }

    /** What the engine that decided found; empty where none did. */
    public List<Finding> findings() {
        return engines.stream()
                .filter(engine -> engine.outcome() == outcome)
                .findFirst()
                .or(() -> engines.stream().findFirst())
                .map(EngineResult::findings)
                .orElse(List.of());
    }
}
