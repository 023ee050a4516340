package io.tidemark.core.quorum;

import io.tidemark.core.Step;

/**
 * The actions of the spec's module Quorum, one method each, and those that {@code spec/actions.tsv} calls code-only; the
 * compiler demands all of them.
 */
public interface QuorumActions {
    Step<QuorumEffect> electionTimeout(QuorumInput.ElectionTimeout input);

    Step<QuorumEffect> fetchTimeout(QuorumInput.FetchTimeout input);

    Step<QuorumEffect> handleVoteRequest(QuorumInput.HandleVoteRequest input);

    Step<QuorumEffect> handleVoteResponse(QuorumInput.HandleVoteResponse input);

    Step<QuorumEffect> handleBeginQuorumEpoch(QuorumInput.HandleBeginQuorumEpoch input);

    Step<QuorumEffect> handleEndQuorumEpoch(QuorumInput.HandleEndQuorumEpoch input);

    Step<QuorumEffect> appendMetadata(QuorumInput.AppendMetadata input);

    Step<QuorumEffect> persistMetadata(QuorumInput.PersistMetadata input);

    Step<QuorumEffect> handleMetadataFetch(QuorumInput.HandleMetadataFetch input);

    Step<QuorumEffect> metadataRead(QuorumInput.MetadataRead input);

    Step<QuorumEffect> handleMetadataFetchResponse(QuorumInput.HandleMetadataFetchResponse input);

    Step<QuorumEffect> checkQuorumTimeout(QuorumInput.CheckQuorumTimeout input);

    Step<QuorumEffect> resign(QuorumInput.Resign input);
}
