package io.tidemark.core.partition;

import static java.util.Objects.requireNonNull;

import io.tidemark.core.ErrorCode;
import io.tidemark.core.Guard;
import io.tidemark.core.Guards;
import io.tidemark.core.ReplyToken;
import io.tidemark.core.Requires;
import io.tidemark.core.SpecAction;
import io.tidemark.core.Step;
import io.tidemark.core.log.EpochLog;
import io.tidemark.core.log.EpochStart;
import io.tidemark.core.log.LogState;
import io.tidemark.core.log.OffsetAndEpoch;
import io.tidemark.core.log.Producers;
import io.tidemark.core.metadata.PartitionRegistration;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What a replica holds in every role: its log, the metadata it has applied, and the effects of the step under way. */
final class ReplicaState {
    final PartitionConfig config;
    final Guards guards;
    final Producers producers = new Producers();
    final SortedMap<Integer, KnownBroker> reg = new TreeMap<>();
    EpochLog log;
    long flushed;

    /** {@code flush.messages}. */
    long flushMessages = Long.MAX_VALUE;

    /** Where the log ended when an append last asked for an fsync; behind {@link #flushed} once that is done. */
    private long flushAsked;

    long hw;
    long applied = -1;
    int minIsr = 1;

    @Nullable
    PartitionRegistration part;

    /** Reused: a {@link Step} copies it. */
    private final List<PartitionEffect> out = new ArrayList<>();

    ReplicaState(PartitionConfig config, LogState state) {
        this.config = config;
        this.guards = config.guards();
        this.log = new EpochLog(state);
        this.flushed = state.flushed();
        this.hw = state.hw();
        this.producers.load(state.producers());
    }

    // Effects

    void begin() {
        out.clear();
    }

    void emit(PartitionEffect effect) {
        out.add(effect);
    }

    Step<PartitionEffect> step(SpecAction action) {
        return Step.of(action, out);
    }

    Step<PartitionEffect> stutter() {
        return Step.stutter(out);
    }

    Step<PartitionEffect> refuseProduce(ReplyToken token, ErrorCode error) {
        emit(new PartitionEffect.ReplyProduce(token, error, -1, -1, Requires.NOTHING));
        return stutter();
    }

    Step<PartitionEffect> refuseFetch(ReplyToken token, ErrorCode error) {
        emit(new PartitionEffect.ReplyFetch(
                token, new FetchAnswer(error, -1, -1, -1, -1, null, leader(), leaderEpoch())));
        return stutter();
    }

    // Metadata

    PartitionRegistration part() {
        return requireNonNull(part, "no partition change was applied yet");
    }

    /** -1 before the first partition change. */
    int leaderEpoch() {
        return part == null ? -1 : part.leaderEpoch();
    }

    int partitionEpoch() {
        return part == null ? -1 : part.partitionEpoch();
    }

    int leader() {
        return part == null ? PartitionRegistration.NO_LEADER : part.leader();
    }

    /** Own broker epoch by the registration applied, -1 before it. */
    long brokerEpoch() {
        KnownBroker own = reg.get(config.brokerId());
        return own == null ? -1 : own.epoch();
    }

    // Log

    /**
     * How much of the own log counts for the high watermark: all but while an append waits for its fsync (in Kafka that
     * append holds the log's lock meanwhile, and the high watermark cannot move).
     */
    long ownEnd() {
        return flushAsked > flushed ? flushed : log.endOffset();
    }

    /** What must hold before anyone is told that this log reaches {@code endOffset}: the fsyncs that appends asked for. */
    Requires durableTo(long endOffset) {
        long asked = Math.min(flushAsked, endOffset);
        return asked > flushed ? new Requires.Flushed(asked) : Requires.NOTHING;
    }

    void flushIfDue() {
        if (log.endOffset() - Math.max(flushed, flushAsked) >= flushMessages) {
            flushAsked = log.endOffset();
            emit(new PartitionEffect.Flush());
        }
    }

    void appended(int lastEpochBefore) {
        if (log.lastEpoch() != lastEpochBefore) {
            emit(new PartitionEffect.EpochsChanged(log.starts()));
        }
        flushIfDue();
        emit(new PartitionEffect.LeoMoved(log.endOffset()));
    }

    void moveHw(long newHw) {
        if (newHw != hw) {
            hw = newHw;
            emit(new PartitionEffect.HwMoved(hw));
        }
    }

    /** Everything from {@code offset} on goes, or, where nothing would be left, the log starts anew there. */
    void truncateTo(long offset) {
        List<EpochStart> epochsBefore = log.starts();
        if (offset < log.logStart()) {
            log.truncateFullyAt(offset);
            producers.load(List.of());
            emit(new PartitionEffect.TruncateFully(offset));
        } else {
            log.truncateTo(offset);
            emit(new PartitionEffect.Truncate(offset));
        }
        cut(epochsBefore);
    }

    /** Drops all and starts empty at {@code offset}, which then counts as committed: there is nothing below it here. */
    void truncateFully(long offset) {
        List<EpochStart> epochsBefore = log.starts();
        log.truncateFullyAt(offset);
        // What a producer wrote below is gone here: a memory of it would answer a new batch as a duplicate.
        producers.load(List.of());
        emit(new PartitionEffect.TruncateFully(offset));
        flushed = offset;
        cut(epochsBefore);
        moveHw(offset);
    }

    private void cut(List<EpochStart> epochsBefore) {
        flushed = Math.min(flushed, log.endOffset());
        flushAsked = Math.min(flushAsked, log.endOffset());
        producers.truncateTo(log.endOffset());
        if (!log.starts().equals(epochsBefore)) {
            emit(new PartitionEffect.EpochsChanged(log.starts()));
        }
        emit(new PartitionEffect.LeoMoved(log.endOffset()));
        moveHw(Math.min(hw, log.endOffset()));
    }

    /** A leader epoch in which nothing was written would otherwise forbid records of the epochs before it. */
    void dropEmptyEpoch() {
        List<EpochStart> starts = log.starts();
        List<EpochStart> kept = new ArrayList<>(starts);
        kept.removeIf(start -> start.startOffset() >= log.endOffset());
        if (kept.size() != starts.size()) {
            log = new EpochLog(log.logStart(), log.endOffset(), kept);
            emit(new PartitionEffect.EpochsChanged(kept));
        }
    }

    // Reads

    /** What a fetch's leader epoch is answered with: none where the fetcher sent none. */
    ErrorCode checkLeaderEpoch(int currentLeaderEpoch) {
        if (currentLeaderEpoch < 0 || !guards.on(Guard.FETCH_LEADER_EPOCH)) {
            return ErrorCode.NONE;
        }
        if (currentLeaderEpoch < leaderEpoch()) {
            return ErrorCode.FENCED_LEADER_EPOCH;
        }
        return currentLeaderEpoch > leaderEpoch() ? ErrorCode.UNKNOWN_LEADER_EPOCH : ErrorCode.NONE;
    }

    /**
     * The answer to a fetch that does not continue this log: out of range, or diverging (KIP-320, KIP-595); null to one
     * that does. Both name the log start and the high watermark.
     */
    @Nullable
    FetchAnswer misplaced(long fetchOffset, int lastFetchedEpoch) {
        ErrorCode error = ErrorCode.NONE;
        OffsetAndEpoch diverging = null;
        if (lastFetchedEpoch >= 0) {
            OffsetAndEpoch end = log.endOffsetFor(lastFetchedEpoch);
            if (end.offset() < 0 || fetchOffset < log.logStart()) {
                error = ErrorCode.OFFSET_OUT_OF_RANGE;
            } else if (end.epoch() < lastFetchedEpoch || end.offset() < fetchOffset) {
                diverging = end;
            }
        } else if (fetchOffset < log.logStart() || fetchOffset > log.endOffset()) {
            error = ErrorCode.OFFSET_OUT_OF_RANGE;
        }
        return error == ErrorCode.NONE && diverging == null
                ? null
                : new FetchAnswer(error, -1, -1, hw, log.logStart(), diverging, leader(), leaderEpoch());
    }

    FetchAnswer readable(long from, long upTo) {
        return new FetchAnswer(ErrorCode.NONE, from, upTo, hw, log.logStart(), null, leader(), leaderEpoch());
    }
}
