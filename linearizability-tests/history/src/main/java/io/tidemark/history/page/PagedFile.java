package io.tidemark.history.page;

import io.tidemark.history.check.HistoryResult;
import io.tidemark.history.engine.HistorySource;
import org.jspecify.annotations.Nullable;

/**
 * A history as the page tells of it.
 *
 * @param name of the file
 * @param history read once more, for what is around the witnesses
 * @param result null where it could not be checked
 * @param error why not, in words; null where it could
 */
public record PagedFile(
        String name,
        HistorySource history,
        @Nullable HistoryResult result,
        @Nullable String error) {}
