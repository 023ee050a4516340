package io.tidemark.storage;

import io.tidemark.core.log.EpochStart;
import io.tidemark.core.log.ProducerEntry;
import java.util.List;

/**
 * A log as it was found on disk.
 *
 * @param epochs leader epochs that wrote, rising; derived from the log
 * @param producers producer state at the end of the log, by producer id
 * @param logStartOffset first offset that may be read
 * @param logEndOffset offset after the last record
 * @param repairs what was mended, a line each, to be logged as warnings; empty after an orderly stop
 */
public record Recovered(
        PartitionLog log,
        List<EpochStart> epochs,
        List<ProducerEntry> producers,
        long logStartOffset,
        long logEndOffset,
        List<String> repairs) {
    public Recovered {
        epochs = List.copyOf(epochs);
        producers = List.copyOf(producers);
        repairs = List.copyOf(repairs);
    }
}
