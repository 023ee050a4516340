package io.tidemark.conformance;

import io.tidemark.conformance.states.State;
import io.tidemark.conformance.states.Val;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;

/** Invariants of module Quorum, by the specification's names, asked of the code's state. */
final class QuorumProperties {
    private static final Map<String, Predicate<State>> ALL = new TreeMap<>(Map.of(
            "OneLeaderPerEpoch", QuorumProperties::oneLeaderPerEpoch,
            "LogMatching", QuorumProperties::logMatching,
            "LeaderCompleteness", QuorumProperties::leaderCompleteness,
            "StateMachineSafety", QuorumProperties::stateMachineSafety,
            "DecidedOnItsPrefix", QuorumProperties::decidedOnItsPrefix,
            "Undisturbed", QuorumProperties::undisturbed));

    private QuorumProperties() {}

    /** Those that can be asked of one state. */
    static Map<String, Predicate<State>> all() {
        return ALL;
    }

    private static boolean oneLeaderPerEpoch(State state) {
        Map<Val, Val> leaders = new HashMap<>();
        for (String node : Nodes.ALL) {
            Val leader = state.get("leaderId", node);
            Val other = leader.isNil() ? null : leaders.putIfAbsent(state.get("currentEpoch", node), leader);
            if (other != null && !other.equals(leader)) {
                return false;
            }
        }
        return true;
    }

    private static boolean logMatching(State state) {
        for (String one : Nodes.ALL) {
            for (String other : Nodes.ALL) {
                List<Val> log = state.get("log", one).list();
                List<Val> there = state.get("log", other).list();
                for (int i = Math.min(log.size(), there.size()) - 1; i >= 0; i--) {
                    if (log.get(i).at("epoch").equals(there.get(i).at("epoch"))
                            && !log.subList(0, i + 1).equals(there.subList(0, i + 1))) {
                        return false;
                    }
                }
            }
        }
        return true;
    }

    private static boolean leaderCompleteness(State state) {
        List<Val> committed = state.get("committed").list();
        for (String node : Nodes.ALL) {
            List<Val> log = state.get("log", node).list();
            boolean leads = state.get("role", node).text().equals("Leader");
            for (int i = 0; leads && i < committed.size(); i++) {
                boolean earlier = committed.get(i).at("by").integer()
                        < state.get("currentEpoch", node).integer();
                if (earlier
                        && (log.size() <= i
                                || !log.get(i).equals(committed.get(i).at("rec")))) {
                    return false;
                }
            }
        }
        return true;
    }

    private static boolean stateMachineSafety(State state) {
        List<Val> committed = state.get("committed").list();
        for (String node : Nodes.ALL) {
            List<Val> log = state.get("log", node).list();
            int hw = state.get("hw", node).integer();
            if (hw > committed.size() || hw > log.size()) {
                return false;
            }
            for (int i = 0; i < hw; i++) {
                if (!log.get(i).equals(committed.get(i).at("rec"))) {
                    return false;
                }
            }
        }
        return true;
    }

    private static boolean decidedOnItsPrefix(State state) {
        for (String node : Nodes.ALL) {
            int decisions = 0;
            for (Val record : state.get("log", node).list()) {
                if (record.at("kind").text().equals("data")) {
                    if (record.at("seen").integer() != decisions) {
                        return false;
                    }
                    decisions++;
                }
            }
        }
        return true;
    }

    /** Of models in which n1 leads epoch 1 from the start. */
    private static boolean undisturbed(State state) {
        return state.get("role", "n1").text().equals("Leader")
                && Nodes.ALL.stream()
                        .allMatch(node -> state.get("currentEpoch", node).integer() == 1);
    }
}
