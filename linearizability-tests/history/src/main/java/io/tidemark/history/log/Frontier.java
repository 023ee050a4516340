package io.tidemark.history.log;

import java.util.Arrays;

/**
 * The highest position that completed operations had shown, as of any moment of the history: a row for each time at
 * which it rose.
 */
final class Frontier {
    static final long NONE = -1;

    private int size;
    private long[] moments = new long[16];
    private long[] positions = new long[16];

    /** Moments do not descend. */
    void raise(long moment, long position) {
        if (size > 0 && position <= positions[size - 1]) {
            return;
        }
        if (size == moments.length) {
            moments = Arrays.copyOf(moments, size * 2);
            positions = Arrays.copyOf(positions, size * 2);
        }
        moments[size] = moment;
        positions[size] = position;
        size++;
    }

    /** What was shown before that moment. */
    long before(long moment) {
        int at = Arrays.binarySearch(moments, 0, size, moment);
        int next = at >= 0 ? at : -at - 1;
        while (next > 0 && moments[next - 1] >= moment) {
            next--;
        }
        return next == 0 ? NONE : positions[next - 1];
    }

    long now() {
        return size == 0 ? NONE : positions[size - 1];
    }
}
