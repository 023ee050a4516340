package io.tidemark.workload.log;

import io.tidemark.history.log.ReplicaLog;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.kafka.common.KafkaException;

/** Reads the directories of a partition's replicas and compares them byte for byte. */
public final class ReplicaLogReader {
    private ReplicaLogReader() {}

    /**
     * The records of each replica, in the order of the map. A record's digest is 0 where its whole batch, from the base
     * offset to the last byte, equals the first replica's batch at that offset, and the node's number plus one where
     * it does not: so equal digests mean equal bytes, not merely equal hashes.
     *
     * @param directories {@code TOPIC-PARTITION} of each node
     * @throws IOException if one cannot be read, or its batches are damaged, overlap or do not ascend
     */
    public static List<ReplicaLog> read(Map<Integer, Path> directories) throws IOException {
        Map<Long, LogBatch> first = new HashMap<>();
        List<ReplicaLog> logs = new ArrayList<>();
        for (Map.Entry<Integer, Path> replica : directories.entrySet()) {
            boolean isFirst = logs.isEmpty();
            ReplicaLog log = new ReplicaLog(replica.getKey());
            read(replica.getValue(), batch -> {
                LogBatch other = isFirst ? batch : first.get(batch.baseOffset());
                boolean same = other != null && other.bytes().equals(batch.bytes());
                long digest = same ? 0 : replica.getKey() + 1L;
                RecordValues.forEach(batch, (offset, value) -> log.add(offset, batch.leaderEpoch(), digest, value));
                if (isFirst) {
                    first.put(batch.baseOffset(), batch);
                }
            });
            logs.add(log);
        }
        return logs;
    }

    private static void read(Path directory, Consumer<LogBatch> sink) throws IOException {
        try {
            PartitionDirectory.forEachBatch(directory, sink);
        } catch (IllegalArgumentException | KafkaException e) {
            throw new IOException(directory + ": " + e.getMessage(), e);
        }
    }
}
