package io.tidemark.core.partition;

import io.tidemark.core.ReplyToken;
import io.tidemark.core.log.LogState;
import io.tidemark.core.metadata.LeaderRecovery;
import io.tidemark.core.metadata.PartitionRegistration;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * A replica started in the midst of things, in a state that the specification gives by its variables. For the comparison with
 * the specification alone; an architecture test keeps it out of a node.
 */
public final class ReplicaInState {
    /**
     * {@code follower[l][f]}.
     *
     * @param departedAt partition epoch of the answer by which it left the ISR, not yet applied; -1 else
     */
    public record Progress(int id, long offset, long brokerEpoch, boolean caughtUp, long leaderEnd, int departedAt) {}

    /** One of {@code pendingAcks[l]}. */
    public record Waiting(long required, long baseOffset, ReplyToken token) {}

    /**
     * What a leader holds; its own epoch begins in the log's epochs already.
     *
     * @param pending the ISR asked for with each member's epoch, null if no change is under way
     */
    public record Leading(
            long epochStart,
            List<Progress> followers,
            @Nullable List<AlterPartitionAsked.Member> pending,
            List<Waiting> waiting) {}

    private ReplicaInState() {}

    /**
     * @param part null before the first partition change; a leader's has the ISR and the partition epoch that it knows
     * @param leading null where it does not lead; then it follows whom {@code part} names, if another
     */
    public static PartitionCore of(
            PartitionConfig config,
            LogState log,
            long flushMessages,
            long applied,
            @Nullable PartitionRegistration part,
            SortedMap<Integer, KnownBroker> reg,
            int minIsr,
            @Nullable Leading leading) {
        ReplicaState replica = new ReplicaState(config, log);
        replica.flushMessages = flushMessages;
        replica.flushIfDue();
        replica.applied = applied;
        replica.part = part;
        replica.reg.putAll(reg);
        replica.minIsr = minIsr;
        if (leading != null) {
            return new PartitionCore(replica, leader(replica, replica.part(), leading), null);
        }
        boolean follows = part != null && part.hasLeader() && part.leader() != config.brokerId();
        return new PartitionCore(replica, null, follows ? new FollowerState(replica) : null);
    }

    private static LeaderState leader(ReplicaState replica, PartitionRegistration part, Leading leading) {
        IsrState isrState = isrState(part, leading.pending());
        List<Follower> followers = new ArrayList<>();
        for (Progress progress : leading.followers()) {
            Follower follower = new Follower(progress.id());
            if (progress.offset() >= 0) {
                follower.fetched(progress.offset(), progress.brokerEpoch(), progress.leaderEnd());
                follower.caughtUp = progress.caughtUp();
            }
            follower.departedAt = progress.departedAt();
            followers.add(follower);
        }
        PendingAcks acks = new PendingAcks();
        leading.waiting().forEach(w -> acks.add(new PendingAcks.Ack(w.token(), w.required(), w.baseOffset())));
        return new LeaderState(replica, acks, leading.epochStart(), isrState, followers);
    }

    private static IsrState isrState(PartitionRegistration part, @Nullable List<AlterPartitionAsked.Member> pending) {
        if (pending == null) {
            return new IsrState.Committed(part.isr());
        }
        AlterPartitionAsked asked =
                new AlterPartitionAsked(part.leaderEpoch(), part.partitionEpoch(), pending, LeaderRecovery.RECOVERED);
        List<Integer> proposed =
                pending.stream().map(AlterPartitionAsked.Member::brokerId).toList();
        List<Integer> joining = new ArrayList<>(proposed);
        joining.removeAll(part.isr());
        if (!joining.isEmpty()) {
            return new IsrState.PendingExpand(part.isr(), joining.get(0), proposed, asked);
        }
        List<Integer> leaving = new ArrayList<>(part.isr());
        leaving.removeAll(proposed);
        return new IsrState.PendingShrink(part.isr(), leaving, asked);
    }
}
