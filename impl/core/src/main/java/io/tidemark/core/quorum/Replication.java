package io.tidemark.core.quorum;

import io.tidemark.core.ErrorCode;
import io.tidemark.core.Guard;
import io.tidemark.core.ReplyToken;
import io.tidemark.core.Requires;
import io.tidemark.core.log.OffsetAndEpoch;
import io.tidemark.core.log.RecordBytes;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How the metadata log grows, is copied by fetches and is committed. Every handler says whether its spec action was taken;
 * if not, no variable of the spec changed.
 */
final class Replication {
    private final QuorumState s;
    private final QuorumOut out;

    Replication(QuorumState state, QuorumOut out) {
        this.s = state;
        this.out = out;
    }

    boolean appendMetadata(QuorumInput.AppendMetadata input) {
        boolean refused = s.role() != QuorumRole.LEADER
                || input.epoch() != s.currentEpoch()
                || input.baseOffset() != s.log().endOffset()
                || input.count() < 1
                || (!s.leaderReady() && s.config().guards().on(Guard.ACTIVATE_AFTER_OWN_ENTRY));
        if (refused) {
            return false;
        }
        out.emit(new QuorumEffect.AppendRecords(input.baseOffset(), s.currentEpoch(), input.count(), input.records()));
        s.ownLog().appended(s.currentEpoch(), input.count());
        return true;
    }

    boolean persistMetadata(long flushed) {
        boolean news = s.ownLog().flushedUpTo(flushed);
        if (news && s.role() == QuorumRole.LEADER) {
            s.commit();
        }
        return news;
    }

    // ---- the leader's side of a fetch

    boolean handleMetadataFetch(QuorumMessage.MetadataFetch fetch, ReplyToken token) {
        ErrorCode error = validate(fetch);
        if (error != ErrorCode.NONE) {
            reply(fetch, token, error, null);
            return false;
        }
        OffsetAndEpoch diverging = divergingEnd(fetch.fetchOffset(), fetch.lastFetchedEpoch());
        boolean counts = diverging == null && s.voters().contains(fetch.replica());
        if (counts) {
            if (s.leadership().voterFetched(fetch.replica().id(), fetch.fetchOffset())) {
                s.setCheckQuorumTimer();
            }
            s.commit();
        }
        reply(fetch, token, ErrorCode.NONE, diverging);
        return true;
    }

    /** Answers a fetch that has waited; it was counted when it arrived. */
    void metadataRead(QuorumMessage.MetadataFetch fetch, ReplyToken token) {
        ErrorCode error = validate(fetch);
        reply(
                fetch,
                token,
                error,
                error == ErrorCode.NONE ? divergingEnd(fetch.fetchOffset(), fetch.lastFetchedEpoch()) : null);
    }

    private ErrorCode validate(QuorumMessage.MetadataFetch fetch) {
        if (!s.config().clusterId().equals(fetch.clusterId())) {
            return ErrorCode.INCONSISTENT_CLUSTER_ID;
        }
        if (fetch.fetchOffset() < 0
                || fetch.lastFetchedEpoch() < 0
                || fetch.lastFetchedEpoch() > fetch.epoch()
                || fetch.maxWaitMs() < 0
                || fetch.replica().id() == s.selfId()) {
            return ErrorCode.INVALID_REQUEST;
        }
        if (fetch.epoch() != s.currentEpoch()) {
            return fetch.epoch() < s.currentEpoch() ? ErrorCode.FENCED_LEADER_EPOCH : ErrorCode.UNKNOWN_LEADER_EPOCH;
        }
        if (s.role() != QuorumRole.LEADER) {
            return ErrorCode.NOT_LEADER_OR_FOLLOWER;
        }
        // What is below the log start is in a snapshot, and there is none to offer.
        return fetch.fetchOffset() < s.logStart() ? ErrorCode.SNAPSHOT_NOT_FOUND : ErrorCode.NONE;
    }

    /** Where the fetcher's log ends to agree with this one, if it does not (KIP-595); null if it does. */
    private @Nullable OffsetAndEpoch divergingEnd(long fetchOffset, int lastFetchedEpoch) {
        if (fetchOffset == 0) {
            return null;
        }
        OffsetAndEpoch end = s.log().endOffsetFor(lastFetchedEpoch);
        if (end.offset() < 0) {
            end = s.lastLog();
        }
        return end.epoch() == lastFetchedEpoch && end.offset() >= fetchOffset ? null : end;
    }

    private void reply(
            QuorumMessage.MetadataFetch fetch, ReplyToken token, ErrorCode error, @Nullable OffsetAndEpoch diverging) {
        boolean ok = error == ErrorCode.NONE;
        // A fetcher that does not tell its high watermark learns the leader's with the next records or when its wait
        // ends.
        boolean news = !ok || diverging != null || (fetch.hw() >= 0 && fetch.hw() < s.hw());
        out.emit(new QuorumEffect.ReplyFetch(
                token,
                fetch,
                new QuorumMessage.MetadataFetchResult(
                        error,
                        s.currentEpoch(),
                        s.leaderId(),
                        s.leaderEndpoints(),
                        ok ? s.hw() : -1,
                        s.logStart(),
                        diverging,
                        null,
                        RecordBytes.EMPTY),
                ok && diverging == null ? s.log().endOffset() : fetch.fetchOffset(),
                news,
                Requires.QUORUM_STATE));
    }

    // ---- the follower's side

    boolean handleMetadataFetchResponse(QuorumInput.HandleMetadataFetchResponse input) {
        QuorumMessage.MetadataFetch asked = input.asked();
        QuorumMessage.MetadataFetchResult result = input.result();
        boolean fetches = s.role() == QuorumRole.FOLLOWER || s.role() == QuorumRole.UNATTACHED;
        if (!fetches
                || asked.epoch() != s.currentEpoch()
                || asked.fetchOffset() != s.log().endOffset()) {
            return false;
        }
        s.fetchNext();
        boolean learned = s.learn(result.epoch(), result.leaderId(), result.leaderEndpoints());
        boolean usable = result.error() == ErrorCode.NONE
                && asked.epoch() == s.currentEpoch()
                && result.epoch() == s.currentEpoch()
                && result.leaderId() == s.leaderId()
                && s.role() == QuorumRole.FOLLOWER
                && result.snapshotId() == null;
        if (!usable) {
            return learned;
        }
        if (result.diverging() != null) {
            truncate(result.diverging());
        } else if (!append(input.batches(), result)) {
            return learned;
        }
        s.fetchSucceeded();
        return true;
    }

    private void truncate(OffsetAndEpoch diverging) {
        long target = s.config().guards().on(Guard.QUORUM_DIVERGENCE) ? cutAt(diverging) : s.hw();
        if (target >= s.log().endOffset()) {
            return;
        }
        out.emit(new QuorumEffect.Truncate(target));
        s.ownLog().truncateTo(target);
        flushIfVoter();
        out.emit(new QuorumEffect.LeoMoved(target));
    }

    /**
     * The end of the last epoch that both logs have. Without {@link Guard#QUORUM_DIVERGENCE} the own high watermark takes its
     * place, as in Kafka before KIP-101: it may lag behind what is committed.
     */
    private long cutAt(OffsetAndEpoch diverging) {
        long target = Math.min(diverging.offset(), s.log().endOffset());
        OffsetAndEpoch own = s.log().endOffsetFor(diverging.epoch());
        if (own.offset() >= 0) {
            target = own.epoch() == diverging.epoch() ? Math.min(target, own.offset()) : own.offset();
        }
        if (target < s.hw()) {
            throw new IllegalStateException("leader " + s.leaderId() + " of epoch " + s.currentEpoch()
                    + " asks to truncate the metadata log to " + target + ", below the high watermark " + s.hw());
        }
        return target;
    }

    /** @return false if there were batches and none of them fits */
    private boolean append(List<MetadataBatch> batches, QuorumMessage.MetadataFetchResult result) {
        int fitting = 0;
        while (fitting < batches.size() && fits(batches.get(fitting))) {
            s.ownLog().appended(batches.get(fitting));
            fitting++;
        }
        if (fitting > 0) {
            out.emit(new QuorumEffect.AppendFetched(batches.subList(0, fitting), result.records()));
            flushIfVoter();
            out.emit(new QuorumEffect.LeoMoved(s.log().endOffset()));
        }
        s.ownLog().advanceHw(Math.min(result.hw(), s.log().endOffset()));
        return fitting > 0 || batches.isEmpty();
    }

    /** The next batch of the log: no gap, no older epoch than the last one, none that nobody could have led yet. */
    private boolean fits(MetadataBatch batch) {
        int epoch = batch.header().leaderEpoch();
        return batch.header().baseOffset() == s.log().endOffset()
                && epoch >= Math.max(0, s.log().lastEpoch())
                && epoch <= s.currentEpoch();
    }

    private void flushIfVoter() {
        if (s.config().canBeVoter()) {
            out.emit(new QuorumEffect.Flush());
        }
    }
}
