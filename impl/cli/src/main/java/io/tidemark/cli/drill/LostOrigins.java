package io.tidemark.cli.drill;

import io.tidemark.history.log.Anomaly;
import io.tidemark.history.log.LostRecord;
import io.tidemark.history.log.ReplicaLog;
import io.tidemark.workload.fault.ClusterObserver;
import io.tidemark.workload.fault.FaultRecord;
import io.tidemark.workload.fault.Target;
import io.tidemark.workload.log.ReplicaTail;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The ends of the logs of nodes that were halted, as they left them: once such a node is back it truncates what the
 * others lack, and nothing tells any more which leader epoch a lost record had and who acknowledged it. The logs as they
 * are in the end tell of the rest.
 */
final class LostOrigins {
    private static final int BATCHES = 2_000;
    /** Of so many lost records without an offset the origin is looked for, value by value. */
    private static final int EXAMINED = 10 * DrillOutcome.LOST_NAMED;

    private final Target target;
    private final int partitions;
    private final Map<Integer, List<ReplicaLog>> tails = new TreeMap<>();

    LostOrigins(Target target, int partitions) {
        this.target = target;
        this.partitions = partitions;
    }

    /** Keeps the ends of a node's logs as they are now. */
    void keep(int node) {
        target.logDirectory(node).ifPresent(logs -> {
            for (int partition = 0; partition < partitions; partition++) {
                List<ReplicaLog> known = tails.computeIfAbsent(partition, p -> new ArrayList<>());
                tail(logs.resolve(DrillConfig.TOPIC + "-" + partition), node).ifPresent(known::add);
            }
        });
    }

    /** Empty where there is no such replica, or it cannot be read: the origin of its records is then not told. */
    private static Optional<ReplicaLog> tail(Path directory, int node) {
        try {
            return Files.isDirectory(directory)
                    ? Optional.of(ReplicaTail.read(directory, node, BATCHES))
                    : Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /**
     * Where a record was.
     *
     * @param offset null where no log holds it
     * @param leaderEpoch null where no log holds it
     * @param ackedBy who led then, and so acknowledged it or served it; null where that is not known
     */
    record Origin(
            @Nullable Long offset,
            @Nullable Integer leaderEpoch,
            @Nullable Integer ackedBy) {
        static final Origin UNKNOWN = new Origin(null, null, null);
    }

    /** The anomaly with the origin of its record. */
    Anomaly explain(Anomaly anomaly, List<ClusterObserver.Leadership> leaderships) {
        Anomaly.First first = anomaly.first();
        Origin origin = origin(first.partition(), first.offset(), first.value(), leaderships);
        return anomaly.withOrigin(origin.leaderEpoch(), origin.ackedBy());
    }

    /** The lost records with their origins and the faults that took them. */
    List<DrillOutcome.Lost> explain(
            List<LostRecord> lost, List<ClusterObserver.Leadership> leaderships, List<FaultRecord> faults) {
        List<DrillOutcome.Lost> explained = new ArrayList<>();
        for (LostRecord each : lost) {
            Long offset = each.offset() < 0 ? null : (Long) each.offset();
            Origin origin = offset == null && explained.size() >= EXAMINED
                    ? Origin.UNKNOWN
                    : origin(each.partition(), offset, each.value(), leaderships);
            explained.add(new DrillOutcome.Lost(
                    each.topic(),
                    each.partition(),
                    offset == null ? origin.offset() : offset,
                    each.value(),
                    each.ackTime(),
                    origin.leaderEpoch(),
                    origin.ackedBy(),
                    fault(each.ackTime(), faults)));
        }
        return explained;
    }

    /**
     * The fault that was under way at the acknowledgement, else the next one: between two faults all replicas are in
     * sync, so what was acknowledged before the one outlives the other.
     */
    private static @Nullable Integer fault(long ackTime, List<FaultRecord> faults) {
        return faults.stream()
                .filter(fault -> fault.healedNanos() >= ackTime)
                .map(FaultRecord::id)
                .findFirst()
                .orElse(null);
    }

    private Origin origin(
            @Nullable Integer partition,
            @Nullable Long offset,
            @Nullable Object value,
            List<ClusterObserver.Leadership> leaderships) {
        if (partition == null || !(value instanceof Long number)) {
            return Origin.UNKNOWN;
        }
        for (ReplicaLog tail : tails.getOrDefault(partition, List.of())) {
            // acks=0 is answered without an offset.
            int at = offset == null ? tail.findValue(number) : tail.find(offset);
            if (at >= 0 && tail.value(at) == number) {
                int epoch = tail.leaderEpoch(at);
                return new Origin(tail.offset(at), epoch, leader(leaderships, partition, epoch));
            }
        }
        return Origin.UNKNOWN;
    }

    private static @Nullable Integer leader(List<ClusterObserver.Leadership> leaderships, int partition, int epoch) {
        return leaderships.stream()
                .filter(led -> led.partition() == partition && led.leaderEpoch() == epoch && led.leader() >= 0)
                .map(ClusterObserver.Leadership::leader)
                .findFirst()
                .orElse(null);
    }
}
