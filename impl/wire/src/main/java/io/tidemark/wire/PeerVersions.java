package io.tidemark.wire;

import org.apache.kafka.common.protocol.ApiKeys;

/**
 * The version of each API in which nodes ask one another. They don't ask which ones a peer serves: what stands here is what
 * every build serves that shares a cluster with this one. It is apart from the ranges that {@link ApiCatalog} offers to
 * clients, so that a range may become wider and nodes of both builds still understand each other. To raise a version here
 * means that the nodes of a cluster are upgraded all at once (docs/divergence.md).
 */
final class PeerVersions {
    private PeerVersions() {}

    /**
     * The version of a request to a peer.
     *
     * @throws IllegalArgumentException where nodes do not ask one another that
     */
    static short of(ApiKeys api) {
        return (short)
                switch (api) {
                    case FETCH -> 18;
                    case VOTE, DESCRIBE_QUORUM, BROKER_HEARTBEAT, ELECT_LEADERS -> 2;
                    case BEGIN_QUORUM_EPOCH, END_QUORUM_EPOCH, INCREMENTAL_ALTER_CONFIGS -> 1;
                    // The last one whose answer has each feature.
                    case UPDATE_FEATURES -> 1;
                    case BROKER_REGISTRATION -> 4;
                    case ALTER_PARTITION, CREATE_PARTITIONS -> 3;
                    case CREATE_TOPICS -> 7;
                    case DELETE_TOPICS -> 6;
                    case ALLOCATE_PRODUCER_IDS, CONTROLLER_REGISTRATION, ENVELOPE -> 0;
                    default -> throw new IllegalArgumentException("not sent to peers: " + api.name);
                };
    }
}
