package io.tidemark.core.partition;

import io.tidemark.core.ErrorCode;
import io.tidemark.core.Guard;
import io.tidemark.core.Requires;
import io.tidemark.core.SpecAction;
import io.tidemark.core.Step;
import io.tidemark.core.log.BatchHeader;
import io.tidemark.core.log.EpochStart;
import io.tidemark.core.log.LogState;
import io.tidemark.core.log.OffsetAndEpoch;
import io.tidemark.core.log.ProducerEntry;
import io.tidemark.core.metadata.PartitionRegistration;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One replica of one partition: the spec's module Partition. Each method is one action; what a role does is in {@link
 * LeaderState} and {@link FollowerState}, what every role holds in {@link ReplicaState}.
 *
 * <pre>
 * role      to        when ApplyPartitionChange brings a greater leader epoch
 * any       LEADER    that names this broker
 * any       FOLLOWER  that names another, and this broker is assigned
 * any       NONE      without a leader, or this broker is no longer assigned, or names it and its log holds an epoch above
 * </pre>
 *
 * Owned by one thread. An input that is refused changes nothing; it may be answered.
 */
public final class PartitionCore implements PartitionActions {
    private final ReplicaState replica;
    private final PartitionView view = new View();
    private @Nullable LeaderState leader;
    private @Nullable FollowerState follower;

    public PartitionCore(PartitionConfig config, LogState log) {
        this(new ReplicaState(config, log), null, null);
    }

    /** In the midst of a role: what a test starts from. */
    PartitionCore(ReplicaState replica, @Nullable LeaderState leader, @Nullable FollowerState follower) {
        this.replica = replica;
        this.leader = leader;
        this.follower = follower;
    }

    /** Takes one step. */
    public Step<PartitionEffect> apply(PartitionInput input) {
        replica.begin();
        return input.applyTo(this);
    }

    /** The present state, read only; it changes with the next step. */
    public PartitionView view() {
        return view;
    }

    // Leader

    @Override
    public Step<PartitionEffect> handleProduce(PartitionInput.HandleProduce input) {
        ErrorCode error = ErrorCode.NONE;
        BatchHeader batch = input.batch();
        if (!AckRule.isValid(input.acks())) {
            error = ErrorCode.INVALID_REQUIRED_ACKS;
        } else if (leader == null) {
            error = ErrorCode.NOT_LEADER_OR_FOLLOWER;
        } else if (batch.control()
                || (batch.hasProducer() && (batch.baseSequence() < 0 || batch.producerEpoch() < 0))) {
            error = ErrorCode.INVALID_RECORD;
        }
        return leader == null || error != ErrorCode.NONE
                ? replica.refuseProduce(input.token(), error)
                : leader.handleProduce(input);
    }

    /** Code only: the answer is given up, the record stays. */
    @Override
    public Step<PartitionEffect> ackTimeout(PartitionInput.AckTimeout input) {
        if (leader != null && leader.acks().remove(input.token())) {
            replica.emit(new PartitionEffect.ReplyProduce(
                    input.token(), ErrorCode.REQUEST_TIMED_OUT, -1, -1, Requires.NOTHING));
        }
        return replica.stutter();
    }

    @Override
    public Step<PartitionEffect> handleFetch(PartitionInput.HandleFetch input) {
        ErrorCode error = replica.checkLeaderEpoch(input.currentLeaderEpoch());
        if (error != ErrorCode.NONE) {
            return replica.refuseFetch(input.token(), error);
        }
        return leader == null
                ? replica.refuseFetch(input.token(), ErrorCode.NOT_LEADER_OR_FOLLOWER)
                : leader.handleFetch(input);
    }

    /** Code only: of an answer that waits, the specification has the bytes read late, not when. */
    @Override
    public Step<PartitionEffect> followerRead(PartitionInput.FollowerRead input) {
        ErrorCode error = replica.checkLeaderEpoch(input.currentLeaderEpoch());
        if (error != ErrorCode.NONE || leader == null) {
            return replica.refuseFetch(
                    input.token(), error != ErrorCode.NONE ? error : ErrorCode.NOT_LEADER_OR_FOLLOWER);
        }
        FetchAnswer misplaced = replica.misplaced(input.fetchOffset(), input.lastFetchedEpoch());
        replica.emit(new PartitionEffect.ReplyFetch(
                input.token(),
                misplaced != null ? misplaced : replica.readable(input.fetchOffset(), replica.log.endOffset())));
        return replica.stutter();
    }

    @Override
    public Step<PartitionEffect> proposeExpandIsr(PartitionInput.ProposeExpandIsr input) {
        return leader == null ? replica.stutter() : leader.proposeExpandIsr(input);
    }

    @Override
    public Step<PartitionEffect> replicaLagTimeout(PartitionInput.ReplicaLagTimeout input) {
        return leader == null ? replica.stutter() : leader.replicaLagTimeout(input);
    }

    @Override
    public Step<PartitionEffect> handleAlterPartitionResponse(PartitionInput.HandleAlterPartitionResponse input) {
        return leader == null ? replica.stutter() : leader.handleAlterPartitionResponse(input);
    }

    // Follower

    @Override
    public Step<PartitionEffect> handleFetchResponse(PartitionInput.HandleFetchResponse input) {
        return follower == null ? replica.stutter() : follower.handleFetchResponse(input);
    }

    /** Code only: the spec has no producers. */
    @Override
    public Step<PartitionEffect> reloadProducers(PartitionInput.ReloadProducers input) {
        replica.producers.load(input.producers());
        return replica.stutter();
    }

    // Both

    /** Code only: when the disk is asked to write is not the spec's. */
    @Override
    public Step<PartitionEffect> applyFlushChange(PartitionInput.ApplyFlushChange input) {
        replica.flushMessages = input.messages();
        replica.flushIfDue();
        return replica.stutter();
    }

    /** Code only: the spec has no producers. */
    @Override
    public Step<PartitionEffect> expireProducers(PartitionInput.ExpireProducers input) {
        List<Long> expired = replica.producers.expire(input.lastTimestamp());
        if (!expired.isEmpty()) {
            replica.emit(new PartitionEffect.ForgetProducers(expired));
        }
        return replica.stutter();
    }

    @Override
    public Step<PartitionEffect> persistLog(PartitionInput.PersistLog input) {
        long flushed = Math.min(input.flushed(), replica.log.endOffset());
        if (flushed <= replica.flushed) {
            return replica.stutter();
        }
        replica.flushed = flushed;
        if (leader != null) {
            leader.advanceHw();
        }
        return replica.step(SpecAction.PersistLog);
    }

    @Override
    public Step<PartitionEffect> consumerRead(PartitionInput.ConsumerRead input) {
        ErrorCode error = replica.checkLeaderEpoch(input.currentLeaderEpoch());
        if (error == ErrorCode.NONE && view.role() == PartitionRole.NONE) {
            error = ErrorCode.NOT_LEADER_OR_FOLLOWER;
        }
        if (error != ErrorCode.NONE) {
            return replica.refuseFetch(input.token(), error);
        }
        FetchAnswer misplaced = replica.misplaced(input.fetchOffset(), input.lastFetchedEpoch());
        long upTo = Math.max(input.fetchOffset(), replica.hw);
        replica.emit(new PartitionEffect.ReplyFetch(
                input.token(), misplaced != null ? misplaced : replica.readable(input.fetchOffset(), upTo)));
        boolean exposes = misplaced == null && input.fetchOffset() < upTo;
        return exposes ? replica.step(SpecAction.ConsumerRead) : replica.stutter();
    }

    // Metadata

    @Override
    public Step<PartitionEffect> applyPartitionChange(PartitionInput.ApplyPartitionChange input) {
        PartitionRegistration next = input.registration();
        if (input.metadataOffset() < replica.applied) {
            return replica.stutter();
        }
        replica.applied = input.metadataOffset();
        if (next.partitionEpoch() <= replica.partitionEpoch() && replica.guards.on(Guard.APPLY_OLDER)) {
            // The answer to AlterPartition was faster. A change that is pending was decided on what it said, and may
            // have been made: the record that only repeats it (equal epochs, and the ELR with it) does not overtake it.
            replica.part = next.partitionEpoch() == replica.partitionEpoch() ? next : replica.part;
            if (leader != null) {
                leader.applyAnswered(next.partitionEpoch());
            }
            return replica.step(SpecAction.ApplyPartitionChange);
        }
        boolean newEpoch = next.leaderEpoch() > replica.leaderEpoch();
        replica.part = next;
        if (newEpoch) {
            changeRole(next);
        } else if (leader != null) {
            leader.applyRegistration();
        }
        return replica.step(SpecAction.ApplyPartitionChange);
    }

    private void changeRole(PartitionRegistration next) {
        int self = replica.config.brokerId();
        // What is in the log was written in epochs before this one: the log is damaged, or the metadata is of the past.
        boolean leads = next.leader() == self && replica.log.lastEpoch() <= next.leaderEpoch();
        PendingAcks acks = leader == null ? new PendingAcks() : leader.acks();
        if (leader != null) {
            leader.abandonAlterPartition();
            if (!leads) {
                leader.failAcks();
            }
            leader = null;
        }
        boolean follows =
                next.hasLeader() && next.leader() != self && next.replicas().contains(self);
        boolean keepsFetch = follows && follower != null && !replica.guards.on(Guard.APPLY_DROPS_FETCH);
        if (follower != null && !keepsFetch) {
            replica.emit(new PartitionEffect.AbandonFetch());
            follower = null;
        }
        if (next.leader() == self && !leads) {
            replica.emit(new PartitionEffect.LeadershipRefused(next.leaderEpoch(), replica.log.lastEpoch()));
        }
        if (leads) {
            int lastEpochBefore = replica.log.lastEpoch();
            replica.log.beginEpoch(next.leaderEpoch());
            if (lastEpochBefore != next.leaderEpoch()) {
                replica.emit(new PartitionEffect.EpochsChanged(replica.log.starts()));
            }
            leader = new LeaderState(replica, acks);
        } else {
            replica.dropEmptyEpoch();
        }
        replica.emit(new PartitionEffect.RoleChanged(
                leads ? PartitionRole.LEADER : follows ? PartitionRole.FOLLOWER : PartitionRole.NONE,
                next.leader(),
                next.leaderEpoch()));
        if (leader != null) {
            leader.advanceHw();
        } else if (follows && !keepsFetch) {
            follower = new FollowerState(replica);
            follower.fetch();
        }
    }

    @Override
    public Step<PartitionEffect> applyBrokerChange(PartitionInput.ApplyBrokerChange input) {
        if (input.metadataOffset() < replica.applied) {
            return replica.stutter();
        }
        replica.applied = input.metadataOffset();
        if (input.brokerEpoch() < 0) {
            replica.reg.remove(input.brokerId());
        } else {
            replica.reg.put(input.brokerId(), new KnownBroker(input.brokerEpoch(), input.active()));
        }
        if (leader != null) {
            leader.applyBroker(input.brokerId());
            leader.advanceHw();
        }
        return replica.step(SpecAction.ApplyBrokerChange);
    }

    @Override
    public Step<PartitionEffect> applyMinIsrChange(PartitionInput.ApplyMinIsrChange input) {
        if (input.metadataOffset() < replica.applied) {
            return replica.stutter();
        }
        replica.applied = input.metadataOffset();
        replica.minIsr = input.minIsr();
        if (leader != null) {
            leader.advanceHw();
        }
        return replica.step(SpecAction.ApplyMinIsrChange);
    }

    private final class View implements PartitionView {
        @Override
        public PartitionRole role() {
            return leader != null
                    ? PartitionRole.LEADER
                    : follower != null ? PartitionRole.FOLLOWER : PartitionRole.NONE;
        }

        @Override
        public List<EpochStart> log() {
            return replica.log.starts();
        }

        @Override
        public long logStart() {
            return replica.log.logStart();
        }

        @Override
        public long logEnd() {
            return replica.log.endOffset();
        }

        @Override
        public long flushed() {
            return replica.flushed;
        }

        @Override
        public long hw() {
            return replica.hw;
        }

        @Override
        public long applied() {
            return replica.applied;
        }

        @Override
        public long brokerEpoch() {
            return replica.brokerEpoch();
        }

        @Override
        public @Nullable PartitionRegistration part() {
            return replica.part;
        }

        @Override
        public SortedMap<Integer, KnownBroker> reg() {
            return new TreeMap<>(replica.reg);
        }

        @Override
        public int minIsr() {
            return replica.minIsr;
        }

        @Override
        public long epochStart() {
            return leader == null ? -1 : leader.epochStart();
        }

        @Override
        public SortedMap<Integer, FollowerProgress> follower() {
            return leader == null ? new TreeMap<>() : leader.progress();
        }

        @Override
        public @Nullable IsrState isrState() {
            return leader == null ? null : leader.isrState();
        }

        @Override
        public List<Integer> departed() {
            return leader == null ? List.of() : leader.departed();
        }

        @Override
        public @Nullable FetchAsked asked() {
            return follower == null ? null : follower.asked();
        }

        @Override
        public List<ProducerEntry> producers() {
            return replica.producers.snapshot();
        }

        @Override
        public List<Long> pendingAcks() {
            List<Long> required = new ArrayList<>();
            if (leader != null) {
                leader.acks().all().forEach(ack -> required.add(ack.required()));
            }
            return required;
        }

        @Override
        public int epochAt(long offset) {
            return replica.log.epochAt(offset);
        }

        @Override
        public OffsetAndEpoch endOffsetFor(int epoch) {
            return replica.log.endOffsetFor(epoch);
        }
    }
}
