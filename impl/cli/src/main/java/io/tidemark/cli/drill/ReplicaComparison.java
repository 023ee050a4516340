package io.tidemark.cli.drill;

import io.tidemark.history.KafkaOps;
import io.tidemark.history.log.Anomaly;
import io.tidemark.history.log.AnomalyLog;
import io.tidemark.history.log.LogHistoryCheck;
import io.tidemark.history.log.ReplicaCheck;
import io.tidemark.history.log.ReplicaLog;
import io.tidemark.workload.fault.ClusterView;
import io.tidemark.workload.fault.Target;
import io.tidemark.workload.log.ReplicaLogReader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Compares every replica's log on disk below the high watermark, and all of them with what was acknowledged. */
final class ReplicaComparison {
    private static final Duration CATCH_UP_LIMIT = Duration.ofSeconds(10);

    private final AnomalyLog log = new AnomalyLog(Set.of());
    private final Target target;
    private final LogHistoryCheck history;
    private final AtomicInteger compared = new AtomicInteger();
    private final List<String> missing = new ArrayList<>();
    private long records;
    private long acknowledged;

    ReplicaComparison(Target target, LogHistoryCheck history) {
        this.target = target;
        this.history = history;
    }

    /**
     * Compares the replicas of each partition whose end offset is known.
     *
     * @param deadline on the clock of {@link System#nanoTime}: no partition is begun after it
     */
    void compare(List<ClusterView.PartitionView> partitions, Map<Integer, KafkaOps.Extent> extents, long deadline)
            throws InterruptedException {
        for (ClusterView.PartitionView partition : partitions) {
            KafkaOps.Extent extent = extents.get(partition.partition());
            if (System.nanoTime() - deadline > 0) {
                missing.add("the time was up before " + DrillConfig.TOPIC + "-" + partition.partition());
                return;
            }
            if (extent == null) {
                missing.add("the end offset of " + DrillConfig.TOPIC + "-" + partition.partition() + " is not known");
            } else {
                compare(partition, extent.end(), deadline);
            }
        }
    }

    private void compare(ClusterView.PartitionView partition, long highWatermark, long latest)
            throws InterruptedException {
        String key = KafkaOps.key(DrillConfig.TOPIC, partition.partition());
        Map<Integer, Path> directories = new TreeMap<>();
        for (int node : partition.replicas()) {
            Optional<Path> logs = target.logDirectory(node);
            if (logs.isEmpty()) {
                missing.add(key + ": the logs of node " + node + " cannot be reached");
                return;
            }
            directories.put(node, logs.get().resolve(key));
        }
        try {
            List<ReplicaLog> replicas = readCaughtUp(directories, highWatermark, latest);
            new ReplicaCheck(log).check(key, highWatermark, replicas, history);
            compared.addAndGet(replicas.size());
            count(key, highWatermark, replicas);
        } catch (IOException e) {
            missing.add(key + ": " + e.getMessage());
        }
    }

    private void count(String key, long highWatermark, List<ReplicaLog> replicas) {
        for (ReplicaLog replica : replicas) {
            for (int i = 0; i < replica.size() && replica.offset(i) < highWatermark; i++) {
                records++;
            }
            history.forEachAcknowledged(key, (offset, value) -> acknowledged++);
        }
    }

    /** A follower in sync may still be a fetch behind, and an append may be under way while its file is read. */
    private static List<ReplicaLog> readCaughtUp(Map<Integer, Path> directories, long highWatermark, long latest)
            throws IOException, InterruptedException {
        long now = System.nanoTime();
        long deadline = now + Math.min(CATCH_UP_LIMIT.toNanos(), latest - now);
        while (true) {
            List<ReplicaLog> replicas = ReplicaLogReader.read(directories);
            boolean caughtUp = replicas.stream().allMatch(replica -> replica.endOffset() >= highWatermark);
            if (caughtUp || System.nanoTime() - deadline > 0) {
                return replicas;
            }
            Thread.sleep(100);
        }
    }

    int compared() {
        return compared.get();
    }

    List<Anomaly> anomalies() {
        return log.anomalies();
    }

    /**
     * What was compared, and why the rest was not.
     *
     * @param replicas that there are
     */
    ReplicaEvidence evidence(int replicas) {
        String why = missing.isEmpty()
                ? "not every partition is known"
                : String.join("; ", FinalReadEvidence.firstOf(missing));
        return new ReplicaEvidence(
                replicas, compared.get(), records, acknowledged, compared.get() < replicas ? why : null);
    }
}
