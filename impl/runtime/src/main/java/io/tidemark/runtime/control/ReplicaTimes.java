package io.tidemark.runtime.control;

import io.tidemark.core.ErrorCode;
import io.tidemark.core.message.ClientResponse;
import io.tidemark.core.quorum.Endpoint;
import io.tidemark.core.quorum.QuorumRole;
import io.tidemark.core.quorum.QuorumView;
import io.tidemark.core.quorum.ReplicaKey;
import io.tidemark.core.quorum.VoterSet;
import io.tidemark.runtime.FollowerTimes;
import io.tidemark.runtime.port.WallClock;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/** When each replica of the quorum last fetched and was last caught up: for DescribeQuorum alone. */
final class ReplicaTimes {
    private static final FollowerTimes NEVER = new FollowerTimes(-1);

    private final WallClock clock;
    private final TreeMap<ReplicaKey, FollowerTimes> replicas = new TreeMap<>();

    ReplicaTimes(WallClock clock) {
        this.clock = clock;
    }

    void reset() {
        replicas.clear();
    }

    void fetched(ReplicaKey replica, long offset, long leaderEnd) {
        replicas.computeIfAbsent(replica, key -> new FollowerTimes(-1)).fetched(offset, leaderEnd, clock.nowMs());
    }

    ClientResponse.Quorum describe(QuorumView view, long ownEnd, int self) {
        if (view.role() != QuorumRole.LEADER) {
            return new ClientResponse.Quorum(
                    ErrorCode.NOT_LEADER_OR_FOLLOWER,
                    view.leaderId(),
                    view.currentEpoch(),
                    view.hw(),
                    List.of(),
                    List.of());
        }
        long now = clock.nowMs();
        VoterSet voterSet = view.voters();
        List<ClientResponse.Quorum.Replica> voters = new ArrayList<>();
        for (VoterSet.Voter voter : voterSet.voters().values()) {
            ReplicaKey key = voter.key();
            voters.add(
                    key.id() == self
                            ? new ClientResponse.Quorum.Replica(key, ownEnd, now, now, voter.endpoints())
                            : replica(key, replicas.getOrDefault(key, NEVER), voter.endpoints()));
        }
        List<ClientResponse.Quorum.Replica> observers = new ArrayList<>();
        replicas.forEach((key, times) -> {
            if (!voterSet.contains(key)) {
                observers.add(replica(key, times, List.of()));
            }
        });
        return new ClientResponse.Quorum(
                ErrorCode.NONE, view.leaderId(), view.currentEpoch(), view.hw(), voters, observers);
    }

    private static ClientResponse.Quorum.Replica replica(
            ReplicaKey key, FollowerTimes times, List<Endpoint> endpoints) {
        return new ClientResponse.Quorum.Replica(
                key, times.offset(), times.lastFetchMs(), times.lastCaughtUpMs(), endpoints);
    }
}
