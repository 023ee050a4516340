package io.tidemark.history.wgl;

import io.tidemark.history.KafkaOps;
import io.tidemark.history.Operation;
import io.tidemark.history.edn.EdnWriter;
import io.tidemark.history.edn.Keyword;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A history of sends and polls as problems of {@link LogModel}, one for each partition. Add every operation in order. The
 * end of a complete final read is where the log ends; other ends that were told count where reads are strong. A send
 * whose fate nobody learnt takes the offset at which somebody saw its record; if nobody saw it and the partition was read
 * whole it is left out: it may have been appended behind everything, which contradicts nothing.
 */
final class LogCalls {
    private static final Set<String> DATA = Set.of(KafkaOps.SEND, KafkaOps.POLL, "txn");
    private static final Set<String> WITHOUT_DATA = Set.of(KafkaOps.ASSIGN, "subscribe", "seek", "crash");

    /** One thing that a call did to a partition: a send with what was acknowledged, records read, or an end told. */
    private record Part(
            Call call,
            KafkaOps.@Nullable Send send,
            @Nullable List<KafkaOps.Polled> polled,
            long end) {}

    private static final class Partition {
        final List<Part> parts = new ArrayList<>();
        final Map<@Nullable Object, Long> seenAt = new HashMap<>();
        boolean complete;
    }

    /** A record that nobody can have appended: what stands at an offset where none was found. */
    private static final Keyword NOTHING = new Keyword("nothing");

    private final Calls data = new Calls();
    private final Calls others = new Calls();
    private final boolean strongReads;
    private final Set<Long> finalReaders = new HashSet<>();
    private final Map<Object, Set<Long>> finalOffsets = new HashMap<>();
    private int events;

    LogCalls(boolean strongReads) {
        this.strongReads = strongReads;
    }

    /** @throws IllegalArgumentException as {@link Calls} does */
    void add(Operation op) {
        int at = events++;
        // A final read is open while its process polls.
        if (DATA.contains(op.f())) {
            data.add(op, at);
            if (op.type() == Operation.Type.OK && finalReaders.contains(op.process())) {
                finalPoll(op);
            }
        } else if (!WITHOUT_DATA.contains(op.f())) {
            others.add(op, at);
            if (op.f().equals(KafkaOps.FINAL_READ) && op.type() == Operation.Type.INVOKE) {
                finalReaders.add(op.process());
            }
        }
    }

    private void finalPoll(Operation op) {
        for (KafkaOps.Mop mop : KafkaOps.parse(op)) {
            if (mop instanceof KafkaOps.Poll poll) {
                poll.records()
                        .forEach((key, records) -> records.forEach(record -> finalOffsets
                                .computeIfAbsent(key, name -> new HashSet<>())
                                .add(record.offset())));
            }
        }
    }

    /** @throws IllegalArgumentException if a value is malformed */
    List<Problem> problems(Untold untold) {
        Map<Object, Partition> partitions = new LinkedHashMap<>();
        for (Call call : data.calls()) {
            mops(call, partitions);
            ends(call, partitions);
        }
        for (Call call : others.calls()) {
            ends(call, partitions);
            if (call.f().equals(KafkaOps.FINAL_READ) && call.completed() != null) {
                KafkaOps.parseExtents(operation(call, call.outcome(), call.completed()))
                        .forEach((key, extent) -> {
                            if (extent.complete()) {
                                partition(partitions, key).complete = true;
                                add(partitions, key, new Part(call, null, null, extent.end()));
                                holes(call, key, extent, partition(partitions, key));
                            }
                        });
            }
        }
        List<Problem> problems = new ArrayList<>();
        partitions.forEach((key, partition) ->
                problems.add(problem(key instanceof String name ? name : EdnWriter.toString(key), partition, untold)));
        return problems;
    }

    /**
     * At each offset of a complete final read is a record. Where none was found, for a reason that is known, something
     * else takes its place, at whatever time; for no reason, nothing that could be there was found.
     */
    private void holes(Call call, Object key, KafkaOps.Extent extent, Partition partition) {
        Set<Long> found = finalOffsets.getOrDefault(key, Set.of());
        for (long offset = extent.start(); offset < extent.end(); offset++) {
            if (!found.contains(offset)) {
                long at = offset;
                if (extent.noRecords().stream().anyMatch(range -> range.from() <= at && at < range.to())) {
                    partition.parts.add(
                            new Part(call.atAnyTime(), new KafkaOps.Send(key, List.of(NOTHING, at), at), null, 0));
                    partition.seenAt.put(List.of(NOTHING, at), at);
                } else {
                    partition.parts.add(new Part(call, null, List.of(new KafkaOps.Polled(at, NOTHING)), 0));
                }
            }
        }
    }

    private static Operation operation(Call call, Operation.Type type, @Nullable Object value) {
        return new Operation(call.invokeOp(), 0, call.process(), type, call.f(), value, call.error(), call.extra());
    }

    private void mops(Call call, Map<Object, Partition> partitions) {
        boolean told = call.ok();
        List<KafkaOps.Mop> mops = KafkaOps.parse(operation(
                call, told ? Operation.Type.OK : Operation.Type.INVOKE, told ? call.completed() : call.invoked()));
        for (KafkaOps.Mop mop : mops) {
            if (mop instanceof KafkaOps.Send send && !call.failed()) {
                add(partitions, send.key(), new Part(call, send, null, 0));
            } else if (mop instanceof KafkaOps.Poll poll && told) {
                poll.records().forEach((key, records) -> {
                    add(partitions, key, new Part(call, null, records, 0));
                    Partition partition = partition(partitions, key);
                    records.forEach(record -> partition.seenAt.putIfAbsent(record.value(), record.offset()));
                });
            }
        }
    }

    private void ends(Call call, Map<Object, Partition> partitions) {
        if (strongReads && call.ok()) {
            KafkaOps.endOffsets(operation(call, Operation.Type.OK, null))
                    .forEach((key, end) -> add(partitions, key, new Part(call, null, null, end)));
        }
    }

    private static Partition partition(Map<Object, Partition> partitions, Object key) {
        return partitions.computeIfAbsent(key, name -> new Partition());
    }

    private static void add(Map<Object, Partition> partitions, Object key, Part part) {
        partition(partitions, key).parts.add(part);
    }

    private static Problem problem(String name, Partition partition, Untold untold) {
        LogModel model = new LogModel(new Values());
        Problem.Builder problem = new Problem.Builder();
        for (Part part : partition.parts) {
            KafkaOps.Send send = part.send;
            List<KafkaOps.Polled> polled = part.polled;
            if (send != null) {
                Long seen = partition.seenAt.get(send.value());
                Long offset = send.offset() == null ? seen : send.offset();
                if (!part.call.ok() && seen == null && partition.complete) {
                    untold.count(part.call);
                } else {
                    problem.add(part.call, model.append(send.value(), offset));
                }
            } else {
                problem.add(part.call, polled == null ? model.end(part.end) : model.poll(polled));
            }
        }
        return problem.build(model, name);
    }
}
