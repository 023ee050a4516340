package io.tidemark.workload.log;

import io.tidemark.history.log.ReplicaLog;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import org.apache.kafka.common.KafkaException;

/** Reads the end of a replica's log: what a dead node held that nobody else may have. */
public final class ReplicaTail {
    private ReplicaTail() {}

    /**
     * The records of the last batches, digests 0.
     *
     * @throws IOException if the directory cannot be read, or its batches are damaged
     */
    public static ReplicaLog read(Path directory, int node, int batches) throws IOException {
        Deque<LogBatch> last = new ArrayDeque<>(batches + 1);
        PartitionDirectory.forEachBatch(directory, batch -> {
            last.addLast(batch);
            if (last.size() > batches) {
                last.removeFirst();
            }
        });
        ReplicaLog log = new ReplicaLog(node);
        try {
            for (LogBatch batch : last) {
                RecordValues.forEach(batch, (offset, value) -> log.add(offset, batch.leaderEpoch(), 0, value));
            }
        } catch (IllegalArgumentException | KafkaException e) {
            throw new IOException(directory + ": " + e.getMessage(), e);
        }
        return log;
    }
}
