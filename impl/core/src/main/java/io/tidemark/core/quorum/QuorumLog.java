package io.tidemark.core.quorum;

import io.tidemark.core.log.EpochLog;
import io.tidemark.core.log.EpochLogView;
import io.tidemark.core.log.LogState;
import io.tidemark.core.log.OffsetAndEpoch;
import java.util.SortedMap;

/** The metadata log of one replica: its shape, how far it is on disk and committed, and the voter sets in it. */
final class QuorumLog {
    private final EpochLog log;
    private final VoterHistory voterHistory;
    private final QuorumOut out;
    private long flushed;
    private long hw;

    QuorumLog(LogState found, VoterSet initialVoters, SortedMap<Long, VoterSet> voterRecords, QuorumOut out) {
        this.log = new EpochLog(found);
        this.voterHistory = new VoterHistory(initialVoters, voterRecords);
        this.out = out;
        this.flushed = Math.min(found.flushed(), log.endOffset());
        this.hw = Math.min(found.hw(), log.endOffset());
    }

    EpochLogView view() {
        return log;
    }

    long flushed() {
        return flushed;
    }

    long hw() {
        return hw;
    }

    VoterSet voters() {
        return voterHistory.current();
    }

    /** The end that a vote or a fetch shows, and the epoch before it; epoch 0 of an empty log. */
    OffsetAndEpoch last() {
        return new OffsetAndEpoch(log.endOffset(), Math.max(0, log.lastEpoch()));
    }

    /** A leader wrote records of its own epoch behind the end. */
    void appended(int epoch, int count) {
        log.append(epoch, log.endOffset(), log.endOffset() + count);
        out.emit(new QuorumEffect.Flush());
        out.emit(new QuorumEffect.LeoMoved(log.endOffset()));
    }

    /** A follower wrote a batch of its leader's. Voters in it are in force at once. */
    void appended(MetadataBatch batch) {
        log.append(
                batch.header().leaderEpoch(),
                batch.header().baseOffset(),
                batch.header().nextOffset());
        voterHistory.append(batch.header().baseOffset(), batch.control());
    }

    /** Voters that are cut away are no longer in force. */
    void truncateTo(long offset) {
        log.truncateTo(offset);
        flushed = Math.min(flushed, offset);
        voterHistory.truncateTo(offset);
    }

    /** A flush ended. @return whether that is news */
    boolean flushedUpTo(long offset) {
        long next = Math.min(offset, log.endOffset());
        boolean news = next > flushed;
        flushed = Math.max(flushed, next);
        return news;
    }

    void advanceHw(long next) {
        if (next > hw) {
            hw = next;
            out.emit(new QuorumEffect.HwMoved(hw));
        }
    }
}
