package io.tidemark.workload;

import io.tidemark.history.HistoryWriter;
import io.tidemark.history.KafkaOps;
import io.tidemark.history.Operation;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Writes what clients see to the history and keeps count. A history's process has one operation open at a time, while
 * a producer has many records under way: each record under way is a process of its own, given back when its outcome is
 * known, and never used again when it is not. Safe for use by several threads.
 */
public final class Recorder {
    private final HistoryWriter history;
    private final String topic;
    private final List<AckTimeline> timelines = new ArrayList<>();
    private final Deque<Long> idle = new ArrayDeque<>();
    private long processes;
    private boolean faultActive;
    private long attempted;
    private long acknowledged;
    private long failed;
    private long duringFaults;
    private long polled;

    /** A record under way. */
    record Sending(long process, String client, int partition, long value, long sentAt) {}

    /**
     * Totals so far, in records; each one that was sent is acknowledged, failed or in doubt.
     *
     * @param indeterminate in doubt: ended with an error that leaves it open, or not ended yet
     */
    public record Totals(
            long attempted,
            long acknowledged,
            long failed,
            long indeterminate,
            long acknowledgedDuringFaults,
            long polled) {
        public Totals {
            if (attempted != acknowledged + failed + indeterminate) {
                throw new IllegalArgumentException("totals: " + attempted + " sent are not " + acknowledged
                        + " acknowledged + " + failed + " failed + " + indeterminate + " in doubt");
            }
        }
    }

    public Recorder(HistoryWriter history, String topic, int partitions) {
        this.history = history;
        this.topic = topic;
        for (int i = 0; i < partitions; i++) {
            timelines.add(new AckTimeline());
        }
    }

    /** A process of its own for a client that does one thing after the other, or for one that has crashed. */
    synchronized long newProcess() {
        return processes++;
    }

    String key(int partition) {
        return KafkaOps.key(topic, partition);
    }

    synchronized Sending sending(String client, int partition, long value) {
        Long free = idle.pollFirst();
        long process = free == null ? newProcess() : free;
        attempted++;
        Operation op = append(
                process,
                Operation.Type.INVOKE,
                KafkaOps.SEND,
                KafkaOps.sendInvoked(key(partition), value),
                null,
                client);
        return new Sending(process, client, partition, value, op.time());
    }

    synchronized void acknowledged(Sending sending, long offset) {
        Operation op = append(
                sending.process(),
                Operation.Type.OK,
                KafkaOps.SEND,
                // acks=0 is answered by nobody: the offset is -1 and means nothing.
                offset < 0
                        ? KafkaOps.sendInvoked(key(sending.partition()), sending.value())
                        : KafkaOps.sendAcked(key(sending.partition()), offset, sending.value()),
                null,
                sending.client());
        idle.addLast(sending.process());
        acknowledged++;
        duringFaults += faultActive ? 1 : 0;
        timelines.get(sending.partition()).add(sending.sentAt(), op.time());
    }

    /**
     * The send ended with an error.
     *
     * @param definite whether no attempt can have been appended
     */
    synchronized void failed(Sending sending, String error, boolean definite) {
        append(
                sending.process(),
                definite ? Operation.Type.FAIL : Operation.Type.INFO,
                KafkaOps.SEND,
                KafkaOps.sendInvoked(key(sending.partition()), sending.value()),
                error,
                sending.client());
        if (definite) {
            idle.addLast(sending.process());
            failed++;
        }
    }

    /** A reader's operation; polls are counted when they complete. */
    synchronized void read(
            long process, Operation.Type type, String f, @Nullable Object value, @Nullable String error, long records) {
        history.append(process, type, f, value, error, Map.of());
        polled += records;
    }

    /**
     * A poll that brought records.
     *
     * @param epochs by key, pairs of an offset and the epoch of the records from there on
     */
    synchronized void polled(long process, Object value, Map<String, List<List<Long>>> epochs, long records) {
        Map<Object, Object> known = new LinkedHashMap<>(epochs);
        known.values().removeIf(pairs -> pairs.equals(List.of()));
        history.append(
                process,
                Operation.Type.OK,
                KafkaOps.POLL,
                value,
                null,
                known.isEmpty() ? Map.of() : Map.of(KafkaOps.LEADER_EPOCHS, known));
        polled += records;
    }

    /** An event of the nemesis. */
    public synchronized Operation nemesis(String f, @Nullable Object value) {
        return history.append(Operation.NEMESIS, Operation.Type.INFO, f, value);
    }

    /** From now on acknowledgements count as given while a fault was active, or no longer. */
    public synchronized void faultActive(boolean active) {
        faultActive = active;
    }

    public synchronized Totals totals() {
        return new Totals(attempted, acknowledged, failed, attempted - acknowledged - failed, duringFaults, polled);
    }

    /** Nanoseconds since the run began, as the history counts them. */
    public long elapsedNanos() {
        return history.elapsedNanos();
    }

    /** Asks the partition's timeline while no acknowledgement is added to it. */
    public synchronized long timeline(int partition, ToLongFunction<AckTimeline> question) {
        return question.applyAsLong(timelines.get(partition));
    }

    private Operation append(
            long process,
            Operation.Type type,
            String f,
            @Nullable Object value,
            @Nullable String error,
            String client) {
        return history.append(process, type, f, value, error, Map.of(KafkaOps.CLIENT, client));
    }
}
