package io.tidemark.history.wgl;

/** The set of configurations that were met: a level with a state, and the set of open operations that were taken. */
final class Seen {
    private final int width;
    private long[] table;
    private int size;

    /**
     * An empty set.
     *
     * @param words of a set of open operations
     */
    Seen(int words) {
        this.width = words + 1;
        this.table = new long[64 * width];
    }

    /** Adds a configuration; false if it was there. */
    boolean add(int level, int state, long[] taken) {
        // Zero marks an empty place, and a level and a state could both be 0.
        long head = ((long) level << 32 | state) + 1;
        int at = find(table, head, taken, 0);
        if (table[at] != 0) {
            return false;
        }
        table[at] = head;
        System.arraycopy(taken, 0, table, at + 1, width - 1);
        if (++size * 2 > table.length / width) {
            grow();
        }
        return true;
    }

    private int find(long[] in, long head, long[] taken, int from) {
        int places = in.length / width;
        long hash = head * 0x9E3779B97F4A7C15L;
        for (int i = 0; i < width - 1; i++) {
            hash = (hash ^ hash >>> 29 ^ taken[from + i]) * 0xBF58476D1CE4E5B9L;
        }
        int place = (int) (hash ^ hash >>> 32) & places - 1;
        while (in[place * width] != 0 && !same(in, place * width, head, taken, from)) {
            place = place + 1 & places - 1;
        }
        return place * width;
    }

    private boolean same(long[] in, int at, long head, long[] taken, int from) {
        if (in[at] != head) {
            return false;
        }
        for (int i = 0; i < width - 1; i++) {
            if (in[at + 1 + i] != taken[from + i]) {
                return false;
            }
        }
        return true;
    }

    private void grow() {
        long[] old = table;
        long[] grown = new long[Math.multiplyExact(old.length, 2)];
        for (int at = 0; at < old.length; at += width) {
            if (old[at] != 0) {
                int to = find(grown, old[at], old, at + 1);
                System.arraycopy(old, at, grown, to, width);
            }
        }
        table = grown;
    }

    /** What the set takes when it next grows: twice what it takes now. */
    long bytesGrown() {
        return (long) table.length * Long.BYTES * 3;
    }

    boolean growsNext() {
        return (size + 1) * 2 > table.length / width;
    }

    long bytes() {
        return (long) table.length * Long.BYTES;
    }
}
