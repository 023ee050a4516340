package io.tidemark.history.wgl;

import io.tidemark.history.KafkaOps;
import io.tidemark.history.columns.LongIntMap;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The log of one partition: a send appends a record at the end and is told its offset; a poll sees records that are there
 * by then, old ones too; who asks where the log ends is told exactly. A state is a node of a tree: the record that it
 * ends with, and the log without it.
 */
final class LogModel implements Model {
    private static final int ANY = -1;

    private enum Kind {
        APPEND,
        POLL,
        END
    }

    /** Values and offsets in turn, of records that were polled; for an append its value, and its offset or ANY. */
    private record Op(Kind kind, List<Long> records, long end) {}

    private final Values values;
    private final Values operations = new Values();
    private final List<Op> table = new ArrayList<>();
    private final LongIntMap children = new LongIntMap();
    private int size = 1;
    private int[] parent = new int[64];
    private int[] value = new int[64];
    private int[] length = new int[64];

    /**
     * The empty log.
     *
     * @param values numbers the values of records
     */
    LogModel(Values values) {
        this.values = values;
    }

    /** A send; the offset is null where it is not known. */
    int append(@Nullable Object sent, @Nullable Long offset) {
        return number(new Op(Kind.APPEND, List.of((long) values.number(sent)), offset == null ? ANY : offset));
    }

    int poll(List<KafkaOps.Polled> records) {
        List<Long> pairs = new ArrayList<>(records.size() * 2);
        for (KafkaOps.Polled record : records) {
            pairs.add((long) values.number(record.value()));
            pairs.add(record.offset());
        }
        return number(new Op(Kind.POLL, pairs, 0));
    }

    int end(long offset) {
        return number(new Op(Kind.END, List.of(), offset));
    }

    private int number(Op op) {
        int number = operations.number(op);
        if (number == table.size()) {
            table.add(op);
        }
        return number;
    }

    @Override
    public int initial() {
        return 0;
    }

    @Override
    public int step(int state, int operation) {
        Op op = table.get(operation);
        return switch (op.kind) {
            case APPEND ->
                op.end == ANY || op.end == length[state] ? child(state, (int) (long) op.records.get(0)) : ILLEGAL;
            case POLL -> holds(state, op.records) ? state : ILLEGAL;
            case END -> op.end == length[state] ? state : ILLEGAL;
        };
    }

    private boolean holds(int state, List<Long> pairs) {
        for (int i = pairs.size() - 2; i >= 0; i -= 2) {
            int node = at(state, pairs.get(i + 1));
            if (node == 0 || value[node] != pairs.get(i)) {
                return false;
            }
        }
        return true;
    }

    /** The node that ends with the record at an offset, 0 if the log does not reach it. */
    private int at(int state, long offset) {
        if (offset < 0 || offset >= length[state]) {
            return 0;
        }
        int node = state;
        while (length[node] > offset + 1) {
            node = parent[node];
        }
        return node;
    }

    private int child(int state, int appended) {
        long edge = (long) state << 32 | appended;
        int known = children.get(edge);
        if (known != LongIntMap.ABSENT) {
            return known;
        }
        int node = size++;
        if (node == parent.length) {
            parent = Arrays.copyOf(parent, node * 2);
            value = Arrays.copyOf(value, node * 2);
            length = Arrays.copyOf(length, node * 2);
        }
        children.put(edge, node);
        parent[node] = state;
        value[node] = appended;
        length[node] = length[state] + 1;
        return node;
    }

    @Override
    public boolean readOnly(int operation) {
        return table.get(operation).kind != Kind.APPEND;
    }

    @Override
    public boolean grows() {
        return true;
    }

    @Override
    public boolean resets(int operation) {
        return false;
    }

    /** What is in the log stays there. */
    @Override
    public boolean hopeless(int state, int read) {
        Op op = table.get(read);
        return op.kind == Kind.END ? length[state] > op.end : !mayHold(state, op.records);
    }

    private boolean mayHold(int state, List<Long> pairs) {
        for (int i = pairs.size() - 2; i >= 0; i -= 2) {
            int node = at(state, pairs.get(i + 1));
            if (node != 0 && value[node] != pairs.get(i)) {
                return false;
            }
        }
        return true;
    }

    @Override
    public String needs(int state, int operation) {
        Op op = table.get(operation);
        for (int i = 0; op.kind == Kind.POLL && i < op.records.size(); i += 2) {
            if (!holds(state, op.records.subList(i, i + 2))) {
                // The first one is named in what the poll did, and what other operations need is, too.
                return i == 0
                        ? ""
                        : "record " + values.text((int) (long) op.records.get(i)) + " at offset "
                                + op.records.get(i + 1);
            }
        }
        return "";
    }

    @Override
    public String operation(int operation) {
        Op op = table.get(operation);
        return switch (op.kind) {
            case APPEND ->
                "appended " + values.text((int) (long) op.records.get(0))
                        + (op.end == ANY ? "" : " at offset " + op.end);
            case POLL ->
                op.records.isEmpty()
                        ? "read nothing"
                        : "read " + op.records.size() / 2 + " record" + (op.records.size() == 2 ? "" : "s")
                                + ", the first " + values.text((int) (long) op.records.get(0)) + " at offset "
                                + op.records.get(1);
            case END -> "was told that the log ends at offset " + op.end;
        };
    }

    @Override
    public String states(List<Integer> states) {
        return "the log ends "
                + Values.either(states.stream()
                        .map(state -> "at offset " + length[state]
                                + (state == 0 ? "" : " with record " + values.text(value[state])))
                        .toList());
    }

    @Override
    public long bytes() {
        return children.bytes() + parent.length * 12L + table.size() * 64L + values.bytes();
    }
}
