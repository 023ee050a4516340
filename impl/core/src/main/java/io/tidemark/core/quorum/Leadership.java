package io.tidemark.core.quorum;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/** What a leader knows beside its log: how far each voter has fetched, and who fetched lately. */
final class Leadership {
    private final long epochStart;
    private final TreeMap<Integer, Long> voterFetch = new TreeMap<>();
    /** Voters that fetched since the check-quorum timer was last set. */
    private final TreeSet<Integer> fetched = new TreeSet<>();

    private boolean ready;

    /** @param epochStart offset of its own first record */
    Leadership(long epochStart, VoterSet voters) {
        this.epochStart = epochStart;
        for (int voter : voters.voters().keySet()) {
            voterFetch.put(voter, -1L);
        }
    }

    long epochStart() {
        return epochStart;
    }

    /** Whether the leader's own LeaderChange is committed. */
    boolean ready() {
        return ready;
    }

    /** @return whether the leader has only now become ready */
    boolean becomesReady(long hw) {
        boolean becomes = !ready && hw > epochStart;
        ready |= becomes;
        return becomes;
    }

    /**
     * A voter other than the leader holds the log up to {@code offset}, on disk.
     *
     * @return whether a majority, the leader included, has fetched since this was last true
     */
    boolean voterFetched(int voter, long offset) {
        voterFetch.put(voter, offset);
        fetched.add(voter);
        if (fetched.size() < voterFetch.size() / 2) {
            return false;
        }
        fetched.clear();
        return true;
    }

    /** What a majority holds, the leader itself up to {@code own}. */
    long majorityOffset(int self, long own) {
        long[] offsets = new long[voterFetch.size()];
        int i = 0;
        for (Map.Entry<Integer, Long> entry : voterFetch.entrySet()) {
            offsets[i++] = entry.getKey() == self ? own : entry.getValue();
        }
        return QuorumHwRule.majorityOffset(offsets);
    }

    SortedMap<Integer, Long> voterFetch(int self, long own) {
        TreeMap<Integer, Long> copy = new TreeMap<>(voterFetch);
        copy.put(self, own);
        return copy;
    }

    /** The other voters, most caught up first. */
    List<ReplicaKey> successors(int self, VoterSet voters) {
        List<ReplicaKey> others = new ArrayList<>();
        for (VoterSet.Voter voter : voters.voters().values()) {
            if (voter.key().id() != self) {
                others.add(voter.key());
            }
        }
        others.sort(Comparator.<ReplicaKey>comparingLong(key -> -voterFetch.getOrDefault(key.id(), -1L))
                .thenComparing(Comparator.naturalOrder()));
        return others;
    }
}
