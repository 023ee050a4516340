package io.tidemark.core;

/** The protocol actions of the spec that the code takes: the rows of {@code spec/actions.tsv} with code = yes. */
public enum SpecAction {
    // Quorum
    ElectionTimeout,
    FetchTimeout,
    HandleVoteRequest,
    HandleVoteResponse,
    HandleBeginQuorumEpoch,
    HandleEndQuorumEpoch,
    AppendMetadata,
    PersistMetadata,
    HandleMetadataFetch,
    HandleMetadataFetchResponse,
    CheckQuorumTimeout,
    Resign,
    // Controller
    HandleBrokerRegistration,
    HandleBrokerHeartbeat,
    HandleBrokerRegistrationResponse,
    HandleBrokerHeartbeatResponse,
    BrokerSessionTimeout,
    HandleAlterPartition,
    HandleElectLeaders,
    PreferredLeaderTimeout,
    UncleanElectionTimeout,
    HandleAlterMinIsr,
    CommitMetadata,
    // Partition
    HandleProduce,
    PersistLog,
    HandleFetch,
    HandleFetchResponse,
    ProposeExpandIsr,
    ReplicaLagTimeout,
    HandleAlterPartitionResponse,
    ApplyPartitionChange,
    ApplyBrokerChange,
    ApplyMinIsrChange,
    ConsumerRead
}
