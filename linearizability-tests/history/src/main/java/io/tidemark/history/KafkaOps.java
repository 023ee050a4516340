package io.tidemark.history;

import io.tidemark.history.edn.Keyword;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The values of sends and polls in the shape of Jepsen's Kafka workload, {@code jepsen.tests.kafka}: a vector of
 * micro-operations, {@code [[:send k v]]} when invoked and {@code [[:send k [offset v]]]} when acknowledged,
 * {@code [[:poll]]} and {@code [[:poll {k [[offset v] ...]}]]}. A key is a partition, here {@code "topic-partition"}.
 */
public final class KafkaOps {
    public static final String SEND = "send";
    public static final String POLL = "poll";
    public static final String ASSIGN = "assign";

    /**
     * The read of a whole log at the end of a run. Its completion says, for each key, which offsets were read:
     * {@code {k {:start 0, :end 17, :complete true}}}; the polls of its process are the final polls.
     */
    public static final String FINAL_READ = "final-read";

    /** Extra key of a send: the client that sent it. A client has many sends open, hence many processes. */
    public static final Keyword CLIENT = new Keyword("client");

    /** Extra key of an acknowledged send: the epoch of the leader that acknowledged it. */
    public static final Keyword LEADER_EPOCH = new Keyword("leader-epoch");

    /** Extra key of a poll: {@code {k [[offset epoch] ...]}}, the epoch of the records from each offset on. */
    public static final Keyword LEADER_EPOCHS = new Keyword("leader-epochs");

    /** Extra key of an operation that asked where logs end: {@code {k offset}}, asked between invocation and completion. */
    public static final Keyword END_OFFSETS = new Keyword("end-offsets");

    private static final Keyword SEND_KEY = new Keyword(SEND);
    private static final Keyword POLL_KEY = new Keyword(POLL);
    private static final Keyword START = new Keyword("start");
    private static final Keyword END = new Keyword("end");
    private static final Keyword COMPLETE = new Keyword("complete");
    private static final Keyword NO_RECORDS = new Keyword("no-records");

    /** One micro-operation. */
    public sealed interface Mop {}

    /**
     * A record sent.
     *
     * @param offset null where it is not known
     */
    public record Send(
            Object key, @Nullable Object value, @Nullable Long offset) implements Mop {}

    public record Poll(Map<Object, List<Polled>> records) implements Mop {}

    /** A record that a poll returned. */
    public record Polled(long offset, @Nullable Object value) {}

    /**
     * What a final read covered of one partition.
     *
     * @param start the first offset of the log
     * @param end the end offset, exclusive; all below it was to be read
     * @param complete whether it was
     * @param noRecords where offsets hold no record for a known reason: what compaction took, the markers of transactions
     */
    public record Extent(long start, long end, boolean complete, List<Range> noRecords) {
        public Extent {
            noRecords = List.copyOf(noRecords);
        }

        /** An extent of a log in which every offset should hold a record. */
        public Extent(long start, long end, boolean complete) {
            this(start, end, complete, List.of());
        }
    }

    /**
     * Offsets.
     *
     * @param to exclusive
     */
    public record Range(long from, long to) {}

    private KafkaOps() {}

    public static String key(String topic, int partition) {
        return topic + "-" + partition;
    }

    public static Object sendInvoked(Object key, Object value) {
        return List.of(List.of(SEND_KEY, key, value));
    }

    public static Object sendAcked(Object key, long offset, Object value) {
        return List.of(List.of(SEND_KEY, key, List.of(offset, value)));
    }

    public static Object pollInvoked() {
        return List.of(List.of(POLL_KEY));
    }

    public static Object polled(Map<?, ? extends List<Polled>> records) {
        Map<Object, Object> byKey = new LinkedHashMap<>();
        records.forEach((key, list) -> {
            List<Object> pairs = new ArrayList<>(list.size());
            for (Polled record : list) {
                List<@Nullable Object> pair = new ArrayList<>(2);
                pair.add(record.offset());
                pair.add(record.value());
                pairs.add(pair);
            }
            byKey.put(key, pairs);
        });
        return List.of(List.of(POLL_KEY, byKey));
    }

    public static Object extents(Map<?, Extent> extents) {
        Map<Object, Object> byKey = new LinkedHashMap<>();
        extents.forEach((key, extent) -> {
            Map<Keyword, Object> value = new LinkedHashMap<>();
            value.put(START, extent.start());
            value.put(END, extent.end());
            value.put(COMPLETE, extent.complete());
            if (!extent.noRecords().isEmpty()) {
                value.put(
                        NO_RECORDS,
                        extent.noRecords().stream()
                                .map(range -> List.of(range.from(), range.to()))
                                .toList());
            }
            byKey.put(key, value);
        });
        return byKey;
    }

    /**
     * What a completed {@link #FINAL_READ} covered.
     *
     * @throws IllegalArgumentException if its value has another shape
     */
    public static Map<Object, Extent> parseExtents(Operation op) {
        if (!(op.value() instanceof Map<?, ?> map)) {
            throw malformed(op, "a map of keys to {:start :end :complete}");
        }
        Map<Object, Extent> extents = new LinkedHashMap<>();
        map.forEach((key, value) -> {
            if (key != null
                    && value instanceof Map<?, ?> extent
                    && extent.get(START) instanceof Long start
                    && extent.get(END) instanceof Long end
                    && extent.get(COMPLETE) instanceof Boolean complete) {
                extents.put(key, new Extent(start, end, complete, ranges(op, extent.get(NO_RECORDS))));
            } else {
                throw malformed(op, "a map of keys to {:start :end :complete}");
            }
        });
        return extents;
    }

    private static List<Range> ranges(Operation op, @Nullable Object value) {
        if (value == null) {
            return List.of();
        }
        List<Range> ranges = new ArrayList<>();
        for (long[] pair : pairs(op, value, "[[from to] ..] in :no-records")) {
            ranges.add(new Range(pair[0], pair[1]));
        }
        return ranges;
    }

    private static List<long[]> pairs(Operation op, @Nullable Object value, String expected) {
        if (!(value instanceof List<?> items)) {
            throw malformed(op, expected);
        }
        List<long[]> pairs = new ArrayList<>(items.size());
        for (Object item : items) {
            if (item instanceof List<?> pair
                    && pair.size() == 2
                    && pair.get(0) instanceof Long first
                    && pair.get(1) instanceof Long second) {
                pairs.add(new long[] {first, second});
            } else {
                throw malformed(op, expected);
            }
        }
        return pairs;
    }

    /**
     * The {@link #END_OFFSETS} of an operation, none if it has none.
     *
     * @throws IllegalArgumentException if they have another shape
     */
    public static Map<Object, Long> endOffsets(Operation op) {
        Object value = op.extra().get(END_OFFSETS);
        if (value == null) {
            return Map.of();
        }
        if (!(value instanceof Map<?, ?> map)) {
            throw malformed(op, "{k offset} in :end-offsets");
        }
        Map<Object, Long> ends = new LinkedHashMap<>();
        map.forEach((key, end) -> {
            if (key == null || !(end instanceof Long offset)) {
                throw malformed(op, "{k offset} in :end-offsets");
            }
            ends.put(key, offset);
        });
        return ends;
    }

    /**
     * The {@link #LEADER_EPOCHS} of a poll: for each key pairs of offset and epoch, none if it has none.
     *
     * @throws IllegalArgumentException if they have another shape
     */
    public static Map<Object, List<long[]>> leaderEpochs(Operation op) {
        Object value = op.extra().get(LEADER_EPOCHS);
        if (value == null) {
            return Map.of();
        }
        if (!(value instanceof Map<?, ?> map)) {
            throw malformed(op, "{k [[offset epoch] ..]} in :leader-epochs");
        }
        Map<Object, List<long[]>> epochs = new LinkedHashMap<>();
        map.forEach((key, list) -> {
            if (key == null) {
                throw malformed(op, "{k [[offset epoch] ..]} in :leader-epochs");
            }
            epochs.put(key, pairs(op, list, "{k [[offset epoch] ..]} in :leader-epochs"));
        });
        return epochs;
    }

    /**
     * The micro-operations of a send, poll or txn.
     *
     * @throws IllegalArgumentException if its value is not in Jepsen's shape
     */
    public static List<Mop> parse(Operation op) {
        if (!(op.value() instanceof List<?> items)) {
            throw malformed(op, "a vector of [:send k v] and [:poll ..]");
        }
        List<Mop> mops = new ArrayList<>(items.size());
        for (Object item : items) {
            if (!(item instanceof List<?> mop) || mop.isEmpty()) {
                throw malformed(op, "a vector of [:send k v] and [:poll ..]");
            }
            if (SEND_KEY.equals(mop.get(0)) && mop.size() == 3 && mop.get(1) != null) {
                mops.add(send(mop.get(1), mop.get(2), op.type() != Operation.Type.INVOKE));
            } else if (POLL_KEY.equals(mop.get(0)) && mop.size() <= 2) {
                mops.add(mop.size() == 1 ? new Poll(Collections.emptyMap()) : poll(op, mop.get(1)));
            } else {
                throw malformed(op, "[:send k v], [:poll] or [:poll {k [[offset v] ..]}]");
            }
        }
        return mops;
    }

    /** A completed send may tell its offset; an invoked one never does, whatever its value looks like. */
    private static Send send(Object key, @Nullable Object value, boolean completed) {
        if (completed && value instanceof List<?> pair && pair.size() == 2) {
            return new Send(key, pair.get(1), pair.get(0) instanceof Long offset ? offset : null);
        }
        return new Send(key, value, null);
    }

    private static Poll poll(Operation op, @Nullable Object value) {
        if (value == null) {
            return new Poll(Collections.emptyMap());
        }
        if (!(value instanceof Map<?, ?> map)) {
            throw malformed(op, "[:poll {k [[offset v] ..]}]");
        }
        Map<Object, List<Polled>> records = new LinkedHashMap<>();
        map.forEach((key, list) -> {
            if (key == null || !(list instanceof List<?> pairs)) {
                throw malformed(op, "[:poll {k [[offset v] ..]}]");
            }
            List<Polled> polled = new ArrayList<>(pairs.size());
            for (Object pair : pairs) {
                if (pair instanceof List<?> two && two.size() == 2 && two.get(0) instanceof Long offset) {
                    polled.add(new Polled(offset, two.get(1)));
                } else {
                    throw malformed(op, "[offset v] pairs in a poll");
                }
            }
            records.put(key, polled);
        });
        return new Poll(records);
    }

    private static IllegalArgumentException malformed(Operation op, String expected) {
        return new IllegalArgumentException(
                "operation " + op.index() + ": the value of a :" + op.f() + " is malformed; expected " + expected);
    }
}
