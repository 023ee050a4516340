package io.tidemark.wire;

import io.tidemark.core.quorum.QuorumMessage;
import org.apache.kafka.common.message.BeginQuorumEpochResponseData;
import org.apache.kafka.common.message.EndQuorumEpochResponseData;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.message.VoteResponseData;
import org.apache.kafka.common.protocol.ApiKeys;

/**
 * The quorum's requests as they leave.
 *
 * @param controllerListener {@code controller.listener.names}: what answers' leader endpoints are named
 */
record QuorumCalls(String controllerListener) implements QuorumMessage.Handler<Outgoing<?>> {
    @Override
    public Outgoing<?> vote(QuorumMessage.Vote request) {
        return new Outgoing<>(
                ApiKeys.VOTE,
                QuorumMapping.request(request),
                new VoteResponseData(),
                a -> QuorumMapping.neutral(a, request.preVote(), controllerListener));
    }

    @Override
    public Outgoing<?> beginQuorumEpoch(QuorumMessage.BeginQuorumEpoch request) {
        return new Outgoing<>(
                ApiKeys.BEGIN_QUORUM_EPOCH,
                QuorumMapping.request(request),
                new BeginQuorumEpochResponseData(),
                a -> QuorumMapping.neutral(a, controllerListener));
    }

    @Override
    public Outgoing<?> endQuorumEpoch(QuorumMessage.EndQuorumEpoch request) {
        return new Outgoing<>(
                ApiKeys.END_QUORUM_EPOCH,
                QuorumMapping.request(request),
                new EndQuorumEpochResponseData(),
                a -> QuorumMapping.neutral(a, controllerListener));
    }

    @Override
    public Outgoing<?> metadataFetch(QuorumMessage.MetadataFetch request) {
        return new Outgoing<>(
                ApiKeys.FETCH,
                MetadataFetchMapping.request(request),
                new FetchResponseData(),
                a -> MetadataFetchMapping.neutral(a, controllerListener));
    }
}
