package io.tidemark.history.log;

import io.tidemark.history.KafkaOps;
import io.tidemark.history.Operation;
import io.tidemark.history.edn.EdnWriter;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Judges a history of sends and polls of a partitioned log, each partition by itself, in time and memory linear in the
 * number of records. Feed every operation in order, then ask for the {@link #verdict}. Values are unique per
 * partition. Loss and dirty reads are told from the {@link KafkaOps#FINAL_READ}; where that is missing or cut short
 * the verdict is UNKNOWN at best.
 */
public final class LogHistoryCheck {
    /** Receives one acknowledged record. */
    @FunctionalInterface
    public interface AckedRecord {
        void accept(long offset, @Nullable Object value);
    }

    private static final Set<String> DATA = Set.of(KafkaOps.SEND, KafkaOps.POLL, "txn");
    private static final Set<String> REPOSITIONING = Set.of(KafkaOps.ASSIGN, "subscribe", "seek", "crash");

    private final Map<Object, PartitionCheck> partitions = new LinkedHashMap<>();
    private final Map<Object, Integer> clients = new HashMap<>();
    private final Map<Long, List<KafkaOps.Send>> open = new HashMap<>();
    private final Set<Long> finalReaders = new HashSet<>();
    private final AnomalyLog log;

    /**
     * A check that has seen nothing yet.
     *
     * @param idempotent whether a retry can neither duplicate nor reorder, as with Kafka's idempotent producer
     */
    public LogHistoryCheck(boolean idempotent) {
        this.log = new AnomalyLog(idempotent ? Set.of() : EnumSet.of(AnomalyType.DUPLICATE, AnomalyType.CLIENT_ORDER));
    }

    /**
     * Takes the next operation of the history.
     *
     * @throws IllegalArgumentException if it is malformed, or sends a value a second time
     */
    public void accept(Operation op) {
        if (op.isNemesis()) {
            return;
        }
        if (REPOSITIONING.contains(op.f())) {
            partitions.values().forEach(partition -> partition.repositioned(op.process()));
        } else if (op.f().equals(KafkaOps.FINAL_READ)) {
            finalRead(op);
        } else if (DATA.contains(op.f())) {
            data(op);
        }
    }

    private void finalRead(Operation op) {
        if (op.type() == Operation.Type.INVOKE) {
            finalReaders.add(op.process());
            return;
        }
        finalReaders.remove(op.process());
        if (op.value() != null) {
            KafkaOps.parseExtents(op).forEach((key, extent) -> partition(key).extent(extent));
        }
    }

    private void data(Operation op) {
        List<KafkaOps.Mop> mops = KafkaOps.parse(op);
        if (op.type() == Operation.Type.INVOKE) {
            List<KafkaOps.Send> sends = sends(mops);
            int client = client(op);
            for (KafkaOps.Send send : sends) {
                partition(send.key()).invoked(send.value(), client, op.index());
            }
            open.put(op.process(), sends);
            return;
        }
        List<KafkaOps.Send> invoked = open.remove(op.process());
        ValueTable.State end = switch (op.type()) {
            case OK -> ValueTable.State.OK;
            case FAIL -> ValueTable.State.FAIL;
            default -> ValueTable.State.INFO;
        };
        // Only an acknowledgement tells offsets; any other completion is about what was invoked.
        List<KafkaOps.Send> completed = op.type() == Operation.Type.OK || invoked == null ? sends(mops) : invoked;
        for (KafkaOps.Send send : completed) {
            partition(send.key()).completed(send.value(), end, send.offset(), op.index(), op.time(), log);
        }
        if (op.type() == Operation.Type.OK) {
            reads(op, mops);
        }
    }

    private void reads(Operation op, List<KafkaOps.Mop> mops) {
        boolean finalRead = finalReaders.contains(op.process());
        for (KafkaOps.Mop mop : mops) {
            if (mop instanceof KafkaOps.Poll poll) {
                poll.records().forEach((key, records) -> {
                    PartitionCheck partition = partition(key);
                    for (KafkaOps.Polled record : records) {
                        partition.read(op.process(), finalRead, record.offset(), record.value(), op.index(), log);
                    }
                });
            }
        }
    }

    /** Judges all that was fed. Call it once, at the end. */
    public LogVerdict verdict() {
        List<LostRecord> lost = new ArrayList<>();
        List<String> incomplete = new ArrayList<>();
        long[] sums = new long[6];
        partitions.forEach((key, partition) -> {
            partition.judge(log, lost);
            if (!partition.complete()) {
                incomplete.add(key instanceof String name ? name : EdnWriter.toString(key));
            }
            sums[0] += partition.count(ValueTable.State.OK);
            sums[1] += partition.count(ValueTable.State.FAIL);
            sums[2] += partition.count(ValueTable.State.INFO) + partition.count(ValueTable.State.OPEN);
            sums[3] += partition.polled();
            sums[4] += partition.unjudged();
        });
        List<Anomaly> anomalies = log.anomalies();
        LogVerdict.Outcome outcome = anomalies.stream().anyMatch(anomaly -> !anomaly.allowed())
                ? LogVerdict.Outcome.INVALID
                : incomplete.isEmpty() ? LogVerdict.Outcome.VALID : LogVerdict.Outcome.UNKNOWN;
        LogVerdict.Counts counts =
                new LogVerdict.Counts(sums[0] + sums[1] + sums[2], sums[0], sums[1], sums[2], sums[3], sums[4]);
        return new LogVerdict(outcome, counts, anomalies, lost, incomplete);
    }

    /** The acknowledged records of a partition whose offset is known, in the order in which they were sent. */
    public void forEachAcknowledged(Object key, AckedRecord sink) {
        PartitionCheck partition = partitions.get(key);
        if (partition != null) {
            partition.forEachAcknowledged(sink);
        }
    }

    private PartitionCheck partition(Object key) {
        return partitions.computeIfAbsent(key, PartitionCheck::new);
    }

    private int client(Operation op) {
        Object name = op.extra().get(KafkaOps.CLIENT);
        Integer known = clients.putIfAbsent(name == null ? op.process() : name, clients.size());
        return known == null ? clients.size() - 1 : known;
    }

    private static List<KafkaOps.Send> sends(List<KafkaOps.Mop> mops) {
        List<KafkaOps.Send> sends = new ArrayList<>(mops.size());
        for (KafkaOps.Mop mop : mops) {
            if (mop instanceof KafkaOps.Send send) {
                sends.add(send);
            }
        }
        return sends;
    }
}
