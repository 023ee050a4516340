package io.tidemark.history.columns;

import java.util.Arrays;

/** Open addressing from long to int, without boxing; -1 stands for absent, so values are not negative. */
public final class LongIntMap {
    public static final int ABSENT = -1;

    private long[] keys = new long[64];
    private int[] values = new int[64];
    private int size;

    public LongIntMap() {
        Arrays.fill(values, ABSENT);
    }

    /** Keys that are present. */
    public int size() {
        return size;
    }

    /** The value of a key, {@link #ABSENT} if it has none. */
    public int get(long key) {
        return values[slot(key)];
    }

    /** Puts a value that is not negative, in place of the one that is there. */
    public void put(long key, int value) {
        int slot = slot(key);
        if (values[slot] == ABSENT) {
            size++;
            keys[slot] = key;
        }
        values[slot] = value;
        if (size * 2 > keys.length) {
            grow();
        }
    }

    /** Keeps the value that is there, if any, and returns it; otherwise puts the new one and returns -1. */
    public int putIfAbsent(long key, int value) {
        int present = get(key);
        if (present == ABSENT) {
            put(key, value);
        }
        return present;
    }

    /** What the table takes. */
    public long bytes() {
        return (long) keys.length * (Long.BYTES + Integer.BYTES);
    }

    /** All keys, ascending. */
    public long[] sortedKeys() {
        long[] sorted = new long[size];
        int n = 0;
        for (int i = 0; i < keys.length; i++) {
            if (values[i] != ABSENT) {
                sorted[n++] = keys[i];
            }
        }
        Arrays.sort(sorted);
        return sorted;
    }

    private int slot(long key) {
        int mask = keys.length - 1;
        long mixed = key * 0x9E3779B97F4A7C15L;
        int slot = (int) (mixed ^ mixed >>> 32) & mask;
        while (values[slot] != ABSENT && keys[slot] != key) {
            slot = slot + 1 & mask;
        }
        return slot;
    }

    private void grow() {
        long[] oldKeys = keys;
        int[] oldValues = values;
        keys = new long[oldKeys.length * 2];
        values = new int[keys.length];
        Arrays.fill(values, ABSENT);
        for (int i = 0; i < oldKeys.length; i++) {
            if (oldValues[i] != ABSENT) {
                int slot = slot(oldKeys[i]);
                keys[slot] = oldKeys[i];
                values[slot] = oldValues[i];
            }
        }
    }
}
