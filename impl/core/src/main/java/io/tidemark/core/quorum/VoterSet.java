package io.tidemark.core.quorum;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** The voters of the quorum by id, as the last VotersRecord in the log says. */
public record VoterSet(SortedMap<Integer, Voter> voters) {
    public static final VoterSet EMPTY = new VoterSet(new TreeMap<>());

    public VoterSet {
        voters = java.util.Collections.unmodifiableSortedMap(new TreeMap<>(voters));
    }

    /** One voter and the endpoints of its controller listeners. */
    public record Voter(ReplicaKey key, List<Endpoint> endpoints) {
        public Voter {
            endpoints = List.copyOf(endpoints);
        }
    }

    public static VoterSet of(Iterable<Voter> voters) {
        TreeMap<Integer, Voter> byId = new TreeMap<>();
        for (Voter voter : voters) {
            if (byId.put(voter.key().id(), voter) != null) {
                throw new IllegalArgumentException("voter " + voter.key().id() + " is named twice");
            }
        }
        return new VoterSet(byId);
    }

    public SortedSet<Integer> ids() {
        return new TreeSet<>(voters.keySet());
    }

    /** Votes or fetches needed: more than half; of an empty set 1, so that it never has a majority. */
    public int majority() {
        return voters.size() / 2 + 1;
    }

    /**
     * Whether {@code key} is a voter. A voter without a directory id (static quorum) is matched by id alone.
     */
    public boolean contains(ReplicaKey key) {
        return Optional.ofNullable(voters.get(key.id()))
                .map(Voter::key)
                .filter(voter -> voter.directoryId().equals(ReplicaKey.NO_DIRECTORY)
                        || voter.directoryId().equals(key.directoryId()))
                .isPresent();
    }

    public List<Endpoint> endpoints(int id) {
        return Optional.ofNullable(voters.get(id)).map(Voter::endpoints).orElse(List.of());
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("voters");
        for (Map.Entry<Integer, Voter> entry : voters.entrySet()) {
            text.append(' ').append(entry.getKey());
        }
        return text.toString();
    }
}
