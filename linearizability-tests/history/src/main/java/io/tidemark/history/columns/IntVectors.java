package io.tidemark.history.columns;

import java.util.Arrays;

/** Numbers vectors of a fixed length: equal vectors have the same number, from 0 in the order in which they were met. */
public final class IntVectors {
    private static final int ABSENT = -1;

    private final int length;
    private int size;
    private int[] items;
    private int[] slots = new int[64];

    /**
     * An empty numbering.
     *
     * @param length of each vector
     */
    public IntVectors(int length) {
        this.length = length;
        this.items = new int[Math.max(1, length) * 16];
        Arrays.fill(slots, ABSENT);
    }

    /** The vector's number. */
    public int number(int[] vector) {
        int slot = slot(vector, 0);
        if (slots[slot] != ABSENT) {
            return slots[slot];
        }
        int number = size++;
        if ((number + 1) * length > items.length) {
            items = Arrays.copyOf(items, items.length * 2);
        }
        System.arraycopy(vector, 0, items, number * length, length);
        slots[slot] = number;
        if (size * 2 > slots.length) {
            grow();
        }
        return number;
    }

    /** Copies a vector that was numbered. */
    public void get(int number, int[] into) {
        System.arraycopy(items, number * length, into, 0, length);
    }

    public int item(int number, int index) {
        return items[number * length + index];
    }

    public long bytes() {
        return (long) (items.length + slots.length) * Integer.BYTES;
    }

    private int slot(int[] vector, int from) {
        int mask = slots.length - 1;
        int slot = hash(vector, from) & mask;
        while (slots[slot] != ABSENT && !equal(slots[slot], vector, from)) {
            slot = slot + 1 & mask;
        }
        return slot;
    }

    private boolean equal(int number, int[] vector, int from) {
        return Arrays.equals(items, number * length, (number + 1) * length, vector, from, from + length);
    }

    private int hash(int[] vector, int from) {
        int hash = 1;
        for (int i = from; i < from + length; i++) {
            hash = hash * 31 + vector[i];
        }
        hash *= 0x9E3779B9;
        return hash ^ hash >>> 15;
    }

    private void grow() {
        slots = new int[slots.length * 2];
        Arrays.fill(slots, ABSENT);
        for (int number = 0; number < size; number++) {
            slots[slot(items, number * length)] = number;
        }
    }
}
