package io.tidemark.runtime.control;

import io.tidemark.core.ErrorCode;
import io.tidemark.core.message.ClientResponse;
import io.tidemark.core.quorum.QuorumRole;
import io.tidemark.core.quorum.QuorumView;
import io.tidemark.core.quorum.ReplicaKey;
import io.tidemark.core.quorum.VoterSet;
import io.tidemark.runtime.port.WallClock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** When each replica of the quorum last fetched and was last caught up: for DescribeQuorum alone. */
final class ReplicaTimes {
    private static final class Times {
        long logEnd = -1;
        long lastFetch = -1;
        long lastCaughtUp = -1;
        long endAtLastFetch = -1;
    }

    private final WallClock clock;
    private final TreeMap<ReplicaKey, Times> replicas = new TreeMap<>();

    ReplicaTimes(WallClock clock) {
        this.clock = clock;
    }

    void reset() {
        replicas.clear();
    }

    void fetched(ReplicaKey replica, long offset, long leaderEnd) {
        long now = clock.nowMs();
        Times times = replicas.computeIfAbsent(replica, key -> new Times());
        if (offset >= leaderEnd) {
            times.lastCaughtUp = now;
        } else if (offset >= times.endAtLastFetch && times.lastFetch >= 0) {
            times.lastCaughtUp = Math.max(times.lastCaughtUp, times.lastFetch);
        }
        times.logEnd = offset;
        times.lastFetch = now;
        times.endAtLastFetch = leaderEnd;
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
            Times times = replicas.getOrDefault(key, new Times());
            voters.add(
                    key.id() == self
                            ? new ClientResponse.Quorum.Replica(key, ownEnd, now, now, voter.endpoints())
                            : new ClientResponse.Quorum.Replica(
                                    key, times.logEnd, times.lastFetch, times.lastCaughtUp, voter.endpoints()));
        }
        List<ClientResponse.Quorum.Replica> observers = new ArrayList<>();
        for (Map.Entry<ReplicaKey, Times> entry : replicas.entrySet()) {
            if (!voterSet.contains(entry.getKey())) {
                Times times = entry.getValue();
                observers.add(new ClientResponse.Quorum.Replica(
                        entry.getKey(), times.logEnd, times.lastFetch, times.lastCaughtUp, List.of()));
            }
        }
        return new ClientResponse.Quorum(
                ErrorCode.NONE, view.leaderId(), view.currentEpoch(), view.hw(), voters, observers);
    }
}
