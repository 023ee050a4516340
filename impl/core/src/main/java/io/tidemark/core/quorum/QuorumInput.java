package io.tidemark.core.quorum;

import io.tidemark.core.ErrorCode;
import io.tidemark.core.ReplyToken;
import io.tidemark.core.Step;
import io.tidemark.core.log.RecordsRef;
import java.util.List;

/** Everything that can happen to a replica of the quorum. One input, one handler, one spec action. */
public sealed interface QuorumInput {
    Step<QuorumEffect> applyTo(QuorumActions actions);

    /** The election timer ran out (KIP-996). */
    record ElectionTimeout() implements QuorumInput {
        @Override
        public Step<QuorumEffect> applyTo(QuorumActions actions) {
            return actions.electionTimeout(this);
        }
    }

    /** No successful fetch from the leader in {@code controller.quorum.fetch.timeout.ms}. */
    record FetchTimeout() implements QuorumInput {
        @Override
        public Step<QuorumEffect> applyTo(QuorumActions actions) {
            return actions.fetchTimeout(this);
        }
    }

    record HandleVoteRequest(QuorumMessage.Vote request, ReplyToken token) implements QuorumInput {
        @Override
        public Step<QuorumEffect> applyTo(QuorumActions actions) {
            return actions.handleVoteRequest(this);
        }
    }

    /**
     * An answer to a live Vote.
     *
     * @param from the voter that answered
     * @param asked the request that it answers: an answer to an abandoned one never becomes an input
     */
    record HandleVoteResponse(int from, QuorumMessage.Vote asked, QuorumMessage.VoteResult result)
            implements QuorumInput {
        @Override
        public Step<QuorumEffect> applyTo(QuorumActions actions) {
            return actions.handleVoteResponse(this);
        }
    }

    record HandleBeginQuorumEpoch(QuorumMessage.BeginQuorumEpoch request, ReplyToken token) implements QuorumInput {
        @Override
        public Step<QuorumEffect> applyTo(QuorumActions actions) {
            return actions.handleBeginQuorumEpoch(this);
        }
    }

    record HandleEndQuorumEpoch(QuorumMessage.EndQuorumEpoch request, ReplyToken token) implements QuorumInput {
        @Override
        public Step<QuorumEffect> applyTo(QuorumActions actions) {
            return actions.handleEndQuorumEpoch(this);
        }
    }

    /**
     * The active controller's decision, one atomic batch.
     *
     * @param epoch the epoch in which it was decided; another epoch is refused
     * @param baseOffset where the controller expects it; another place is refused
     * @param count records in the batch, at least 1
     */
    record AppendMetadata(int epoch, long baseOffset, int count, RecordsRef records) implements QuorumInput {
        @Override
        public Step<QuorumEffect> applyTo(QuorumActions actions) {
            return actions.appendMetadata(this);
        }
    }

    /** The log is on disk up to {@code flushed}, exclusive. */
    record PersistMetadata(long flushed) implements QuorumInput {
        @Override
        public Step<QuorumEffect> applyTo(QuorumActions actions) {
            return actions.persistMetadata(this);
        }
    }

    record HandleMetadataFetch(QuorumMessage.MetadataFetch request, ReplyToken token) implements QuorumInput {
        @Override
        public Step<QuorumEffect> applyTo(QuorumActions actions) {
            return actions.handleMetadataFetch(this);
        }
    }

    /**
     * A fetch that found nothing new and has waited: read again, for an answer that is of now. What a fetch says of its
     * replica was counted when it arrived, and may no longer be true.
     */
    record MetadataRead(QuorumMessage.MetadataFetch request, ReplyToken token) implements QuorumInput {
        @Override
        public Step<QuorumEffect> applyTo(QuorumActions actions) {
            return actions.metadataRead(this);
        }
    }

    /**
     * An answer to the live fetch.
     *
     * @param from who answered
     * @param asked the request that it answers
     * @param batches headers (and control records) of {@code result.records()}, in offset order; checked by the runtime
     *     for size and CRC, not yet against the log
     */
    record HandleMetadataFetchResponse(
            int from,
            QuorumMessage.MetadataFetch asked,
            QuorumMessage.MetadataFetchResult result,
            List<MetadataBatch> batches)
            implements QuorumInput {
        public HandleMetadataFetchResponse {
            batches = List.copyOf(batches);
        }

        @Override
        public Step<QuorumEffect> applyTo(QuorumActions actions) {
            return actions.handleMetadataFetchResponse(this);
        }

        public ErrorCode error() {
            return result.error();
        }
    }

    /** A leader heard from no majority of voters in 1.5 times the fetch time-out (KAFKA-15489). */
    record CheckQuorumTimeout() implements QuorumInput {
        @Override
        public Step<QuorumEffect> applyTo(QuorumActions actions) {
            return actions.checkQuorumTimeout(this);
        }
    }

    /** The node shuts down: a leader hands over. */
    record Resign() implements QuorumInput {
        @Override
        public Step<QuorumEffect> applyTo(QuorumActions actions) {
            return actions.resign(this);
        }
    }

    /** The input for a request. */
    static QuorumInput of(QuorumMessage.Request request, ReplyToken token) {
        return request.applyTo(new InputOfQuorumRequest(token));
    }
}
