package io.tidemark.core.partition;

import io.tidemark.core.ErrorCode;
import io.tidemark.core.ReplyToken;
import io.tidemark.core.Requires;
import io.tidemark.core.log.BatchHeader;
import io.tidemark.core.log.EpochStart;
import io.tidemark.core.log.RecordsRef;
import java.util.List;

/** What the runtime carries out for a replica, in the order given. */
public sealed interface PartitionEffect {
    /** A leader's append: write {@code batch}'s base offset and leader epoch into the bytes, then append them. */
    record Append(BatchHeader batch, RecordsRef records) implements PartitionEffect {}

    /** A follower's append: the first {@code batches.size()} batches of {@code records}, as they are. */
    record AppendFetched(List<BatchHeader> batches, RecordsRef records) implements PartitionEffect {
        public AppendFetched {
            batches = List.copyOf(batches);
        }
    }

    /** Cut the log; the runtime then hands in {@link PartitionInput.ReloadProducers}. */
    record Truncate(long offset) implements PartitionEffect {}

    /** Drop everything and start empty at {@code offset}. */
    record TruncateFully(long offset) implements PartitionEffect {}

    /** The leader epochs changed: write {@code leader-epoch-checkpoint}. */
    record EpochsChanged(List<EpochStart> epochs) implements PartitionEffect {
        public EpochsChanged {
            epochs = List.copyOf(epochs);
        }
    }

    /** fsync up to the present end, then tell with {@link PartitionInput.PersistLog}. */
    record Flush() implements PartitionEffect {}

    /**
     * From now on this is the live AlterPartition of this replica: sent, and sent again after a back-off, until an answer
     * that settles it arrives: then, and whenever else it is over, {@link AbandonAlterPartition} says so. It is sent again
     * only once the attempt before was answered or can no longer arrive (its connection is closed): INELIGIBLE_REPLICA is
     * believed to mean that no attempt was carried out.
     */
    record SendAlterPartition(AlterPartitionAsked request) implements PartitionEffect {}

    /** The live AlterPartition is over: settled, or overtaken by metadata. It is not sent again; its answer is no input. */
    record AbandonAlterPartition() implements PartitionEffect {}

    /**
     * From now on this is what a fetch to the leader carries for this replica.
     *
     * @param requires what must hold before it is sent (with flushEveryMessage: the log fsynced up to its offset)
     */
    record Fetch(FetchAsked request, Requires requires) implements PartitionEffect {}

    /** No fetch is live: its answer is no longer an input. */
    record AbandonFetch() implements PartitionEffect {}

    /** The answer for one batch; the base offset is -1 with an error. */
    record ReplyProduce(ReplyToken token, ErrorCode error, long baseOffset, long logStart, Requires requires)
            implements PartitionEffect {}

    record ReplyFetch(ReplyToken token, FetchAnswer answer) implements PartitionEffect {}

    record LeoMoved(long leo) implements PartitionEffect {}

    record HwMoved(long hw) implements PartitionEffect {}

    record LogStartMoved(long logStart) implements PartitionEffect {}

    record RoleChanged(PartitionRole role, int leader, int leaderEpoch) implements PartitionEffect {}

    /** The committed ISR as this leader knows it changed: shrunk or expanded (for metrics and logs). */
    record IsrChanged(List<Integer> isr) implements PartitionEffect {
        public IsrChanged {
            isr = List.copyOf(isr);
        }
    }

    record Self(PartitionInput input) implements PartitionEffect {}
}
