package io.tidemark.simulation;

import io.tidemark.core.log.EpochStart;
import io.tidemark.core.metadata.TopicPartition;
import io.tidemark.core.partition.PartitionView;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What the disk of each node lost of its replicas' logs, record by record, and did not fetch again. */
final class TornDisks {
    /** Takes a replica that is loaded. */
    interface Visitor {
        void visit(int node, TopicPartition id, PartitionView view);
    }

    /** A log as it was before its disk lost some of it. */
    private record Before(List<EpochStart> log, long end, boolean lied) {
        int epochAt(long offset) {
            int epoch = -1;
            for (EpochStart start : log) {
                if (start.startOffset() <= offset) {
                    epoch = start.epoch();
                }
            }
            return offset < end ? epoch : -1;
        }
    }

    /** One node's replica of a partition, over all lives. */
    private static final class Replica {
        @Nullable
        PartitionView view;

        @Nullable
        Before before;

        long seenEnd;
        /** Epochs of the records that the disk lost and that were not fetched again, by offset. */
        final TreeMap<Long, Integer> torn = new TreeMap<>();
        /** Epochs of the records that a disk that had lied has instead of those that it lost, by offset. */
        final TreeMap<Long, Integer> revived = new TreeMap<>();
    }

    private final TreeMap<Integer, TreeMap<TopicPartition, Replica>> replicas = new TreeMap<>();
    private int lost;

    private Replica replica(int node, TopicPartition id) {
        return replicas.computeIfAbsent(node, key -> new TreeMap<>()).computeIfAbsent(id, key -> new Replica());
    }

    /** A node's replica as it is now; null where its disk has lost something and it is not loaded again. */
    @Nullable
    PartitionView view(int node, TopicPartition id) {
        return replica(node, id).view;
    }

    /** Where a replica's log ended after its last step. */
    long end(int node, TopicPartition id) {
        return replica(node, id).seenEnd;
    }

    /** Every replica that is loaded. */
    void forEach(Visitor visitor) {
        replicas.forEach((node, held) -> held.forEach((id, replica) -> {
            PartitionView view = replica.view;
            if (view != null) {
                visitor.visit(node, id, view);
            }
        }));
    }

    /** How many records disks have lost so far. */
    int lost() {
        return lost;
    }

    /** Whether a node's own disk lost this record, and it was not fetched again. */
    boolean lost(int node, TopicPartition id, long offset, int epoch) {
        Integer torn = replica(node, id).torn.get(offset);
        return torn != null && torn == epoch;
    }

    /** Whether a node has this record since its disk, which had lied of a cut, brought it back in the place of another. */
    boolean revived(int node, TopicPartition id, long offset, int epoch) {
        Integer revived = replica(node, id).revived.get(offset);
        return revived != null && revived == epoch;
    }

    /** Epochs of the records that a node's disk lost and that were not fetched again, by offset. */
    SortedMap<Long, Integer> torn(int node, TopicPartition id) {
        return replica(node, id).torn;
    }

    /** Whether a replica of the node has records. */
    boolean holdsRecords(int node) {
        return replicas.getOrDefault(node, new TreeMap<>()).values().stream().anyMatch(replica -> replica.seenEnd > 0);
    }

    /**
     * The disk of a node is about to lose what it has not fsynced, or all.
     *
     * @param lied whether it said of some of that that it was fsynced: then a file that was cut and written again may have
     *     old records below new ones
     */
    void losesData(int node, boolean lied) {
        replicas.getOrDefault(node, new TreeMap<>()).values().forEach(replica -> {
            PartitionView view = replica.view;
            if (view != null) {
                replica.before = new Before(view.log(), view.logEnd(), lied);
                replica.view = null;
            }
        });
    }

    /** After a step of a replica. Returns whether what the log held below its end has changed. */
    boolean follow(int node, TopicPartition id, PartitionView view) {
        Replica replica = replica(node, id);
        Before before = replica.before;
        boolean changed = before != null || view.logEnd() < replica.seenEnd;
        if (before != null) {
            replica.before = null;
            for (long offset = before.end() - 1; offset >= 0; offset--) {
                int epoch = before.epochAt(offset);
                if (view.epochAt(offset) != epoch) {
                    replica.torn.put(offset, epoch);
                    lost++;
                    if (before.lied() && view.epochAt(offset) >= 0) {
                        replica.revived.put(offset, view.epochAt(offset));
                    }
                } else if (!before.lied()) {
                    break; // A cut is forced before more is written: what is kept is a prefix.
                }
            }
            replica.seenEnd = 0;
        }
        replica.view = view;
        if (!replica.torn.isEmpty()) {
            for (long offset = Math.min(replica.seenEnd, view.logEnd()); offset < view.logEnd(); offset++) {
                replica.torn.remove(offset, view.epochAt(offset));
            }
        }
        replica.revived.entrySet().removeIf(record -> view.epochAt(record.getKey()) != record.getValue());
        replica.seenEnd = view.logEnd();
        return changed;
    }
}
