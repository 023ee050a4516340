package io.tidemark.core.log;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The shape of a replica's log: where it starts, where it ends, and which leader epoch wrote which offsets (KIP-101,
 * KIP-279). Mutable, owned by one state machine. Epoch starts ascend strictly in both epoch and offset; all are at most
 * the end offset, and only a leader's own epoch may begin at the end itself ({@link #beginEpoch}).
 */
public final class EpochLog {
    /** No epoch: of an empty log, or of an offset that it does not hold. */
    public static final int NO_EPOCH = -1;

    /** What {@link #endOffsetFor} answers for an epoch that this log cannot place. */
    public static final OffsetAndEpoch UNDEFINED = new OffsetAndEpoch(-1L, NO_EPOCH);

    private long logStart;
    private long endOffset;
    private int size;
    private int[] epochs;
    private long[] startOffsets;

    public EpochLog() {
        this(0, 0, List.of());
    }

    public EpochLog(LogState state) {
        this(state.logStart(), state.logEnd(), state.epochs());
    }

    /** @throws IllegalArgumentException if the starts do not ascend or lie outside the log */
    public EpochLog(long logStart, long endOffset, List<EpochStart> starts) {
        if (logStart < 0 || endOffset < logStart) {
            throw new IllegalArgumentException("log from " + logStart + " to " + endOffset);
        }
        this.logStart = logStart;
        this.endOffset = endOffset;
        this.epochs = new int[Math.max(4, starts.size())];
        this.startOffsets = new long[epochs.length];
        for (EpochStart start : starts) {
            boolean ascends = start.epoch() > lastEpoch()
                    && start.startOffset() >= (size == 0 ? logStart : startOffsets[size - 1] + 1)
                    && start.startOffset() <= endOffset;
            if (!ascends) {
                throw new IllegalArgumentException(
                        start + " does not follow " + starts() + " in a log from " + logStart + " to " + endOffset);
            }
            push(start.epoch(), start.startOffset());
        }
    }

    /** First offset that the log holds. */
    public long logStart() {
        return logStart;
    }

    /** The offset after the last record (LEO). */
    public long endOffset() {
        return endOffset;
    }

    /** The greatest epoch known: of the last record, or a leader's own that wrote nothing yet; else {@link #NO_EPOCH}. */
    public int lastEpoch() {
        return size == 0 ? NO_EPOCH : epochs[size - 1];
    }

    /** Epoch of the record at {@code offset}; {@link #NO_EPOCH} outside the log or before its first known epoch. */
    public int epochAt(long offset) {
        if (offset < logStart || offset >= endOffset) {
            return NO_EPOCH;
        }
        int i = lastStartAtMost(offset);
        return i < 0 ? NO_EPOCH : epochs[i];
    }

    /**
     * The end of the last epoch that is at most {@code epoch}: that epoch, and the start of the next one, or the log's
     * end for the last epoch. Of an epoch below all known ones: itself and the first known start. {@link #UNDEFINED} for
     * {@link #NO_EPOCH} and for an epoch above all known ones.
     */
    public OffsetAndEpoch endOffsetFor(int epoch) {
        if (epoch == NO_EPOCH || epoch > lastEpoch()) {
            return UNDEFINED;
        }
        if (epoch == lastEpoch()) {
            return new OffsetAndEpoch(endOffset, epoch);
        }
        int i = Arrays.binarySearch(epochs, 0, size, epoch);
        int floor = i >= 0 ? i : -i - 2;
        return new OffsetAndEpoch(startOffsets[floor + 1], floor < 0 ? epoch : epochs[floor]);
    }

    /**
     * Records of one epoch, from {@code startOffset} up to {@code nextOffset} (exclusive), were appended. A start beyond
     * the end leaves a gap, as compaction does.
     *
     * @throws IllegalArgumentException if they are empty, begin below the end, or are of an epoch below the last one
     */
    public void append(int epoch, long startOffset, long nextOffset) {
        if (epoch < 0 || epoch < lastEpoch() || startOffset < endOffset || nextOffset <= startOffset) {
            throw new IllegalArgumentException("records " + startOffset + " to " + nextOffset + " of epoch " + epoch
                    + " cannot follow the log's end " + endOffset + " of epoch " + lastEpoch());
        }
        begin(epoch, startOffset);
        endOffset = nextOffset;
    }

    /** A leader's epoch begins at the end before it wrote a record; an epoch that wrote none is replaced. */
    public void beginEpoch(int epoch) {
        if (epoch < 0 || epoch < lastEpoch()) {
            throw new IllegalArgumentException("epoch " + epoch + " is below the last one, " + lastEpoch());
        }
        begin(epoch, endOffset);
    }

    private void begin(int epoch, long startOffset) {
        if (epoch == lastEpoch()) {
            return;
        }
        while (size > 0 && startOffsets[size - 1] >= startOffset) {
            size--;
        }
        push(epoch, startOffset);
    }

    /** Drops what is at or past {@code offset}; at or past the end nothing happens; below the start the log is empty there. */
    public void truncateTo(long offset) {
        if (offset < 0) {
            throw new IllegalArgumentException("offset " + offset + " is negative");
        }
        if (offset >= endOffset) {
            return;
        }
        while (size > 0 && startOffsets[size - 1] >= offset) {
            size--;
        }
        endOffset = offset;
        logStart = Math.min(logStart, offset);
    }

    /** Drops everything: the log is empty and starts at {@code offset}. */
    public void truncateFullyAt(long offset) {
        if (offset < 0) {
            throw new IllegalArgumentException("offset " + offset + " is negative");
        }
        size = 0;
        logStart = offset;
        endOffset = offset;
    }

    /**
     * The log now starts at {@code offset} (retention, deleted records); the epoch in force there keeps its entry, even
     * when no record is left. A lower offset than the present start changes nothing.
     */
    public void advanceLogStart(long offset) {
        if (offset > endOffset) {
            throw new IllegalArgumentException("log start " + offset + " is beyond the end " + endOffset);
        }
        if (offset <= logStart) {
            return;
        }
        int kept = lastStartAtMost(offset);
        if (kept >= 0) {
            size -= kept;
            System.arraycopy(epochs, kept, epochs, 0, size);
            System.arraycopy(startOffsets, kept, startOffsets, 0, size);
            startOffsets[0] = offset;
        }
        logStart = offset;
    }

    /** Every epoch and where it begins, ascending: the lines of {@code leader-epoch-checkpoint}. */
    public List<EpochStart> starts() {
        List<EpochStart> all = new ArrayList<>(size);
        for (int i = 0; i < size; i++) {
            all.add(new EpochStart(epochs[i], startOffsets[i]));
        }
        return List.copyOf(all);
    }

    private int lastStartAtMost(long offset) {
        int i = Arrays.binarySearch(startOffsets, 0, size, offset);
        return i >= 0 ? i : -i - 2;
    }

    private void push(int epoch, long startOffset) {
        if (size == epochs.length) {
            epochs = Arrays.copyOf(epochs, size * 2);
            startOffsets = Arrays.copyOf(startOffsets, size * 2);
        }
        epochs[size] = epoch;
        startOffsets[size++] = startOffset;
    }

    @Override
    public String toString() {
        return "[" + logStart + ", " + endOffset + ") " + starts();
    }
}
