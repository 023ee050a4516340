package io.tidemark.core.quorum;

import io.tidemark.core.ReplyToken;

/**
 * The input that a request is to a replica of the quorum.
 *
 * @param token where the answer goes
 */
record InputOfQuorumRequest(ReplyToken token) implements QuorumMessage.Handler<QuorumInput> {
    @Override
    public QuorumInput vote(QuorumMessage.Vote request) {
        return new QuorumInput.HandleVoteRequest(request, token);
    }

    @Override
    public QuorumInput beginQuorumEpoch(QuorumMessage.BeginQuorumEpoch request) {
        return new QuorumInput.HandleBeginQuorumEpoch(request, token);
    }

    @Override
    public QuorumInput endQuorumEpoch(QuorumMessage.EndQuorumEpoch request) {
        return new QuorumInput.HandleEndQuorumEpoch(request, token);
    }

    @Override
    public QuorumInput metadataFetch(QuorumMessage.MetadataFetch request) {
        return new QuorumInput.HandleMetadataFetch(request, token);
    }
}
