package io.tidemark.core.partition;

import io.tidemark.core.ErrorCode;
import io.tidemark.core.Guard;
import io.tidemark.core.SpecAction;
import io.tidemark.core.Step;
import io.tidemark.core.log.BatchHeader;
import io.tidemark.core.log.EpochLog;
import io.tidemark.core.log.EpochStart;
import io.tidemark.core.log.OffsetAndEpoch;
import java.util.List;

/** A follower in one leader epoch: one live fetch, whose content is a function of the replica's state. */
final class FollowerState {
    private final ReplicaState replica;
    private FetchAsked asked;

    FollowerState(ReplicaState replica) {
        this.replica = replica;
        this.asked = request();
    }

    FetchAsked asked() {
        return asked;
    }

    private FetchAsked request() {
        EpochLog log = replica.log;
        return new FetchAsked(
                replica.leader(),
                replica.leaderEpoch(),
                log.endOffset(),
                log.epochAt(log.endOffset() - 1),
                log.logStart());
    }

    void fetch() {
        asked = request();
        replica.emit(new PartitionEffect.Fetch(asked, replica.durableTo(asked.offset())));
    }

    Step<PartitionEffect> handleFetchResponse(PartitionInput.HandleFetchResponse input) {
        if (replica.guards.on(Guard.RESP_STILL_ASKED) && !input.asked().equals(asked)) {
            return replica.stutter();
        }
        boolean understood = input.error() == ErrorCode.OFFSET_OUT_OF_RANGE
                ? outOfRange(input)
                : input.error() == ErrorCode.NONE && continueLog(input);
        fetch();
        return understood ? replica.step(SpecAction.HandleFetchResponse) : replica.stutter();
    }

    private boolean continueLog(PartitionInput.HandleFetchResponse input) {
        if (input.diverging() != null && replica.guards.on(Guard.RESP_DIVERGENCE_FIRST)) {
            return truncate(input.diverging());
        }
        if (!append(input)) {
            return false;
        }
        if (input.hw() >= 0) {
            replica.moveHw(Math.max(replica.log.logStart(), Math.min(input.hw(), replica.log.endOffset())));
        }
        advanceLogStart(input.logStart());
        return true;
    }

    /**
     * Cuts to the last point up to which both logs can be equal (KIP-101, KIP-279): never past the leader's end of the
     * epoch that it names, nor past the own one. Should epochs still differ there, the next fetch diverges again.
     */
    private boolean truncate(OffsetAndEpoch diverging) {
        if (diverging.offset() < 0) {
            return false;
        }
        long target = Math.min(replica.log.endOffset(), diverging.offset());
        if (replica.guards.on(Guard.TRUNCATE_OWN_EPOCH)) {
            OffsetAndEpoch own = replica.log.endOffsetFor(diverging.epoch());
            target = own.offset() < 0 ? target : Math.min(target, own.offset());
        }
        if (!replica.guards.on(Guard.TRUNCATE_BY_EPOCH)) {
            target = replica.hw;
        }
        if (target < replica.log.endOffset()) {
            replica.truncateTo(target);
        }
        return true;
    }

    /**
     * Appends the batches that continue the log, of an epoch that this fetch could ask for (KAFKA-18723). Nothing is compacted:
     * a batch behind a gap tells of a leader that has lost what was in between.
     */
    private boolean append(PartitionInput.HandleFetchResponse input) {
        List<BatchHeader> batches = input.batches();
        EpochLog log = replica.log;
        int lastEpochBefore = log.lastEpoch();
        int count = 0;
        long next = input.asked().offset();
        while (count < batches.size()
                && batches.get(count).baseOffset() == next
                && continues(batches.get(count), input.asked())) {
            BatchHeader batch = batches.get(count++);
            next = batch.nextOffset();
            log.append(batch.leaderEpoch(), batch.baseOffset(), batch.nextOffset());
            replica.producers.appended(batch);
        }
        if (count > 0) {
            replica.emit(new PartitionEffect.AppendFetched(batches.subList(0, count), input.records()));
            replica.appended(lastEpochBefore);
        }
        return count > 0 || batches.isEmpty();
    }

    private boolean continues(BatchHeader batch, FetchAsked request) {
        boolean notAbove = batch.leaderEpoch() <= request.leaderEpoch() || !replica.guards.on(Guard.RESP_BATCH_EPOCH);
        return notAbove
                && batch.leaderEpoch() >= Math.max(0, replica.log.lastEpoch())
                && batch.baseOffset() >= replica.log.endOffset();
    }

    /** What the leader has deleted goes here too, as far as it is committed. */
    private void advanceLogStart(long leaderLogStart) {
        long target = Math.min(leaderLogStart, replica.hw);
        if (target > replica.log.logStart()) {
            List<EpochStart> before = replica.log.starts();
            replica.log.advanceLogStart(target);
            if (!replica.log.starts().equals(before)) {
                replica.emit(new PartitionEffect.EpochsChanged(replica.log.starts()));
            }
        }
    }

    private boolean outOfRange(PartitionInput.HandleFetchResponse input) {
        return dropEpochsAbove(replica.leaderEpoch()) || startAnew(input.logStart());
    }

    /**
     * The leader does not know the last epoch here, and its own is the highest there can be: what this log holds of epochs
     * above is damaged, and the leader has what was committed in its place.
     */
    private boolean dropEpochsAbove(int leaderEpoch) {
        for (EpochStart start : replica.log.starts()) {
            if (start.epoch() > leaderEpoch) {
                replica.truncateTo(start.startOffset());
                return true;
            }
        }
        return false;
    }

    /**
     * The leader's log does not reach back to the end of this one, or this one is empty and lies elsewhere: start where the
     * leader's log starts. A log with records within the leader's range is never out of range (it would diverge), so it is
     * not dropped on such an answer.
     */
    private boolean startAnew(long leaderLogStart) {
        EpochLog log = replica.log;
        boolean empty = log.logStart() == log.endOffset();
        if (leaderLogStart < 0 || (leaderLogStart <= log.endOffset() && !empty)) {
            return false;
        }
        replica.truncateFully(leaderLogStart);
        return true;
    }
}
