package io.tidemark.history.log;

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

    long[] seenOffset = new long[64];
    long[] seenOp = new long[64];
    long[] finalOffset = new long[64];
    boolean[] duplicate = new boolean[64];

    int size() {
        return size;
    }

    /** The value's number; a new one if it was not met before. */
    int intern(@Nullable Object value) {
        int known = find(value);
        if (known >= 0) {
            return known;
        }
        int id = size++;
        if (id == number.length) {
            grow();
        }
        if (value instanceof Long longValue) {
            numbers.put(longValue, id);
            number[id] = longValue;
        } else {
            others.put(value, id);
            otherValues.put(id, value);
        }
        invokeOp[id] = NONE;
        endOp[id] = NONE;
        ackTime[id] = NONE;
        ackOffset[id] = NONE;
        barrier[id] = NONE;
        seenOffset[id] = NONE;
        seenOp[id] = NONE;
        finalOffset[id] = NONE;
        return id;
    }

    int find(@Nullable Object value) {
        if (value instanceof Long longValue) {
            return numbers.get(longValue);
        }
        Integer id = others.get(value);
        return id == null ? -1 : id;
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
        seenOffset = Arrays.copyOf(seenOffset, capacity);
        seenOp = Arrays.copyOf(seenOp, capacity);
        finalOffset = Arrays.copyOf(finalOffset, capacity);
        duplicate = Arrays.copyOf(duplicate, capacity);
    }
}
