package io.tidemark.core.quorum;

import java.util.List;

/** Control records of the metadata log, each an entry of the log like any other. */
public sealed interface ControlRecord {
    /** The first record of a leader's epoch. */
    record LeaderChange(int leaderId, List<Integer> voters, List<Integer> grantingVoters) implements ControlRecord {
        public LeaderChange {
            voters = List.copyOf(voters);
            grantingVoters = List.copyOf(grantingVoters);
        }
    }

    /** {@code kraft.version}: 0 static voters, 1 voters in the log with directory ids. */
    record KRaftVersion(short version) implements ControlRecord {}

    /** The voter set, in force from the moment it is appended (KIP-853). */
    record Voters(VoterSet voters) implements ControlRecord {}
}
