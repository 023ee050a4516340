package io.tidemark.history.log;

import io.tidemark.history.KafkaOps;
import io.tidemark.history.Operation;
import io.tidemark.history.edn.EdnWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Judges a history of sends and polls of a partitioned log, each partition by itself, in time and memory linear in the
 * number of records. Feed every operation in order, or all of a {@link LogEvents} at once, then ask for the
 * {@link #verdict}. Values are unique per partition. Loss and dirty reads are told from the {@link KafkaOps#FINAL_READ};
 * where that is missing or cut short the verdict is UNKNOWN at best.
 */
public final class LogHistoryCheck {
    /** Receives one acknowledged record. */
    @FunctionalInterface
    public interface AckedRecord {
        void accept(long offset, @Nullable Object value);
    }

    /**
     * What a history is held to.
     *
     * @param idempotent whether a retry can neither duplicate nor reorder, as with Kafka's idempotent producer
     * @param strongReads whether an end of the log that was told bounds what had been acknowledged before it was asked
     *     for: the history is then linearizable, not only consistent
     */
    public record Rules(boolean idempotent, boolean strongReads) {}

    private final LogEvents scratch = new LogEvents();
    private final Rules rules;
    private final AnomalyLog log;
    private @Nullable PartitionCheck[] partitions = new PartitionCheck[16];
    private long[] asked = new long[64];
    private long moment;

    /**
     * A check that has seen nothing yet.
     *
     * @param idempotent as in {@link Rules}
     */
    public LogHistoryCheck(boolean idempotent) {
        this(new Rules(idempotent, false));
    }

    public LogHistoryCheck(Rules rules) {
        this.rules = rules;
        this.log = new AnomalyLog(
                rules.idempotent() ? Set.of() : EnumSet.of(AnomalyType.DUPLICATE, AnomalyType.CLIENT_ORDER));
    }

    /**
     * Takes the next operation of the history.
     *
     * @throws IllegalArgumentException if it is malformed, or sends a value a second time
     */
    public void accept(Operation op) {
        scratch.clear();
        scratch.add(op);
        accept(scratch);
    }

    /**
     * Takes all rows, in order: those of one history, whether at once or bit by bit.
     *
     * @throws IllegalArgumentException if a value is sent a second time, or completed without an invocation
     */
    public void accept(LogEvents events) {
        for (int row = 0; row < events.size(); row++) {
            accept(events, row);
        }
    }

    private void accept(LogEvents events, int row) {
        moment++;
        int process = events.processNumber(row);
        LogEvents.Kind kind = events.kind(row);
        switch (kind) {
            case ASKED -> asked(process);
            case REPOSITIONED -> met().forEach(partition -> partition.repositioned(process));
            case EXTENT ->
                partition(events, events.key(row))
                        .extent(new KafkaOps.Extent(events.offset(row), events.number(row), events.extra(row) == 1));
            case NO_RECORDS ->
                partition(events, events.key(row))
                        .noRecords
                        .add(new KafkaOps.Range(events.offset(row), events.number(row)));
            case END ->
                partition(events, events.key(row))
                        .end(
                                events.offset(row),
                                events.processName(process),
                                process < asked.length ? asked[process] : 0,
                                rules.strongReads(),
                                events.op(row),
                                moment);
            default -> data(kind, partition(events, events.key(row)), events, row);
        }
    }

    private void data(LogEvents.Kind kind, PartitionCheck partition, LogEvents events, int row) {
        int id = events.isNumber(row)
                ? partition.values.intern(events.number(row))
                : partition.values.intern(events.value(row));
        switch (kind) {
            case SENT -> partition.invoked(id, events.extra(row), events.op(row));
            case ACKED ->
                partition.acknowledged(
                        id, events.offset(row), events.extra(row), events.op(row), events.time(row), moment);
            case FAILED -> partition.ended(id, ValueTable.State.FAIL, events.op(row));
            case DOUBTED -> partition.ended(id, ValueTable.State.INFO, events.op(row));
            default ->
                partition.read(
                        events.processNumber(row),
                        events.processName(events.processNumber(row)),
                        kind == LogEvents.Kind.READ_LAST,
                        events.offset(row),
                        id,
                        events.extra(row),
                        events.op(row));
        }
    }

    private void asked(int process) {
        if (process >= asked.length) {
            asked = Arrays.copyOf(asked, Math.max(process + 1, asked.length * 2));
        }
        asked[process] = moment;
    }

    private PartitionCheck partition(LogEvents events, int key) {
        if (key >= partitions.length) {
            partitions = Arrays.copyOf(partitions, Math.max(key + 1, partitions.length * 2));
        }
        PartitionCheck known = partitions[key];
        if (known == null) {
            known = new PartitionCheck(events.keyName(key), log);
            partitions[key] = known;
        }
        return known;
    }

    /**
     * Judges all that was fed. Call it once, at the end.
     *
     * @param gapsExplained whether offsets without records have a known reason throughout, as where transactions or
     *     compaction are at work
     */
    public LogVerdict verdict(boolean gapsExplained) {
        List<LostRecord> lost = new ArrayList<>();
        List<String> incomplete = new ArrayList<>();
        long[] sums = new long[6];
        long unseen = 0;
        Anomaly.First firstUnseen = null;
        for (PartitionCheck partition : met()) {
            PartitionJudge judge = new PartitionJudge(partition, gapsExplained);
            judge.judge(lost);
            if (!partition.complete()) {
                incomplete.add(partition.key instanceof String name ? name : EdnWriter.toString(partition.key));
            }
            sums[0] += partition.count(ValueTable.State.OK);
            sums[1] += partition.count(ValueTable.State.FAIL);
            sums[2] += partition.count(ValueTable.State.INFO) + partition.count(ValueTable.State.OPEN);
            sums[3] += partition.polled();
            sums[4] += judge.unjudged();
            unseen += judge.unseen();
            firstUnseen = firstUnseen == null ? judge.firstUnseen() : firstUnseen;
        }
        List<Anomaly> anomalies = log.anomalies();
        LogVerdict.Outcome outcome = anomalies.stream().anyMatch(anomaly -> !anomaly.allowed())
                ? LogVerdict.Outcome.INVALID
                : incomplete.isEmpty() ? LogVerdict.Outcome.VALID : LogVerdict.Outcome.UNKNOWN;
        LogVerdict.Counts counts =
                new LogVerdict.Counts(sums[0] + sums[1] + sums[2], sums[0], sums[1], sums[2], sums[3], sums[4]);
        return new LogVerdict(
                outcome,
                counts,
                anomalies,
                lost,
                incomplete,
                firstUnseen == null ? null : new Anomaly(AnomalyType.UNSEEN, unseen, true, firstUnseen));
    }

    /** Judges all that was fed; a history of transactions explains its gaps. Call it once, at the end. */
    public LogVerdict verdict() {
        return verdict(scratch.transactions());
    }

    /** What this check's own tables take. */
    public long bytes() {
        return met().stream().mapToLong(PartitionCheck::bytes).sum();
    }

    private List<PartitionCheck> met() {
        return Arrays.stream(partitions).flatMap(Stream::ofNullable).toList();
    }

    /** The acknowledged records of a partition whose offset is known, in the order in which they were sent. */
    public void forEachAcknowledged(Object key, AckedRecord sink) {
        met().stream()
                .filter(partition -> partition.key.equals(key))
                .forEach(partition -> partition.forEachAcknowledged(sink));
    }
}
