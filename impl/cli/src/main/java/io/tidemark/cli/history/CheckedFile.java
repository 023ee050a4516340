package io.tidemark.cli.history;

import io.tidemark.cli.contract.CliException;
import io.tidemark.history.check.HistoryResult;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A file and what the check said, or why it could not be checked: one of the two is there.
 *
 * @param error unreadable, malformed, or of no model
 */
record CheckedFile(
        Path file, @Nullable HistoryResult result, @Nullable CliException error) {}
