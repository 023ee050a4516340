package io.tidemark.core.partition;

import io.tidemark.core.ErrorCode;
import io.tidemark.core.Guard;
import io.tidemark.core.ReplyToken;
import io.tidemark.core.Requires;
import io.tidemark.core.SpecAction;
import io.tidemark.core.Step;
import io.tidemark.core.log.BatchHeader;
import io.tidemark.core.log.ProducerEntry;
import io.tidemark.core.metadata.LeaderRecovery;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A leader in one leader epoch: its followers, the ISR, and the acknowledgements that wait. */
final class LeaderState {
    private final ReplicaState replica;
    private final long epochStart;
    private final PendingAcks acks;
    private Follower[] followers = {};
    private IsrState isrState;

    /** @param acks those of the leader epoch before, where this replica led it too: the log was not cut in between */
    LeaderState(ReplicaState replica, PendingAcks acks) {
        this.replica = replica;
        this.acks = acks;
        this.epochStart = replica.log.endOffset();
        this.isrState = new IsrState.Committed(replica.part().isr());
        commit();
    }

    /** In the midst of a leader epoch: what a test starts from. */
    LeaderState(ReplicaState replica, PendingAcks acks, long epochStart, IsrState isrState, List<Follower> followers) {
        this.replica = replica;
        this.acks = acks;
        this.epochStart = epochStart;
        this.isrState = isrState;
        this.followers = followers.toArray(Follower[]::new);
        become(isrState);
        followers.forEach(follower -> applyBroker(follower.id));
    }

    long epochStart() {
        return epochStart;
    }

    IsrState isrState() {
        return isrState;
    }

    PendingAcks acks() {
        return acks;
    }

    SortedMap<Integer, FollowerProgress> progress() {
        SortedMap<Integer, FollowerProgress> all = new TreeMap<>();
        for (Follower follower : followers) {
            all.put(follower.id, follower.progress());
        }
        return all;
    }

    // Produce

    Step<PartitionEffect> handleProduce(PartitionInput.HandleProduce input) {
        BatchHeader batch = input.batch();
        if (decide(input.acks(), Long.MAX_VALUE) == AckRule.Decision.REFUSE) {
            return replica.refuseProduce(input.token(), ErrorCode.NOT_ENOUGH_REPLICAS);
        }
        if (batch.hasProducer()) {
            ProducerEntry.Batch duplicate = replica.producers.duplicateOf(batch);
            if (duplicate != null) {
                return answerDuplicate(input, duplicate);
            }
            ErrorCode error = replica.producers.check(batch);
            if (error != ErrorCode.NONE) {
                return replica.refuseProduce(input.token(), error);
            }
        }
        BatchHeader appended = batch.assigned(replica.log.endOffset(), replica.leaderEpoch());
        int lastEpochBefore = replica.log.lastEpoch();
        replica.log.append(appended.leaderEpoch(), appended.baseOffset(), appended.nextOffset());
        replica.producers.appended(appended);
        replica.emit(new PartitionEffect.Append(appended, input.records()));
        replica.appended(lastEpochBefore);
        advanceHw();
        answer(input, appended.nextOffset(), appended.nextOffset(), appended.baseOffset());
        return replica.step(SpecAction.HandleProduce);
    }

    /** The first answer may have been lost: the same offsets again, and no sooner promised than the first time. */
    private Step<PartitionEffect> answerDuplicate(PartitionInput.HandleProduce input, ProducerEntry.Batch duplicate) {
        long end = duplicate.lastOffset() + 1;
        boolean waits = replica.guards.on(Guard.ACK_DUPLICATE_AFTER_HW);
        answer(input, end, waits ? end : 0, duplicate.baseOffset());
        return replica.step(SpecAction.HandleProduce);
    }

    private void answer(PartitionInput.HandleProduce input, long end, long required, long baseOffset) {
        if (decide(input.acks(), required) == AckRule.Decision.ACK) {
            acknowledge(input.token(), baseOffset, input.acks() == 1 ? replica.durableTo(end) : Requires.NOTHING);
        } else {
            acks.add(new PendingAcks.Ack(input.token(), required, baseOffset));
        }
    }

    private AckRule.Decision decide(short acksAsked, long required) {
        return AckRule.decide(
                replica.guards,
                acksAsked,
                replica.minIsr,
                isrState.isr().size(),
                isrState.maximalIsr().size(),
                required,
                replica.hw);
    }

    private void acknowledge(ReplyToken token, long baseOffset, Requires requires) {
        replica.emit(
                new PartitionEffect.ReplyProduce(token, ErrorCode.NONE, baseOffset, replica.log.logStart(), requires));
    }

    /** Applies {@link HwRule} to what has changed, and {@link AckRule} to who waits for it. */
    void advanceHw() {
        long hw = HwRule.highWatermark(
                replica.guards, replica.hw, replica.ownEnd(), isrState.isr().size(), replica.minIsr, followers);
        if (hw == replica.hw) {
            return;
        }
        replica.moveHw(hw);
        PendingAcks.Ack first = acks.first();
        while (first != null && decide(AckRule.ACKS_ALL, first.required()) == AckRule.Decision.ACK) {
            acknowledge(first.token(), first.baseOffset(), Requires.NOTHING);
            acks.removeFirst();
            first = acks.first();
        }
    }

    /** This replica leads no longer: what waits cannot be promised any more. */
    void failAcks() {
        for (PendingAcks.Ack ack : acks.all()) {
            replica.refuseProduce(ack.token(), ErrorCode.NOT_LEADER_OR_FOLLOWER);
            acks.removeFirst();
        }
    }

    // Fetch

    Step<PartitionEffect> handleFetch(PartitionInput.HandleFetch input) {
        Follower follower = find(input.replicaId());
        if (follower == null) {
            // With an epoch that we share, it knows of an assignment that we have yet to apply.
            return replica.refuseFetch(
                    input.token(),
                    input.currentLeaderEpoch() >= 0
                            ? ErrorCode.UNKNOWN_LEADER_EPOCH
                            : ErrorCode.NOT_LEADER_OR_FOLLOWER);
        }
        // Kafka lets a fetch without a broker epoch pass: then one of an earlier life counts for the log of a later
        // one.
        if (input.brokerEpoch() < follower.registeredEpoch && replica.guards.on(Guard.FETCH_BROKER_EPOCH)) {
            return replica.refuseFetch(input.token(), ErrorCode.NOT_LEADER_OR_FOLLOWER);
        }
        FetchAnswer misplaced = replica.misplaced(input.fetchOffset(), input.lastFetchedEpoch());
        if (misplaced != null && (misplaced.diverging() == null || replica.guards.on(Guard.FETCH_DIVERGENCE_FIRST))) {
            replica.emit(new PartitionEffect.ReplyFetch(input.token(), misplaced));
            return replica.step(SpecAction.HandleFetch);
        }
        follower.fetched(input.fetchOffset(), input.brokerEpoch(), replica.log.endOffset());
        advanceHw();
        // Without the guard one that diverges has counted: the answer tells the high watermark of now.
        FetchAnswer diverges =
                misplaced == null ? null : replica.misplaced(input.fetchOffset(), input.lastFetchedEpoch());
        replica.emit(new PartitionEffect.ReplyFetch(
                input.token(),
                diverges != null ? diverges : replica.readable(input.fetchOffset(), replica.log.endOffset())));
        if (mayJoin(follower, input.brokerEpoch(), input.fetchOffset())) {
            replica.emit(new PartitionEffect.Self(
                    new PartitionInput.ProposeExpandIsr(input.replicaId(), input.brokerEpoch(), input.fetchOffset())));
        }
        return replica.step(SpecAction.HandleFetch);
    }

    // ISR

    /** Offset and broker epoch are those of one fetch (KAFKA-15221). */
    private boolean mayJoin(Follower follower, long brokerEpoch, long offset) {
        return isrState instanceof IsrState.Committed
                && !follower.inIsr
                && follower.active
                && (brokerEpoch == follower.registeredEpoch || !replica.guards.on(Guard.EXPAND_BROKER_EPOCH))
                && (offset >= replica.hw || !replica.guards.on(Guard.EXPAND_HW))
                && (offset >= epochStart || !replica.guards.on(Guard.EXPAND_EPOCH_START));
    }

    Step<PartitionEffect> proposeExpandIsr(PartitionInput.ProposeExpandIsr input) {
        Follower follower = find(input.follower());
        if (follower == null || !mayJoin(follower, input.brokerEpoch(), input.offset())) {
            return replica.stutter();
        }
        List<Integer> proposed = new ArrayList<>();
        for (int id : replica.part().replicas()) {
            if (id == input.follower() || isrState.isr().contains(id)) {
                proposed.add(id);
            }
        }
        AlterPartitionAsked asked = request(proposed);
        become(new IsrState.PendingExpand(isrState.isr(), input.follower(), proposed, asked));
        replica.emit(new PartitionEffect.SendAlterPartition(asked));
        return replica.step(SpecAction.ProposeExpandIsr);
    }

    Step<PartitionEffect> replicaLagTimeout(PartitionInput.ReplicaLagTimeout input) {
        boolean waited = false;
        List<Integer> leaving = new ArrayList<>();
        for (int id : input.laggards()) {
            Follower follower = find(id);
            if (follower == null || follower.offset >= replica.log.endOffset()) {
                continue; // It has caught up since the clock was read.
            }
            if (follower.inIsr) {
                leaving.add(id);
            }
            if (follower.caughtUp) {
                follower.caughtUp = false; // Once it has left, the high watermark does not wait for it to join again.
                waited = true;
            }
        }
        boolean shrinks = !leaving.isEmpty() && isrState instanceof IsrState.Committed;
        if (shrinks) {
            shrink(leaving);
        }
        if (waited) {
            advanceHw();
        }
        return shrinks || waited ? replica.step(SpecAction.ReplicaLagTimeout) : replica.stutter();
    }

    private void shrink(List<Integer> leaving) {
        List<Integer> kept = new ArrayList<>(isrState.isr());
        kept.removeAll(leaving);
        AlterPartitionAsked asked = request(kept);
        become(new IsrState.PendingShrink(isrState.isr(), leaving, asked));
        replica.emit(new PartitionEffect.SendAlterPartition(asked));
    }

    private AlterPartitionAsked request(List<Integer> isr) {
        List<AlterPartitionAsked.Member> members = new ArrayList<>(isr.size());
        for (int id : isr) {
            Follower follower = find(id);
            long epoch = follower != null ? follower.brokerEpoch : replica.brokerEpoch();
            members.add(new AlterPartitionAsked.Member(id, epoch));
        }
        return new AlterPartitionAsked(
                replica.leaderEpoch(), replica.partitionEpoch(), members, LeaderRecovery.RECOVERED);
    }

    Step<PartitionEffect> handleAlterPartitionResponse(PartitionInput.HandleAlterPartitionResponse input) {
        if (!input.asked().equals(isrState.asked())) {
            return replica.stutter();
        }
        AlterPartitionAnswer answer = input.answer();
        if (answer.error() != ErrorCode.NONE) {
            return mayHaveChanged(input) ? replica.stutter() : settled();
        }
        if (answer.leaderEpoch() != replica.leaderEpoch() || answer.partitionEpoch() < replica.partitionEpoch()) {
            return replica.stutter();
        }
        if (answer.partitionEpoch() > replica.partitionEpoch()) {
            for (Follower follower : followers) {
                follower.answered(answer.isr(), answer.partitionEpoch());
            }
        }
        replica.part =
                replica.part().withIsr(answer.isr(), replica.part().elr(), answer.recovery(), answer.partitionEpoch());
        return settled();
    }

    /**
     * Only the metadata log can tell: an error that is no refusal says nothing, and a refusal of this attempt says nothing of
     * an earlier one that is still under way and may be granted.
     */
    private boolean mayHaveChanged(PartitionInput.HandleAlterPartitionResponse input) {
        return input.answer().saysNothingWasChanged()
                ? input.strayPossible() && replica.guards.on(Guard.BELIEVE_REFUSAL_ALONE)
                : replica.guards.on(Guard.PENDING_UNTIL_KNOWN);
    }

    private Step<PartitionEffect> settled() {
        settle();
        return replica.step(SpecAction.HandleAlterPartitionResponse);
    }

    /** Of the same leader epoch: assignment and ISR as the metadata log has them; a pending change is overtaken. */
    void applyRegistration() {
        for (Follower follower : followers) {
            follower.applied(replica.partitionEpoch());
        }
        settle();
    }

    /** The metadata log says what an answer has said before: who left by it holds the high watermark no longer. */
    void applyAnswered(int partitionEpoch) {
        for (Follower follower : followers) {
            follower.applied(partitionEpoch);
        }
        advanceHw();
    }

    List<Integer> departed() {
        return Arrays.stream(followers)
                .filter(Follower::departed)
                .map(follower -> follower.id)
                .toList();
    }

    /** No change is under way any more: the ISR is that of {@code part}. */
    private void settle() {
        List<Integer> isr = replica.part().isr();
        boolean changed = !isr.equals(isrState.isr());
        abandonAlterPartition();
        commit();
        if (changed) {
            replica.emit(new PartitionEffect.IsrChanged(isr));
        }
        advanceHw();
    }

    void abandonAlterPartition() {
        if (isrState.asked() != null) {
            replica.emit(new PartitionEffect.AbandonAlterPartition());
        }
    }

    private void commit() {
        List<Follower> all = new ArrayList<>();
        for (int id : replica.part().replicas()) {
            if (id != replica.config.brokerId()) {
                Follower follower = find(id);
                all.add(follower != null ? follower : new Follower(id));
            }
        }
        followers = all.toArray(Follower[]::new);
        become(new IsrState.Committed(replica.part().isr()));
        for (Follower follower : followers) {
            applyBroker(follower.id);
        }
    }

    /** The one place where {@code isrState} changes: with it goes what the followers have of it for {@link HwRule} to read. */
    private void become(IsrState next) {
        isrState = next;
        for (Follower follower : followers) {
            follower.in(next);
        }
    }

    /** The registration of broker {@code id} is as {@code replica.reg} has it now. */
    void applyBroker(int id) {
        Follower follower = find(id);
        if (follower != null) {
            KnownBroker broker = replica.reg.get(id);
            follower.registeredEpoch = broker == null ? Follower.UNKNOWN : broker.epoch();
            follower.active = broker != null && broker.active();
        }
    }

    private @Nullable Follower find(int id) {
        for (Follower follower : followers) {
            if (follower.id == id) {
                return follower;
            }
        }
        return null;
    }
}
