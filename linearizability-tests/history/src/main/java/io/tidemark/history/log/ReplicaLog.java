package io.tidemark.history.log;

import java.util.Arrays;

/** What one replica's log holds, in columns, ascending by offset. */
public final class ReplicaLog {
    /** A record whose value is not one that a workload writes. */
    public static final long NO_VALUE = Long.MIN_VALUE;

    private final int node;
    private int size;
    private long[] offsets = new long[64];
    private int[] leaderEpochs = new int[64];
    private long[] digests = new long[64];
    private long[] values = new long[64];

    public ReplicaLog(int node) {
        this.node = node;
    }

    /**
     * Appends a record.
     *
     * @param digest of the bytes as they lie on disk: equal bytes give equal digests
     * @param value {@link #NO_VALUE} where it cannot be told
     * @throws IllegalArgumentException if the offset does not ascend
     */
    public void add(long offset, int leaderEpoch, long digest, long value) {
        if (size > 0 && offset <= offsets[size - 1]) {
            throw new IllegalArgumentException(
                    "node " + node + ": offset " + offset + " follows offset " + offsets[size - 1]);
        }
        if (size == offsets.length) {
            int capacity = size * 2;
            offsets = Arrays.copyOf(offsets, capacity);
            leaderEpochs = Arrays.copyOf(leaderEpochs, capacity);
            digests = Arrays.copyOf(digests, capacity);
            values = Arrays.copyOf(values, capacity);
        }
        offsets[size] = offset;
        leaderEpochs[size] = leaderEpoch;
        digests[size] = digest;
        values[size] = value;
        size++;
    }

    public int node() {
        return node;
    }

    public int size() {
        return size;
    }

    /** One past the last offset, 0 for an empty log. */
    public long endOffset() {
        return size == 0 ? 0 : offsets[size - 1] + 1;
    }

    public long offset(int i) {
        return offsets[i];
    }

    public int leaderEpoch(int i) {
        return leaderEpochs[i];
    }

    public long digest(int i) {
        return digests[i];
    }

    public long value(int i) {
        return values[i];
    }

    /** The position of an offset, negative if the log does not hold it. */
    public int find(long offset) {
        return Arrays.binarySearch(offsets, 0, size, offset);
    }

    /** The position of a value, -1 if the log does not hold it. Looks at every record. */
    public int findValue(long value) {
        for (int i = 0; i < size; i++) {
            if (values[i] == value) {
                return i;
            }
        }
        return -1;
    }
}
