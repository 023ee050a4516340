package io.tidemark.history.log;

import io.tidemark.history.KafkaOps;
import io.tidemark.history.Operation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Builds histories of one partition, {@code t-0}, for tests; time is ten times the index. */
final class History {
    static final String KEY = "t-0";
    private static final long FINAL_READER = 99_000_000;

    private final List<Operation> operations = new ArrayList<>();
    private final Map<Long, Long> clients = new LinkedHashMap<>();

    private History add(long process, Operation.Type type, String f, @Nullable Object value, Map<?, ?> extra) {
        long index = operations.size();
        Map<io.tidemark.history.edn.Keyword, @Nullable Object> keys = new LinkedHashMap<>();
        extra.forEach((k, v) -> keys.put((io.tidemark.history.edn.Keyword) k, v));
        operations.add(new Operation(index, index * 10, process, type, f, value, null, keys));
        return this;
    }

    /** Client 0 sends; the process is the value. */
    History send(long value) {
        return send(value, 0);
    }

    History send(long value, long client) {
        clients.put(value, client);
        return add(
                value,
                Operation.Type.INVOKE,
                "send",
                KafkaOps.sendInvoked(KEY, value),
                Map.of(KafkaOps.CLIENT, client));
    }

    History ack(long value, long offset) {
        return add(value, Operation.Type.OK, "send", KafkaOps.sendAcked(KEY, offset, value), Map.of());
    }

    History ackIn(long value, long offset, long epoch) {
        return add(
                value,
                Operation.Type.OK,
                "send",
                KafkaOps.sendAcked(KEY, offset, value),
                Map.of(KafkaOps.LEADER_EPOCH, epoch));
    }

    History sent(long value, long offset) {
        return send(value).ack(value, offset);
    }

    History info(long value) {
        return add(value, Operation.Type.INFO, "send", KafkaOps.sendInvoked(KEY, value), Map.of());
    }

    History fail(long value) {
        return add(value, Operation.Type.FAIL, "send", KafkaOps.sendInvoked(KEY, value), Map.of());
    }

    /** Offsets and values in turn. */
    History poll(long process, long... pairs) {
        List<KafkaOps.Polled> records = new ArrayList<>();
        for (int i = 0; i < pairs.length; i += 2) {
            records.add(new KafkaOps.Polled(pairs[i], pairs[i + 1]));
        }
        add(process, Operation.Type.INVOKE, "poll", KafkaOps.pollInvoked(), Map.of());
        return add(process, Operation.Type.OK, "poll", KafkaOps.polled(Map.of(KEY, records)), Map.of());
    }

    /** A poll of one record, which a leader of that epoch wrote. */
    History pollIn(long process, long epoch, long offset, long value) {
        add(process, Operation.Type.INVOKE, "poll", KafkaOps.pollInvoked(), Map.of());
        return add(
                process,
                Operation.Type.OK,
                "poll",
                KafkaOps.polled(Map.of(KEY, List.of(new KafkaOps.Polled(offset, value)))),
                Map.of(KafkaOps.LEADER_EPOCHS, Map.of(KEY, List.of(List.of(0L, epoch)))));
    }

    /** The process asks where the log ends. */
    History asks(long process) {
        return add(process, Operation.Type.INVOKE, "end", null, Map.of());
    }

    History told(long process, long end) {
        return add(process, Operation.Type.OK, "end", null, Map.of(KafkaOps.END_OFFSETS, Map.of(KEY, end)));
    }

    History assign(long process) {
        return add(process, Operation.Type.OK, "assign", List.of(KEY), Map.of());
    }

    /** The whole log, from offset 0: values in order. */
    History finalRead(long... values) {
        long[] pairs = new long[values.length * 2];
        Arrays.setAll(pairs, i -> i % 2 == 0 ? i / 2 : values[i / 2]);
        return finalPairs(values.length, true, pairs);
    }

    History finalPairs(long end, boolean complete, long... pairs) {
        return finalPairs(new KafkaOps.Extent(0, end, complete), pairs);
    }

    History finalPairs(KafkaOps.Extent extent, long... pairs) {
        add(FINAL_READER, Operation.Type.INVOKE, "final-read", List.of(KEY), Map.of());
        poll(FINAL_READER, pairs);
        return add(
                FINAL_READER,
                extent.complete() ? Operation.Type.OK : Operation.Type.INFO,
                "final-read",
                KafkaOps.extents(Map.of(KEY, extent)),
                Map.of());
    }

    List<Operation> operations() {
        return operations;
    }

    LogVerdict check() {
        return check(true);
    }

    LogVerdict check(boolean idempotent) {
        return check(new LogHistoryCheck.Rules(idempotent, false));
    }

    LogVerdict check(LogHistoryCheck.Rules rules) {
        LogHistoryCheck check = new LogHistoryCheck(rules);
        operations.forEach(check::accept);
        return check.verdict();
    }
}
