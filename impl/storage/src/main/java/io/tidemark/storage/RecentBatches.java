package io.tidemark.storage;

import io.tidemark.core.log.BatchHeader;

/**
 * The newest batches of the active segment, so that a read at the tail and the position of the high watermark cost no look
 * into a file. A ring of consecutive batches: if it covers an offset, its answer is exact.
 */
final class RecentBatches {
    private static final int CAPACITY = 32;

    private final long[] lastOffsets = new long[CAPACITY];
    private final long[] baseOffsets = new long[CAPACITY];
    private final int[] positions = new int[CAPACITY];
    private long added;
    private long oldest;

    void add(BatchHeader header, int position) {
        int slot = (int) (added % CAPACITY);
        baseOffsets[slot] = header.baseOffset();
        lastOffsets[slot] = header.lastOffset();
        positions[slot] = position;
        added++;
        oldest = Math.max(oldest, added - CAPACITY);
    }

    void clear() {
        oldest = added;
    }

    /** Position of the first batch that ends at or after {@code offset}; -1 if the ring does not know. */
    int positionOf(long offset) {
        if (oldest == added || offset < baseOffsets[(int) (oldest % CAPACITY)]) {
            return -1;
        }
        long low = oldest;
        long high = added;
        while (low < high) {
            long middle = (low + high) >>> 1;
            if (lastOffsets[(int) (middle % CAPACITY)] < offset) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low == added ? -1 : positions[(int) (low % CAPACITY)];
    }

    /** The last start of a batch at or below {@code position}; -1 if the ring does not know. */
    int boundary(int position) {
        if (oldest == added || position < positions[(int) (oldest % CAPACITY)]) {
            return -1;
        }
        long low = oldest;
        long high = added;
        while (low < high) {
            long middle = (low + high) >>> 1;
            if (positions[(int) (middle % CAPACITY)] <= position) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return positions[(int) ((low - 1) % CAPACITY)];
    }
}
