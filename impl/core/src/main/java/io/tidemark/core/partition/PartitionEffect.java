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
    void applyTo(Handler handler);

    /** Carries effects out: one method each, so that a new effect does not compile until somebody does. */
    interface Handler {
        void append(Append effect);

        void appendFetched(AppendFetched effect);

        void truncate(Truncate effect);

        void truncateFully(TruncateFully effect);

        void epochsChanged(EpochsChanged effect);

        void flush(Flush effect);

        void forgetProducers(ForgetProducers effect);

        void sendAlterPartition(SendAlterPartition effect);

        void abandonAlterPartition(AbandonAlterPartition effect);

        void fetch(Fetch effect);

        void abandonFetch(AbandonFetch effect);

        void replyProduce(ReplyProduce effect);

        void replyFetch(ReplyFetch effect);

        void leoMoved(LeoMoved effect);

        void hwMoved(HwMoved effect);

        void roleChanged(RoleChanged effect);

        void isrChanged(IsrChanged effect);

        void leadershipRefused(LeadershipRefused effect);

        void self(Self effect);
    }

    /** A leader's append: write {@code batch}'s base offset and leader epoch into the bytes, then append them. */
    record Append(BatchHeader batch, RecordsRef records) implements PartitionEffect {
        @Override
        public void applyTo(Handler handler) {
            handler.append(this);
        }
    }

    /** A follower's append: the first {@code batches.size()} batches of {@code records}, as they are. */
    record AppendFetched(List<BatchHeader> batches, RecordsRef records) implements PartitionEffect {
        public AppendFetched {
            batches = List.copyOf(batches);
        }

        @Override
        public void applyTo(Handler handler) {
            handler.appendFetched(this);
        }
    }

    /** Cut the log; the runtime then hands in {@link PartitionInput.ReloadProducers}. */
    record Truncate(long offset) implements PartitionEffect {
        @Override
        public void applyTo(Handler handler) {
            handler.truncate(this);
        }
    }

    /** Drop everything and start empty at {@code offset}. */
    record TruncateFully(long offset) implements PartitionEffect {
        @Override
        public void applyTo(Handler handler) {
            handler.truncateFully(this);
        }
    }

    /** The leader epochs changed: write {@code leader-epoch-checkpoint}. */
    record EpochsChanged(List<EpochStart> epochs) implements PartitionEffect {
        public EpochsChanged {
            epochs = List.copyOf(epochs);
        }

        @Override
        public void applyTo(Handler handler) {
            handler.epochsChanged(this);
        }
    }

    /** These producers expired: snapshots of producer state do not keep them either. */
    record ForgetProducers(List<Long> producerIds) implements PartitionEffect {
        public ForgetProducers {
            producerIds = List.copyOf(producerIds);
        }

        @Override
        public void applyTo(Handler handler) {
            handler.forgetProducers(this);
        }
    }

    /** fsync up to the present end, then tell with {@link PartitionInput.PersistLog}. */
    record Flush() implements PartitionEffect {
        @Override
        public void applyTo(Handler handler) {
            handler.flush(this);
        }
    }

    /**
     * From now on this is the live AlterPartition of this replica: sent, and sent again after a back-off, until an answer
     * that settles it arrives: then, and whenever else it is over, {@link AbandonAlterPartition} says so. While an
     * attempt that was not answered may still arrive, each answer is handed in with {@link
     * PartitionInput.HandleAlterPartitionResponse#strayPossible}.
     */
    record SendAlterPartition(AlterPartitionAsked request) implements PartitionEffect {
        @Override
        public void applyTo(Handler handler) {
            handler.sendAlterPartition(this);
        }
    }

    /** The live AlterPartition is over: settled, or overtaken by metadata. It is not sent again; its answer is no input. */
    record AbandonAlterPartition() implements PartitionEffect {
        @Override
        public void applyTo(Handler handler) {
            handler.abandonAlterPartition(this);
        }
    }

    /**
     * From now on this is what a fetch to the leader carries for this replica.
     *
     * @param requires what must hold before it is sent (an fsync that an append asked for)
     */
    record Fetch(FetchAsked request, Requires requires) implements PartitionEffect {
        @Override
        public void applyTo(Handler handler) {
            handler.fetch(this);
        }
    }

    /** No fetch is live: its answer is no longer an input. */
    record AbandonFetch() implements PartitionEffect {
        @Override
        public void applyTo(Handler handler) {
            handler.abandonFetch(this);
        }
    }

    /** The answer for one batch; the base offset is -1 with an error. */
    record ReplyProduce(ReplyToken token, ErrorCode error, long baseOffset, long logStart, Requires requires)
            implements PartitionEffect {
        @Override
        public void applyTo(Handler handler) {
            handler.replyProduce(this);
        }
    }

    record ReplyFetch(ReplyToken token, FetchAnswer answer) implements PartitionEffect {
        @Override
        public void applyTo(Handler handler) {
            handler.replyFetch(this);
        }
    }

    record LeoMoved(long leo) implements PartitionEffect {
        @Override
        public void applyTo(Handler handler) {
            handler.leoMoved(this);
        }
    }

    record HwMoved(long hw) implements PartitionEffect {
        @Override
        public void applyTo(Handler handler) {
            handler.hwMoved(this);
        }
    }

    record RoleChanged(PartitionRole role, int leader, int leaderEpoch) implements PartitionEffect {
        @Override
        public void applyTo(Handler handler) {
            handler.roleChanged(this);
        }
    }

    /** The own log holds an epoch above the one to lead in: this replica serves nobody until another leads. */
    record LeadershipRefused(int leaderEpoch, int lastEpoch) implements PartitionEffect {
        @Override
        public void applyTo(Handler handler) {
            handler.leadershipRefused(this);
        }
    }

    /** The committed ISR as this leader knows it changed: shrunk or expanded (for metrics and logs). */
    record IsrChanged(List<Integer> isr) implements PartitionEffect {
        public IsrChanged {
            isr = List.copyOf(isr);
        }

        @Override
        public void applyTo(Handler handler) {
            handler.isrChanged(this);
        }
    }

    record Self(PartitionInput input) implements PartitionEffect {
        @Override
        public void applyTo(Handler handler) {
            handler.self(this);
        }
    }
}
