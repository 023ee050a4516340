package io.tidemark.history.log;

import io.tidemark.history.KafkaOps;
import io.tidemark.history.edn.EdnWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One partition's part of {@link LogHistoryCheck}: takes sends and reads as they come, judges them at the end. */
final class PartitionCheck {
    private final Object key;
    private final ValueTable values = new ValueTable();
    private final LongIntMap ackedAt = new LongIntMap();
    private final LongIntMap readAt = new LongIntMap();
    private final LongIntMap finalAt = new LongIntMap();
    private final LongIntMap inconsistent = new LongIntMap();
    private final Map<Long, Long> positions = new HashMap<>();
    private final List<long[]> gaps = new ArrayList<>();
    private long maxAcked = ValueTable.NONE;
    private KafkaOps.@Nullable Extent extent;
    private long polled;
    private long unjudged;

    PartitionCheck(Object key) {
        this.key = key;
    }

    /** @throws IllegalArgumentException if the value was sent before: without unique values nothing can be told */
    void invoked(@Nullable Object value, int client, long op) {
        int id = values.intern(value);
        if (values.state(id) != ValueTable.State.UNSENT) {
            throw new IllegalArgumentException("operation " + op + ": value " + text(id) + " sent to " + key
                    + " a second time; expected unique values");
        }
        values.state(id, ValueTable.State.OPEN);
        values.client(id, client);
        values.invokeOp[id] = op;
        values.barrier[id] = maxAcked;
    }

    void completed(
            @Nullable Object value, ValueTable.State end, @Nullable Long offset, long op, long time, AnomalyLog log) {
        int id = values.intern(value);
        if (values.state(id) == ValueTable.State.UNSENT) {
            throw new IllegalArgumentException(
                    "operation " + op + ": value " + text(id) + " completed on " + key + " without an invocation");
        }
        values.state(id, end);
        values.endOp[id] = op;
        if (end != ValueTable.State.OK) {
            return;
        }
        values.ackTime[id] = time;
        if (offset == null) {
            return;
        }
        values.ackOffset[id] = offset;
        int before = ackedAt.putIfAbsent(offset, id);
        if (before != LongIntMap.ABSENT && before != id) {
            add(
                    log,
                    AnomalyType.OFFSET_ACKED_TWICE,
                    id,
                    offset,
                    "offset " + offset + " was acknowledged for record " + text(before) + " and for record " + text(id),
                    before);
        }
        if (offset < values.barrier[id]) {
            add(
                    log,
                    AnomalyType.REAL_TIME_ORDER,
                    id,
                    offset,
                    "record " + text(id) + " was acknowledged at offset " + offset + ", although offset "
                            + values.barrier[id] + " had been acknowledged before it was sent",
                    -1);
        }
        maxAcked = Math.max(maxAcked, offset);
    }

    /** The process takes up reading anew: its next offset may be any. */
    void repositioned(long process) {
        positions.remove(process);
    }

    void read(long process, boolean finalRead, long offset, @Nullable Object value, long op, AnomalyLog log) {
        int id = values.intern(value);
        polled++;
        int before = readAt.putIfAbsent(offset, id);
        if (before != LongIntMap.ABSENT && before != id) {
            inconsistent(
                    log,
                    AnomalyType.INCONSISTENT_OFFSET,
                    offset,
                    id,
                    "offset " + offset + " was read as record " + text(before) + " and as record " + text(id),
                    before);
        }
        long other = values.seenOffset[id];
        if (other == ValueTable.NONE) {
            values.seenOffset[id] = offset;
            values.seenOp[id] = op;
        } else if (other != offset && !values.duplicate[id]) {
            values.duplicate[id] = true;
            add(
                    log,
                    AnomalyType.DUPLICATE,
                    id,
                    offset,
                    "record " + text(id) + " was read at offset " + other + " and at offset " + offset,
                    -1);
        }
        if (finalRead) {
            finalAt.put(offset, id);
            if (!values.inFinal(id)) {
                values.finalOffset[id] = offset;
            }
        }
        Long last = positions.put(process, offset);
        if (last != null && offset <= last) {
            add(
                    log,
                    AnomalyType.NONMONOTONIC_POLL,
                    id,
                    offset,
                    "process " + process + " read offset " + offset + " after offset " + last,
                    -1);
        } else if (last != null && offset > last + 1) {
            gaps.add(new long[] {last, offset, op, process});
        }
    }

    void extent(KafkaOps.Extent read) {
        extent = read;
    }

    boolean complete() {
        return extent != null && extent.complete();
    }

    void judge(AnomalyLog log, List<LostRecord> lost) {
        Map<Integer, Integer> lastOfClient = new HashMap<>();
        for (int id = 0; id < values.size(); id++) {
            ValueTable.State state = values.state(id);
            if (state == ValueTable.State.UNSENT) {
                phantom(log, id);
            } else if (state == ValueTable.State.FAIL && values.seen(id)) {
                add(
                        log,
                        AnomalyType.FAILED_READ,
                        id,
                        values.seenOffset[id],
                        "record " + text(id) + ", whose send failed for certain, was read at offset "
                                + values.seenOffset[id],
                        -1);
            }
            if (state == ValueTable.State.OK) {
                acknowledged(log, id, lost);
            }
            if (values.seen(id) && !values.inFinal(id) && covered(values.seenOffset[id])) {
                add(
                        log,
                        AnomalyType.DIRTY_READ,
                        id,
                        values.seenOffset[id],
                        "record " + text(id) + " was read at offset " + values.seenOffset[id] + " and is gone: "
                                + holds(values.seenOffset[id]),
                        -1);
            }
            if (state != ValueTable.State.UNSENT && values.inFinal(id)) {
                clientOrder(log, id, lastOfClient);
            }
        }
        skips(log);
    }

    private void phantom(AnomalyLog log, int id) {
        add(
                log,
                AnomalyType.PHANTOM,
                id,
                values.seenOffset[id],
                "offset " + values.seenOffset[id] + " was read as " + text(id)
                        + ", which nobody sent to this partition",
                -1);
    }

    private void acknowledged(AnomalyLog log, int id, List<LostRecord> lost) {
        long offset = values.ackOffset[id];
        int read = offset == ValueTable.NONE ? LongIntMap.ABSENT : readAt.get(offset);
        if (read != LongIntMap.ABSENT && read != id) {
            inconsistent(
                    log,
                    AnomalyType.ACK_CONTRADICTED,
                    offset,
                    id,
                    "record " + text(id) + ", acknowledged at offset " + offset + ", was read as " + text(read)
                            + " at offset " + offset,
                    read);
        }
        if (values.inFinal(id)) {
            if (offset != ValueTable.NONE && finalAt.get(offset) != id) {
                add(
                        log,
                        AnomalyType.MISPLACED,
                        id,
                        offset,
                        "record " + text(id) + ", acknowledged at offset " + offset + ", is at offset "
                                + values.finalOffset[id],
                        -1);
            }
        } else if (complete()) {
            lost.add(new LostRecord(key, offset, values.value(id), values.ackTime[id]));
            add(
                    log,
                    AnomalyType.LOST,
                    id,
                    offset,
                    "record " + text(id) + ", acknowledged "
                            + (offset == ValueTable.NONE ? "without an offset" : "at offset " + offset) + ", is gone: "
                            + holds(offset),
                    -1);
        } else {
            unjudged++;
        }
    }

    /** Values are numbered as they were sent, so that a client's offsets must ascend along the numbers. */
    private void clientOrder(AnomalyLog log, int id, Map<Integer, Integer> lastOfClient) {
        Integer last = lastOfClient.get(values.client(id));
        if (last != null && values.finalOffset[last] > values.finalOffset[id]) {
            add(
                    log,
                    AnomalyType.CLIENT_ORDER,
                    id,
                    values.finalOffset[id],
                    "record " + text(id) + ", sent after record " + text(last) + " by the same client, is at offset "
                            + values.finalOffset[id] + ", before it at offset " + values.finalOffset[last],
                    last);
        } else {
            lastOfClient.put(values.client(id), id);
        }
    }

    private void skips(AnomalyLog log) {
        if (gaps.isEmpty()) {
            return;
        }
        long[] present = finalAt.sortedKeys();
        for (long[] gap : gaps) {
            int at = Arrays.binarySearch(present, gap[0] + 1);
            int next = at >= 0 ? at : -at - 1;
            if (next < present.length && present[next] < gap[1]) {
                int id = finalAt.get(present[next]);
                add(
                        log,
                        AnomalyType.POLL_SKIP,
                        id,
                        present[next],
                        "process " + gap[3] + " read offset " + gap[1] + " after offset " + gap[0]
                                + " and passed over record " + text(id) + " at offset " + present[next],
                        -1);
            }
        }
    }

    private boolean covered(long offset) {
        return extent != null && extent.complete() && offset >= extent.start();
    }

    private String holds(long offset) {
        int id = offset == ValueTable.NONE ? LongIntMap.ABSENT : finalAt.get(offset);
        if (id != LongIntMap.ABSENT) {
            return "at the end offset " + offset + " holds record " + text(id);
        }
        return extent == null ? "it was never read" : "at the end the log ends at offset " + extent.end();
    }

    /** One for each offset: where readers differ, it is not the acknowledgement that is in doubt. */
    private void inconsistent(AnomalyLog log, AnomalyType type, long offset, int id, String explanation, int other) {
        if (inconsistent.putIfAbsent(offset, 1) == LongIntMap.ABSENT) {
            add(log, type, id, offset, explanation, other);
        }
    }

    private void add(AnomalyLog log, AnomalyType type, int id, long offset, String explanation, int other) {
        List<Long> operations = new ArrayList<>();
        for (int involved : other < 0 ? new int[] {id} : new int[] {other, id}) {
            for (long op : new long[] {values.invokeOp[involved], values.endOp[involved], values.seenOp[involved]}) {
                if (op != ValueTable.NONE) {
                    operations.add(op);
                }
            }
        }
        operations.sort(null);
        log.add(type, key, offset == ValueTable.NONE ? null : offset, values.value(id), explanation, operations);
    }

    private String text(int id) {
        String text = EdnWriter.toString(values.value(id));
        return text.length() <= 80 ? text : text.substring(0, 80) + "...";
    }

    long polled() {
        return polled;
    }

    long unjudged() {
        return unjudged;
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

    void forEachAcknowledged(LogHistoryCheck.AckedRecord sink) {
        for (int id = 0; id < values.size(); id++) {
            if (values.state(id) == ValueTable.State.OK && values.ackOffset[id] != ValueTable.NONE) {
                sink.accept(values.ackOffset[id], values.value(id));
            }
        }
    }
}
