package io.tidemark.history.log;

import io.tidemark.history.KafkaOps;
import io.tidemark.history.columns.LongIntMap;
import io.tidemark.history.edn.EdnWriter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One partition's part of {@link LogHistoryCheck}: takes sends and reads as they come and tells at once what contradicts
 * what came before; {@link PartitionJudge} judges at the end.
 */
final class PartitionCheck {
    final Object key;
    final ValueTable values = new ValueTable();
    final LongIntMap ackedAt = new LongIntMap();
    final LongIntMap readAt = new LongIntMap();
    final LongIntMap finalAt = new LongIntMap();
    final List<long[]> gaps = new ArrayList<>();
    final List<KafkaOps.Range> noRecords = new ArrayList<>();
    private final LongIntMap inconsistent = new LongIntMap();
    private final LongIntMap reused = new LongIntMap();
    private final Map<Integer, Long> positions = new HashMap<>();

    /** The reader that read last, and where it was; {@link #positions} has the others. */
    private int lastReader = -1;

    private long lastPosition;
    private final Frontier ends = new Frontier();
    private final Frontier acks = new Frontier();
    private final AnomalyLog log;
    private long maxAcked = ValueTable.NONE;
    private long maxRead = ValueTable.NONE;
    KafkaOps.@Nullable Extent extent;
    private long polled;

    PartitionCheck(Object key, AnomalyLog log) {
        this.key = key;
        this.log = log;
    }

    /** @throws IllegalArgumentException if the value was sent before: without unique values nothing can be told */
    void invoked(int id, int client, long op) {
        if (values.state(id) != ValueTable.State.UNSENT) {
            throw new IllegalArgumentException("operation " + op + ": value " + text(id) + " sent to " + key
                    + " a second time; expected unique values");
        }
        values.state(id, ValueTable.State.OPEN);
        values.client(id, client);
        values.invokeOp[id] = op;
        values.barrier[id] = maxAcked;
        values.readBarrier[id] = maxRead;
        if (values.seen(id)) {
            add(
                    AnomalyType.PHANTOM,
                    id,
                    values.seenOffset[id],
                    () -> "offset " + values.seenOffset[id] + " was read as " + text(id) + " before anybody sent it");
        }
    }

    void ended(int id, ValueTable.State end, long op) {
        if (values.state(id) == ValueTable.State.UNSENT) {
            throw new IllegalArgumentException(
                    "operation " + op + ": value " + text(id) + " completed on " + key + " without an invocation");
        }
        values.state(id, end);
        values.endOp[id] = op;
    }

    void acknowledged(int id, long offset, int epoch, long op, long time, long moment) {
        ended(id, ValueTable.State.OK, op);
        values.ackTime[id] = time;
        if (epoch >= 0) {
            values.epoch[id] = epoch;
        }
        if (offset == ValueTable.NONE) {
            return;
        }
        values.ackOffset[id] = offset;
        int before = ackedAt.putIfAbsent(offset, id);
        if (before != LongIntMap.ABSENT && before != id) {
            add(
                    AnomalyType.OFFSET_ACKED_TWICE,
                    id,
                    offset,
                    () -> "offset " + offset + " was acknowledged for record " + text(before) + " and for record "
                            + text(id),
                    before);
            reused(offset, before, id, "acknowledged for");
        }
        realTime(id, offset, "was acknowledged at");
        maxAcked = Math.max(maxAcked, offset);
        acks.raise(moment, offset);
    }

    /** What was acknowledged or read before a send lies below what is sent. */
    void realTime(int id, long offset, String how) {
        long acked = values.barrier[id];
        long read = values.readBarrier[id];
        if (offset < Math.max(acked, read)) {
            add(
                    AnomalyType.REAL_TIME_ORDER,
                    id,
                    offset,
                    () -> "record " + text(id) + " " + how + " offset " + offset + ", although offset "
                            + Math.max(acked, read) + " had been " + (acked >= read ? "acknowledged" : "read")
                            + " before it was sent");
        }
    }

    /** The process takes up reading anew: its next offset may be any. */
    void repositioned(int process) {
        positions.remove(process);
        lastReader = lastReader == process ? -1 : lastReader;
    }

    void read(int process, long name, boolean finalRead, long offset, int id, int epoch, long op) {
        polled++;
        if (values.epoch[id] < 0) {
            values.epoch[id] = epoch;
        }
        int before = readAt.putIfAbsent(offset, id);
        if (before != LongIntMap.ABSENT && before != id) {
            inconsistent(
                    AnomalyType.INCONSISTENT_OFFSET,
                    offset,
                    id,
                    () -> "offset " + offset + " was read as record " + text(before) + " and as record " + text(id),
                    before);
            reused(offset, before, id, "read as");
        }
        long other = values.seenOffset[id];
        if (other == ValueTable.NONE) {
            values.seenOffset[id] = offset;
            values.seenOp[id] = op;
        } else if (other != offset && !values.duplicate[id]) {
            values.duplicate[id] = true;
            add(
                    AnomalyType.DUPLICATE,
                    id,
                    offset,
                    () -> "record " + text(id) + " was read at offset " + other + " and at offset " + offset);
        }
        if (finalRead) {
            finalAt.put(offset, id);
            if (!values.inFinal(id)) {
                values.finalOffset[id] = offset;
            }
        }
        maxRead = Math.max(maxRead, offset);
        position(process, name, offset, id, op);
    }

    private void position(int process, long name, long offset, int id, long op) {
        long last = movedFrom(process, offset);
        if (last != ValueTable.NONE && offset <= last) {
            add(
                    AnomalyType.NONMONOTONIC_POLL,
                    id,
                    offset,
                    () -> "process " + name + " read offset " + offset + " after offset " + last);
        } else if (last != ValueTable.NONE && offset > last + 1) {
            gaps.add(new long[] {last, offset, op, name});
        }
    }

    private long movedFrom(int process, long offset) {
        long from = lastPosition;
        if (process != lastReader) {
            if (lastReader >= 0) {
                positions.put(lastReader, lastPosition);
            }
            Long known = positions.remove(process);
            from = known == null ? ValueTable.NONE : known;
            lastReader = process;
        }
        lastPosition = offset;
        return from;
    }

    /**
     * A process was told where the log ends.
     *
     * @param asked the moment at which it asked
     * @param strong whether what had been acknowledged by then must lie below
     */
    void end(long end, long name, long asked, boolean strong, long op, long moment) {
        long told = ends.before(asked);
        if (end < told) {
            log.add(
                    AnomalyType.HW_REGRESS,
                    () -> AnomalyLog.first(
                            key,
                            end,
                            null,
                            "process " + name + " was told that the log ends at offset " + end + ", although end "
                                    + told + " had been told before it asked",
                            List.of(op)));
        }
        long acked = acks.before(asked);
        if (strong && end <= acked) {
            log.add(AnomalyType.STALE_READ, () -> stale(name, end, acked, op));
        }
        ends.raise(moment, end);
        // A record that is sent from now on lies at the end or above it.
        maxRead = strong ? Math.max(maxRead, end - 1) : maxRead;
    }

    private Anomaly.First stale(long name, long end, long acked, long op) {
        int id = ackedAt.get(acked);
        return AnomalyLog.first(
                key,
                acked,
                values.value(id),
                "process " + name + " was told that the log ends at offset " + end + ", although record " + text(id)
                        + " had been acknowledged at offset " + acked + " before it asked",
                List.of(values.invokeOp[id], values.endOp[id], op));
    }

    void extent(KafkaOps.Extent read) {
        extent = read;
    }

    boolean complete() {
        return extent != null && extent.complete();
    }

    /** One for each offset: where readers differ, it is not the acknowledgement that is in doubt. */
    void inconsistent(AnomalyType type, long offset, int id, Supplier<String> explanation, int other) {
        if (inconsistent.putIfAbsent(offset, 1) == LongIntMap.ABSENT) {
            add(type, id, offset, explanation, other);
        }
    }

    /** One for each offset, where the epochs of both records are known and differ. */
    void reused(long offset, int first, int second, String how) {
        int one = values.epoch[first];
        int two = values.epoch[second];
        if (one >= 0 && two >= 0 && one != two && reused.putIfAbsent(offset, 1) == LongIntMap.ABSENT) {
            add(
                    AnomalyType.OFFSET_REUSED,
                    second,
                    offset,
                    () -> "record " + text(first)
                            + (values.ackOffset[first] == offset ? ", acknowledged" : ", read") + " at offset "
                            + offset + " in epoch " + one + ", was " + how + " " + text(second) + " at offset " + offset
                            + " in epoch " + two,
                    first);
        }
    }

    void add(AnomalyType type, int id, long offset, Supplier<String> explanation) {
        add(type, id, offset, explanation, LongIntMap.ABSENT);
    }

    void add(AnomalyType type, int id, long offset, Supplier<String> explanation, int other) {
        log.add(
                type,
                () -> AnomalyLog.first(
                        key,
                        offset == ValueTable.NONE ? null : offset,
                        values.value(id),
                        explanation.get(),
                        operations(id, other)));
    }

    List<Long> operations(int id, int other) {
        List<Long> operations = new ArrayList<>();
        for (int involved : other < 0 ? new int[] {id} : new int[] {other, id}) {
            for (long op : new long[] {values.invokeOp[involved], values.endOp[involved], values.seenOp[involved]}) {
                if (op != ValueTable.NONE && !operations.contains(op)) {
                    operations.add(op);
                }
            }
        }
        operations.sort(null);
        return operations;
    }

    String text(int id) {
        String text = EdnWriter.toString(values.value(id));
        return text.length() <= 80 ? text : text.substring(0, 80) + "...";
    }

    AnomalyLog log() {
        return log;
    }

    long polled() {
        return polled;
    }

    long count(ValueTable.State state) {
        long count = 0;
        for (int id = 0; id < values.size(); id++) {
            if (values.state(id) == state) {
                count++;
            }
        }
        return count;
    }

    long bytes() {
        return values.bytes() + ackedAt.bytes() + readAt.bytes() + finalAt.bytes() + gaps.size() * 64L;
    }

    void forEachAcknowledged(LogHistoryCheck.AckedRecord sink) {
        for (int id = 0; id < values.size(); id++) {
            if (values.state(id) == ValueTable.State.OK && values.ackOffset[id] != ValueTable.NONE) {
                sink.accept(values.ackOffset[id], values.value(id));
            }
        }
    }
}
