package io.tidemark.history.log;

import io.tidemark.history.columns.LongIntMap;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What is known about each value of one partition, in columns; a value's number is the order in which it was met. */
final class ValueTable {
    static final long NONE = -1;

    /** How the send of a value ended; none was seen for {@code UNSENT}. */
    enum State {
        UNSENT,
        OPEN,
        OK,
        FAIL,
        INFO
    }

    private static final int BYTES_PER_VALUE = 9 * Long.BYTES + 3 * Integer.BYTES + 1;

    private final LongIntMap numbers = new LongIntMap();
    private final Map<@Nullable Object, Integer> others = new HashMap<>();
    private final Map<Integer, @Nullable Object> otherValues = new HashMap<>();
    private int size;

    private long[] number = new long[64];
    private @Nullable State[] state = new State[64];
    private int[] client = new int[64];
    long[] invokeOp = new long[64];
    long[] endOp = new long[64];
    long[] ackTime = new long[64];
    long[] ackOffset = new long[64];
    /** The highest offset acknowledged before the value was sent. */
    long[] barrier = new long[64];

    /** The highest offset read before the value was sent. */
    long[] readBarrier = new long[64];

    /** The leader epoch in which it was acknowledged, or read where the acknowledgement told none; -1 if unknown. */
    int[] epoch = new int[64];

    long[] seenOffset = new long[64];
    long[] seenOp = new long[64];
    long[] finalOffset = new long[64];
    boolean[] duplicate = new boolean[64];

    int size() {
        return size;
    }

    /** The value's number; a new one if it was not met before. */
    int intern(@Nullable Object value) {
        if (value instanceof Long longValue) {
            return intern((long) longValue);
        }
        Integer known = others.get(value);
        if (known != null) {
            return known;
        }
        int id = add();
        others.put(value, id);
        otherValues.put(id, value);
        return id;
    }

    /** The same, without boxing. */
    int intern(long value) {
        int known = numbers.get(value);
        if (known >= 0) {
            return known;
        }
        int id = add();
        numbers.put(value, id);
        number[id] = value;
        return id;
    }

    private int add() {
        int id = size++;
        if (id == number.length) {
            grow();
        }
        invokeOp[id] = NONE;
        endOp[id] = NONE;
        ackTime[id] = NONE;
        ackOffset[id] = NONE;
        barrier[id] = NONE;
        readBarrier[id] = NONE;
        epoch[id] = (int) NONE;
        seenOffset[id] = NONE;
        seenOp[id] = NONE;
        finalOffset[id] = NONE;
        return id;
    }

    @Nullable
    Object value(int id) {
        return otherValues.containsKey(id) ? otherValues.get(id) : (Object) number[id];
    }

    State state(int id) {
        State known = state[id];
        return known == null ? State.UNSENT : known;
    }

    void state(int id, State to) {
        state[id] = to;
    }

    int client(int id) {
        return client[id];
    }

    void client(int id, int number) {
        client[id] = number;
    }

    boolean seen(int id) {
        return seenOffset[id] != NONE;
    }

    boolean inFinal(int id) {
        return finalOffset[id] != NONE;
    }

    long bytes() {
        return (long) number.length * BYTES_PER_VALUE + numbers.bytes();
    }

    private void grow() {
        int capacity = number.length * 2;
        number = Arrays.copyOf(number, capacity);
        state = Arrays.copyOf(state, capacity);
        client = Arrays.copyOf(client, capacity);
        invokeOp = Arrays.copyOf(invokeOp, capacity);
        endOp = Arrays.copyOf(endOp, capacity);
        ackTime = Arrays.copyOf(ackTime, capacity);
        ackOffset = Arrays.copyOf(ackOffset, capacity);
        barrier = Arrays.copyOf(barrier, capacity);
        readBarrier = Arrays.copyOf(readBarrier, capacity);
        epoch = Arrays.copyOf(epoch, capacity);
        seenOffset = Arrays.copyOf(seenOffset, capacity);
        seenOp = Arrays.copyOf(seenOp, capacity);
        finalOffset = Arrays.copyOf(finalOffset, capacity);
        duplicate = Arrays.copyOf(duplicate, capacity);
    }
}
