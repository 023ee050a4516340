package io.tidemark.core.log;

import java.util.List;

/**
 * What storage found when it opened a replica's log: the state that a core starts from.
 *
 * @param epochs leader epochs and where each begins, ascending in both
 * @param flushed the log is known to be on disk up to here, exclusive (after recovery: all of it); at most the end offset
 * @param hw high watermark of the checkpoint, brought within the log
 */
public record LogState(
        long logStart, long logEnd, long flushed, long hw, List<EpochStart> epochs, List<ProducerEntry> producers) {
    public LogState {
        epochs = List.copyOf(epochs);
        producers = List.copyOf(producers);
    }

    public static LogState empty() {
        return new LogState(0, 0, 0, 0, List.of(), List.of());
    }
}
