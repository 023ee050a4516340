package io.tidemark.core.quorum;

import io.tidemark.core.ErrorCode;
import io.tidemark.core.log.OffsetAndEpoch;
import io.tidemark.core.log.RecordsRef;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What replicas of the quorum say to one another, without Kafka's byte formats. Epochs are quorum epochs. */
public sealed interface QuorumMessage {
    /** A request, answered by a {@link Response} of its kind. */
    sealed interface Request extends QuorumMessage {
        /** Calls the handler's method for this kind of request, and returns what it does. */
        <T> T applyTo(Handler<T> handler);
    }

    /** One method for each kind of request, so that a new kind does not compile until everyone says what it means there. */
    interface Handler<T> {
        T vote(Vote request);

        T beginQuorumEpoch(BeginQuorumEpoch request);

        T endQuorumEpoch(EndQuorumEpoch request);

        T metadataFetch(MetadataFetch request);
    }

    /** An answer. */
    sealed interface Response extends QuorumMessage {
        ErrorCode error();

        /** Epoch of the answering node. */
        int epoch();

        /** Leader of that epoch as the answering node knows it, or -1. */
        int leaderId();

        /** Where that leader is reached, empty where unknown. */
        List<Endpoint> leaderEndpoints();
    }

    /**
     * KIP-595 Vote, KIP-996 pre-vote.
     *
     * @param epoch the candidate's epoch (of a pre-vote: its current one, not the next)
     * @param voter whom the request is meant for
     * @param lastLog end offset of the candidate's log and the epoch of its last record
     */
    record Vote(
            String clusterId,
            int epoch,
            ReplicaKey candidate,
            ReplicaKey voter,
            OffsetAndEpoch lastLog,
            boolean preVote)
            implements Request {
        @Override
        public <T> T applyTo(Handler<T> handler) {
            return handler.vote(this);
        }
    }

    record VoteResult(
            ErrorCode error, int epoch, int leaderId, List<Endpoint> leaderEndpoints, boolean granted, boolean preVote)
            implements Response {}

    record BeginQuorumEpoch(String clusterId, int epoch, int leaderId, ReplicaKey voter, List<Endpoint> leaderEndpoints)
            implements Request {
        @Override
        public <T> T applyTo(Handler<T> handler) {
            return handler.beginQuorumEpoch(this);
        }
    }

    record BeginQuorumEpochResult(ErrorCode error, int epoch, int leaderId, List<Endpoint> leaderEndpoints)
            implements Response {}

    /**
     * A leader that goes.
     *
     * @param preferredCandidates most caught-up voter first
     */
    record EndQuorumEpoch(
            String clusterId,
            int epoch,
            int leaderId,
            List<ReplicaKey> preferredCandidates,
            List<Endpoint> leaderEndpoints)
            implements Request {
        public EndQuorumEpoch {
            preferredCandidates = List.copyOf(preferredCandidates);
        }

        @Override
        public <T> T applyTo(Handler<T> handler) {
            return handler.endQuorumEpoch(this);
        }
    }

    record EndQuorumEpochResult(ErrorCode error, int epoch, int leaderId, List<Endpoint> leaderEndpoints)
            implements Response {}

    /**
     * A voter's or observer's fetch from the metadata log.
     *
     * @param epoch the fetcher's current epoch
     * @param lastFetchedEpoch epoch of the record before {@code fetchOffset}, 0 for an empty log
     * @param hw the fetcher's high watermark (KIP-1166), or -1 where not sent
     * @param maxWaitMs how long the leader may park it while there is nothing new
     */
    record MetadataFetch(
            String clusterId,
            ReplicaKey replica,
            int epoch,
            long fetchOffset,
            int lastFetchedEpoch,
            long hw,
            int maxWaitMs)
            implements Request {
        @Override
        public <T> T applyTo(Handler<T> handler) {
            return handler.metadataFetch(this);
        }
    }

    /**
     * The answer to a fetch.
     *
     * @param diverging end offset and epoch to truncate to; then there are no records
     * @param snapshotId set where the fetch offset is below the leader's log start; then there are no records
     * @param records whole batches from the fetch offset on; empty in the core's own answer, which names only where to
     *     read: the runtime fills it in
     */
    record MetadataFetchResult(
            ErrorCode error,
            int epoch,
            int leaderId,
            List<Endpoint> leaderEndpoints,
            long hw,
            long logStart,
            @Nullable OffsetAndEpoch diverging,
            @Nullable OffsetAndEpoch snapshotId,
            RecordsRef records)
            implements Response {

        public MetadataFetchResult withRecords(RecordsRef other) {
            return new MetadataFetchResult(
                    error, epoch, leaderId, leaderEndpoints, hw, logStart, diverging, snapshotId, other);
        }
    }
}
