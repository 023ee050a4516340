package io.tidemark.conformance.quorum;

import io.tidemark.conformance.states.Call;
import io.tidemark.conformance.states.State;
import io.tidemark.conformance.states.Val;
import io.tidemark.conformance.states.Values;
import io.tidemark.conformance.world.Called;
import java.util.HashSet;
import java.util.Set;
import java.util.function.BiPredicate;

/**
 * The reductions of MCQuorum: the two actions of an RPC follow one another, who is down comes up before anything else happens,
 * and pre-votes are asked and answered first. They leave out interleavings and hold no rule of the protocol.
 */
final class QuorumFusing implements BiPredicate<Values, Values> {
    /** What a model's configuration may name: the latter for a model in which n3 alone looks for votes. */
    static final Set<String> KNOWN = Set.of("Fused", "FusedOnlyN3");

    private final QuorumWorld world;
    private final boolean onlyN3;

    QuorumFusing(QuorumWorld world, boolean onlyN3) {
        this.world = world;
        this.onlyN3 = onlyN3;
    }

    @Override
    public boolean test(Values from, Values to) {
        return rpc(from, to) && restart(from, to) && preVote(from, to) && (!onlyN3 || alone(to));
    }

    private static boolean alone(State state) {
        return Nodes.ALL.stream()
                .allMatch(node ->
                        node.equals("n3") || !state.get("role", node).text().equals("Prospective"));
    }

    private static Set<String> answered(State state) {
        Set<String> answered = new HashSet<>();
        for (String node : Nodes.ALL) {
            if (!state.get("fetchResp", node).isNil()) {
                answered.add(node);
            }
        }
        return answered;
    }

    private static boolean rpc(Values from, Values to) {
        Set<Val> votes = new HashSet<>(from.get("voteResp").list());
        Set<Val> votesAfter = new HashSet<>(to.get("voteResp").list());
        Set<String> fetches = answered(from);
        Set<String> fetchesAfter = answered(to);
        return (votes.isEmpty() && fetches.isEmpty())
                || (votes.containsAll(votesAfter)
                        && fetches.containsAll(fetchesAfter)
                        && !(votes.equals(votesAfter) && fetches.equals(fetchesAfter)));
    }

    private static boolean restart(Values from, Values to) {
        boolean anyDown = false;
        for (String node : Nodes.ALL) {
            if (!Nodes.up(from, node)) {
                anyDown = true;
                if (Nodes.up(to, node) || !from.get("dirId", node).equals(to.get("dirId", node))) {
                    return true;
                }
            }
        }
        return !anyDown;
    }

    private boolean preVote(Values from, Values to) {
        for (String node : Nodes.ALL) {
            if (from.get("role", node).text().equals("Prospective")
                    && from.get("voteResp").equals(to.get("voteResp"))
                    && from.get("role", node).equals(to.get("role", node))
                    && Nodes.ALL.stream().anyMatch(other -> asks(from, node, other))) {
                return false;
            }
        }
        return true;
    }

    private boolean asks(Values state, String from, String to) {
        Call request = Called.of("HandleVoteRequest", "v", to, "c", from);
        return world.asks(state, request);
    }
}
