package io.tidemark.core.partition;

import io.tidemark.core.metadata.LeaderRecovery;
import java.util.List;

/**
 * A pending ISR change as it is sent: the whole new ISR with the broker epoch of each member (KIP-903), -1 where unknown.
 *
 * @param partitionEpoch the partition epoch that it was decided on
 */
public record AlterPartitionAsked(int leaderEpoch, int partitionEpoch, List<Member> newIsr, LeaderRecovery recovery) {
    public AlterPartitionAsked {
        newIsr = List.copyOf(newIsr);
    }

    public record Member(int brokerId, long brokerEpoch) {}
}
