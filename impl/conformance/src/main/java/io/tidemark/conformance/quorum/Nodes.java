package io.tidemark.conformance.quorum;

import io.tidemark.conformance.states.State;
import io.tidemark.conformance.states.Val;
import io.tidemark.core.quorum.Endpoint;
import io.tidemark.core.quorum.QuorumStateData;
import io.tidemark.core.quorum.ReplicaKey;
import io.tidemark.core.quorum.VoterSet;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Nodes of module Quorum, as the code names them: n1 is node 1; the nth directory of a node has an id of its own. */
final class Nodes {
    static final String CLUSTER = "cluster";
    static final List<String> ALL = List.of("n1", "n2", "n3");
    /** How long a fetch may wait. */
    static final int WAIT_MS = 500;

    private Nodes() {}

    static int id(String node) {
        return Integer.parseInt(node.substring(1));
    }

    static int idOrNone(Val node) {
        return node.isNil() ? QuorumStateData.NO_LEADER : id(node.text());
    }

    private static ReplicaKey key(int id, int directory) {
        return new ReplicaKey(id, new UUID(id, directory + 1L));
    }

    /** A key {@code <<node, directory>>}. */
    static ReplicaKey key(Val key) {
        return key(id(key.at(1).text()), key.at(2).integer());
    }

    /** The name of a node; Nil for none. */
    static Val name(int id) {
        return id < 0 ? Val.nil() : Val.of("n" + id);
    }

    static Val name(@Nullable ReplicaKey key) {
        return key == null
                ? Val.nil()
                : Val.sequence(
                        List.of(name(key.id()), Val.of((int) key.directoryId().getLeastSignificantBits() - 1)));
    }

    static @Nullable ReplicaKey keyOrNone(Val key) {
        return key.isNil() ? null : key(key);
    }

    static ReplicaKey key(State state, String node) {
        return key(id(node), state.get("dirId", node).integer());
    }

    static List<Endpoint> endpoints(int id) {
        return id < 0 ? List.of() : List.of(new Endpoint("CONTROLLER", "host" + id, 9093));
    }

    /** A voter of the models that are compared: each node in its first directory; none joins or leaves. */
    static ReplicaKey voter(String node) {
        return key(id(node), 0);
    }

    static VoterSet voters() {
        List<VoterSet.Voter> voters = new ArrayList<>();
        for (String node : ALL) {
            voters.add(new VoterSet.Voter(voter(node), endpoints(id(node))));
        }
        return VoterSet.of(voters);
    }

    static boolean up(State state, String node) {
        return !state.get("role", node).text().equals("Down");
    }
}
