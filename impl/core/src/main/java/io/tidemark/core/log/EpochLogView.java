package io.tidemark.core.log;

import java.util.List;

/** The read side of an {@link EpochLog}. */
public interface EpochLogView {
    /** First offset that the log holds. */
    long logStart();

    /** The offset after the last record (LEO). */
    long endOffset();

    /**
     * The greatest epoch known: of the last record, or a leader's own that wrote nothing yet; else
     * {@link EpochLog#NO_EPOCH}.
     */
    int lastEpoch();

    /** Epoch of the record at {@code offset}; {@link EpochLog#NO_EPOCH} outside the log or before its first known epoch. */
    int epochAt(long offset);

    /**
     * The end of the last epoch that is at most {@code epoch}: that epoch, and the start of the next one, or the log's
     * end for the last epoch. Of an epoch below all known ones: itself and the first known start.
     * {@link EpochLog#UNDEFINED} for {@link EpochLog#NO_EPOCH} and for an epoch above all known ones.
     */
    OffsetAndEpoch endOffsetFor(int epoch);

    /** Every epoch and where it begins, ascending: the lines of {@code leader-epoch-checkpoint}. */
    List<EpochStart> starts();
}
