package io.tidemark.history.wgl;

import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * When operations of a {@link Problem} begin and end. Level k is the moment at which the k-th of those that ended does;
 * open at a level is what had begun and not ended before. An open operation has a slot of its own, which another one takes
 * over later, so that a set of open operations is a few words however long the history is.
 */
final class Schedule {
    /** The operation that ends at each level. */
    final int[] ending;
    /** Operations in the order in which they begin. */
    final int[] begun;
    /** How many of {@link #begun} have begun at each level; one more entry, for what is behind the last level. */
    final int[] begunAt;
    /** The slot of each operation. */
    final int[] slot;

    /** The level at which each operation ends; the number of levels where it never does. */
    final int[] endLevel;

    final int slots;
    /** Words of a set of slots. */
    final int words;

    Schedule(Problem problem) {
        int n = problem.size();
        begun = sorted(n, i -> problem.invokedAt[i]);
        int[] ended = sorted(n, i -> problem.endedAt[i]);
        int levels = n;
        while (levels > 0 && problem.endedAt[ended[levels - 1]] == Call.NEVER) {
            levels--;
        }
        ending = Arrays.copyOf(ended, levels);
        begunAt = new int[levels + 1];
        slot = new int[n];
        endLevel = new int[n];
        Arrays.fill(endLevel, levels);
        for (int level = 0; level < levels; level++) {
            endLevel[ending[level]] = level;
        }
        BitSet taken = new BitSet();
        int most = 0;
        int next = 0;
        for (int level = 0; level < levels; level++) {
            while (next < n && problem.invokedAt[begun[next]] < problem.endedAt[ending[level]]) {
                int free = taken.nextClearBit(0);
                taken.set(free);
                most = Math.max(most, free + 1);
                slot[begun[next++]] = free;
            }
            begunAt[level] = next;
            taken.clear(slot[ending[level]]);
        }
        begunAt[levels] = next;
        slots = most;
        words = Math.max(1, (most + 63) / 64);
    }

    int levels() {
        return ending.length;
    }

    private interface Column {
        int at(int i);
    }

    private static int[] sorted(int n, Column column) {
        return IntStream.range(0, n)
                .boxed()
                .sorted(Comparator.comparingInt((Integer i) -> column.at(i)).thenComparing(i -> i))
                .mapToInt(i -> i)
                .toArray();
    }

    long bytes() {
        return (long) (ending.length + begun.length + begunAt.length + slot.length) * Integer.BYTES;
    }
}
