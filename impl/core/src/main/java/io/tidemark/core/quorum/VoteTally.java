package io.tidemark.core.quorum;

import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;

/** The answers of one round of votes or pre-votes; each voter's first answer counts. */
final class VoteTally {
    private final SortedSet<Integer> voters;
    private final SortedSet<Integer> granted = new TreeSet<>();
    private final SortedSet<Integer> rejected = new TreeSet<>();

    /** A round that begins with the nominee's own grant. */
    VoteTally(SortedSet<Integer> voters, int self) {
        this.voters = voters;
        record(self, true);
    }

    /** @return whether this was the voter's first answer; that of a node that is no voter never counts */
    boolean record(int voter, boolean grant) {
        return isOpen(voter) && (grant ? granted : rejected).add(voter);
    }

    /** Whether this voter's answer is still awaited. */
    boolean isOpen(int voter) {
        return voters.contains(voter) && !granted.contains(voter) && !rejected.contains(voter);
    }

    /** More than half of the voters granted. */
    boolean isWon() {
        return granted.size() > voters.size() / 2;
    }

    /** So many voters rejected that the rest is no majority. */
    boolean isLost() {
        return voters.size() - rejected.size() <= voters.size() / 2;
    }

    SortedSet<Integer> granted() {
        return Collections.unmodifiableSortedSet(granted);
    }

    SortedSet<Integer> rejected() {
        return Collections.unmodifiableSortedSet(rejected);
    }
}
