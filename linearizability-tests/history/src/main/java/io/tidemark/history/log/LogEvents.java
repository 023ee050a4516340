package io.tidemark.history.log;

import io.tidemark.history.KafkaOps;
import io.tidemark.history.Operation;
import io.tidemark.history.columns.LongIntMap;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A history of sends and polls in columns, a row for each record sent or read and for whatever else bears on the log, in
 * the order of the history. Add every operation in order; keys, processes and clients are numbered as they are met.
 */
public final class LogEvents {
    /** What a row tells; each names the columns that it uses beside {@code op}, the operation's index. */
    enum Kind {
        /** A record is sent: key, process, value, extra (the client). */
        SENT,
        /** It is acknowledged: key, process, value, offset ({@link ValueTable#NONE} if not told), time, extra (epoch or -1). */
        ACKED,
        /** It was certainly not appended: key, process, value. */
        FAILED,
        /** It may have been appended: key, process, value. */
        DOUBTED,
        /** A process asks for records, or where logs end: process. */
        ASKED,
        /** A record is read: key, process, value, offset, extra (epoch or -1). */
        READ,
        /** The same, in the read of the whole log at the end. */
        READ_LAST,
        /** A process is told where the log ends: key, process, offset. */
        END,
        /** A process takes up reading anew: process. */
        REPOSITIONED,
        /** The extent of the final read: key, offset (start), number (end), extra (1 if it is complete). */
        EXTENT,
        /** Offsets without records, for a known reason: key, offset (from), number (to, exclusive). */
        NO_RECORDS
    }

    private static final Set<String> DATA = Set.of(KafkaOps.SEND, KafkaOps.POLL, "txn");
    private static final Set<String> REPOSITIONING = Set.of(KafkaOps.ASSIGN, "subscribe", "seek", "crash");
    private static final int BYTES_PER_ROW = 1 + 4 * Integer.BYTES + 4 * Long.BYTES;

    private final Map<Object, Integer> keyNumbers = new HashMap<>();
    private final List<Object> keys = new ArrayList<>();
    private final Map<Object, Integer> clients = new HashMap<>();
    private final LongIntMap processNumbers = new LongIntMap();
    private final List<@Nullable Object> others = new ArrayList<>();

    private long[] processes = new long[64];
    private int[] clientOf = new int[64];
    private @Nullable List<?>[] open = new List<?>[64];
    private boolean[] finalReader = new boolean[64];

    private int size;
    private @Nullable Kind[] kind = new Kind[1024];
    private int[] key = new int[1024];
    private int[] process = new int[1024];
    private int[] extra = new int[1024];
    private long[] number = new long[1024];
    private long[] offset = new long[1024];
    private long[] time = new long[1024];
    private long[] op = new long[1024];
    private boolean[] other = new boolean[1024];

    private boolean transactions;

    /**
     * Takes the next operation of the history.
     *
     * @throws IllegalArgumentException if it is malformed, or its process has an operation open already
     */
    public void add(Operation operation) {
        if (operation.isNemesis()) {
            return;
        }
        String f = operation.f();
        if (DATA.contains(f)) {
            data(operation);
        } else if (f.equals(KafkaOps.FINAL_READ)) {
            finalRead(operation);
        } else if (REPOSITIONING.contains(f)) {
            row(Kind.REPOSITIONED, -1, process(operation), operation);
        } else if (operation.type() == Operation.Type.INVOKE) {
            row(Kind.ASKED, -1, process(operation), operation);
        }
        ends(operation);
    }

    private void finalRead(Operation operation) {
        int p = process(operation);
        finalReader[p] = operation.type() == Operation.Type.INVOKE;
        if (finalReader[p]) {
            row(Kind.ASKED, -1, p, operation);
            return;
        }
        if (operation.value() == null) {
            return;
        }
        KafkaOps.parseExtents(operation).forEach((name, extent) -> {
            int k = key(name);
            row(Kind.EXTENT, k, p, operation, extent.start(), extent.end(), extent.complete() ? 1 : 0);
            for (KafkaOps.Range range : extent.noRecords()) {
                row(Kind.NO_RECORDS, k, p, operation, range.from(), range.to(), 0);
            }
            row(Kind.END, k, p, operation, extent.end(), 0, 0);
        });
    }

    private void ends(Operation operation) {
        if (operation.type() == Operation.Type.OK) {
            KafkaOps.endOffsets(operation)
                    .forEach((name, end) -> row(Kind.END, key(name), process(operation), operation, end, 0, 0));
        }
    }

    private void data(Operation operation) {
        List<KafkaOps.Mop> mops = KafkaOps.parse(operation);
        int p = process(operation);
        if (operation.type() == Operation.Type.INVOKE) {
            invoked(operation, mops, p);
            return;
        }
        List<?> invoked = open[p];
        open[p] = null;
        if (operation.type() == Operation.Type.OK) {
            acknowledged(operation, mops, p);
            return;
        }
        // Only an acknowledgement tells offsets; any other completion is about what was invoked.
        Kind end = operation.type() == Operation.Type.FAIL ? Kind.FAILED : Kind.DOUBTED;
        for (Object mop : invoked == null ? mops : invoked) {
            if (mop instanceof KafkaOps.Send send) {
                value(row(end, key(send.key()), p, operation), send.value());
            }
        }
    }

    private void invoked(Operation operation, List<KafkaOps.Mop> mops, int p) {
        if (open[p] != null) {
            throw new IllegalArgumentException("operation " + operation.index() + ": process " + operation.process()
                    + " has an operation open; expected its completion");
        }
        Object name = operation.extra().get(KafkaOps.CLIENT);
        int client = number(clients, name == null ? operation.process() : name);
        clientOf[p] = client;
        open[p] = mops;
        transactions |= mops.size() > 1;
        boolean asks = false;
        for (KafkaOps.Mop mop : mops) {
            if (mop instanceof KafkaOps.Send send) {
                int row = row(Kind.SENT, key(send.key()), p, operation);
                extra[row] = client;
                value(row, send.value());
            } else {
                asks = true;
            }
        }
        if (asks) {
            row(Kind.ASKED, -1, p, operation);
        }
    }

    private void acknowledged(Operation operation, List<KafkaOps.Mop> mops, int p) {
        Object epoch = operation.extra().get(KafkaOps.LEADER_EPOCH);
        Map<Object, List<long[]>> epochs = KafkaOps.leaderEpochs(operation);
        for (KafkaOps.Mop mop : mops) {
            if (mop instanceof KafkaOps.Send send) {
                int row = row(Kind.ACKED, key(send.key()), p, operation);
                Long at = send.offset();
                offset[row] = at == null ? ValueTable.NONE : at;
                extra[row] = epoch instanceof Long told ? (int) (long) told : -1;
                value(row, send.value());
            } else if (mop instanceof KafkaOps.Poll poll) {
                poll.records().forEach((name, records) -> read(operation, p, key(name), records, epochs.get(name)));
            }
        }
    }

    private void read(Operation operation, int p, int k, List<KafkaOps.Polled> records, @Nullable List<long[]> epochs) {
        Kind how = finalReader[p] ? Kind.READ_LAST : Kind.READ;
        for (KafkaOps.Polled record : records) {
            int row = row(how, k, p, operation);
            offset[row] = record.offset();
            extra[row] = epochs == null ? -1 : epoch(epochs, record.offset());
            value(row, record.value());
        }
    }

    private static int epoch(List<long[]> epochs, long offset) {
        int epoch = -1;
        for (long[] from : epochs) {
            if (from[0] <= offset) {
                epoch = (int) from[1];
            }
        }
        return epoch;
    }

    private int row(Kind what, int k, int p, Operation operation, long from, long to, int mark) {
        int row = row(what, k, p, operation);
        offset[row] = from;
        number[row] = to;
        extra[row] = mark;
        return row;
    }

    private int row(Kind what, int k, int p, Operation operation) {
        if (size == kind.length) {
            grow();
        }
        int row = size++;
        kind[row] = what;
        key[row] = k;
        process[row] = p;
        op[row] = operation.index();
        time[row] = operation.time();
        other[row] = false;
        return row;
    }

    private void value(int row, @Nullable Object value) {
        if (value instanceof Long known) {
            number[row] = known;
        } else {
            other[row] = true;
            number[row] = others.size();
            others.add(value);
        }
    }

    private int key(Object name) {
        Integer known = keyNumbers.putIfAbsent(name, keys.size());
        if (known != null) {
            return known;
        }
        keys.add(name);
        return keys.size() - 1;
    }

    private int process(Operation operation) {
        int known = processNumbers.get(operation.process());
        if (known != LongIntMap.ABSENT) {
            return known;
        }
        int p = processNumbers.size();
        processNumbers.put(operation.process(), p);
        if (p == processes.length) {
            processes = Arrays.copyOf(processes, p * 2);
            clientOf = Arrays.copyOf(clientOf, p * 2);
            open = Arrays.copyOf(open, p * 2);
            finalReader = Arrays.copyOf(finalReader, p * 2);
        }
        processes[p] = operation.process();
        return p;
    }

    private static int number(Map<Object, Integer> numbers, Object name) {
        Integer known = numbers.putIfAbsent(name, numbers.size());
        return known == null ? numbers.size() - 1 : known;
    }

    private void grow() {
        if (size > Integer.MAX_VALUE / 2) {
            throw new IllegalArgumentException("a history of more than " + size + " records; expected fewer");
        }
        int capacity = size * 2;
        kind = Arrays.copyOf(kind, capacity);
        key = Arrays.copyOf(key, capacity);
        process = Arrays.copyOf(process, capacity);
        extra = Arrays.copyOf(extra, capacity);
        number = Arrays.copyOf(number, capacity);
        offset = Arrays.copyOf(offset, capacity);
        time = Arrays.copyOf(time, capacity);
        op = Arrays.copyOf(op, capacity);
        other = Arrays.copyOf(other, capacity);
    }

    /** Forgets the rows, not what is open nor what was numbered. */
    void clear() {
        size = 0;
        others.clear();
    }

    /** Rows so far. */
    public int size() {
        return size;
    }

    /** The partitions met so far, in that order. */
    public List<Object> keys() {
        return List.copyOf(keys);
    }

    /** Whether an operation had several micro-operations: transactions leave offsets without records. */
    public boolean transactions() {
        return transactions;
    }

    /** What the columns take. */
    public long bytes() {
        return (long) kind.length * BYTES_PER_ROW + (long) processes.length * 24;
    }

    Kind kind(int row) {
        return Objects.requireNonNull(kind[row]);
    }

    int key(int row) {
        return key[row];
    }

    Object keyName(int number) {
        return keys.get(number);
    }

    int processNumber(int row) {
        return process[row];
    }

    long processName(int number) {
        return processes[number];
    }

    int extra(int row) {
        return extra[row];
    }

    long number(int row) {
        return number[row];
    }

    @Nullable
    Object value(int row) {
        return other[row] ? others.get((int) number[row]) : (Object) number[row];
    }

    boolean isNumber(int row) {
        return !other[row];
    }

    long offset(int row) {
        return offset[row];
    }

    long time(int row) {
        return time[row];
    }

    long op(int row) {
        return op[row];
    }
}
