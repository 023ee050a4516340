package io.tidemark.conformance.quorum;

import io.tidemark.conformance.states.State;
import io.tidemark.conformance.states.Val;
import io.tidemark.conformance.world.Change;
import io.tidemark.core.log.EpochStart;
import io.tidemark.core.quorum.QuorumRole;
import io.tidemark.core.quorum.QuorumView;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/** The variables of one replica of the quorum, as the specification has them and as the code shows them. */
final class QuorumVariables {
    /** The variables that a replica's view shows, and its log. */
    static final List<String> OWN = List.of(
            "currentEpoch",
            "votedKey",
            "leaderId",
            "role",
            "grants",
            "rejects",
            "fetchedFromLeader",
            "voterFetch",
            "hw",
            "flushed",
            "log");

    private QuorumVariables() {}

    /** Writes what the view shows under the specification's names; the records of the log are the disk's. */
    static void observe(Change change, String node, QuorumView view) {
        change.put("currentEpoch", node, Val.of(view.currentEpoch()));
        change.put("votedKey", node, Nodes.name(view.votedKey()));
        change.put("leaderId", node, Nodes.name(view.leaderId()));
        String role = view.role().name();
        change.put("role", node, Val.of(role.charAt(0) + role.substring(1).toLowerCase(Locale.ROOT)));
        change.put(
                "grants", node, Val.set(view.grants().stream().map(Nodes::name).toList()));
        change.put(
                "rejects",
                node,
                Val.set(view.rejects().stream().map(Nodes::name).toList()));
        change.put("fetchedFromLeader", node, Val.of(view.fetchedFromLeader()));
        Val fetched = noFetch();
        boolean leads = view.role() == QuorumRole.LEADER;
        if (leads && change.before().get("role", node).text().equals("Leader")) {
            // A leader's own entry is nobody's concern, flushed says it: as it was.
            fetched = fetched.with(node, change.before().get("voterFetch", node).at(node));
        }
        for (Map.Entry<Integer, Long> voter : view.voterFetch().entrySet()) {
            String name = "n" + voter.getKey();
            fetched = name.equals(node)
                    ? fetched
                    : fetched.with(name, Val.of(voter.getValue().intValue()));
        }
        change.put("voterFetch", node, fetched);
        change.put("hw", node, Val.of((int) view.hw()));
        change.put("flushed", node, Val.of((int) view.flushed()));
    }

    static Val noFetch() {
        Map<String, Val> none = new TreeMap<>();
        Nodes.ALL.forEach(node -> none.put(node, Val.of(-1)));
        return Val.function(none);
    }

    /** Of a node that is up. */
    static QuorumRole role(State state, String node) {
        return QuorumRole.valueOf(state.get("role", node).text().toUpperCase(Locale.ROOT));
    }

    static List<EpochStart> starts(List<Val> log) {
        List<EpochStart> starts = new ArrayList<>();
        for (int offset = 0; offset < log.size(); offset++) {
            int epoch = log.get(offset).at("epoch").integer();
            if (starts.isEmpty() || epoch > starts.get(starts.size() - 1).epoch()) {
                starts.add(new EpochStart(epoch, offset));
            }
        }
        return starts;
    }

    static Map<String, Object> specified(State at, String node) {
        Map<String, Object> all = new LinkedHashMap<>();
        QuorumRole role = role(at, node);
        Val log = at.get("log", node);
        long flushed = at.get("flushed", node).integer();
        all.put("currentEpoch", at.get("currentEpoch", node).integer());
        all.put("votedKey", String.valueOf(Nodes.keyOrNone(at.get("votedKey", node))));
        all.put("leaderId", Nodes.idOrNone(at.get("leaderId", node)));
        all.put("role", role);
        all.put("log", starts(log.list()));
        all.put("logEnd", (long) log.size());
        all.put("flushed", flushed);
        all.put("hw", (long) at.get("hw", node).integer());
        TreeSet<Integer> grants = new TreeSet<>();
        at.get("grants", node).list().forEach(grant -> grants.add(Nodes.id(grant.text())));
        all.put("grants", grants);
        Map<Integer, Long> fetched = new TreeMap<>();
        if (role == QuorumRole.LEADER) {
            for (String other : Nodes.ALL) {
                long offset = other.equals(node)
                        ? flushed
                        : at.get("voterFetch", node).at(other).integer();
                fetched.put(Nodes.id(other), offset);
            }
        }
        all.put("voterFetch", fetched);
        return all;
    }

    static Map<String, Object> shown(QuorumView view) {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("currentEpoch", view.currentEpoch());
        all.put("votedKey", String.valueOf(view.votedKey()));
        all.put("leaderId", view.leaderId());
        all.put("role", view.role());
        all.put("log", view.log().starts());
        all.put("logEnd", view.log().endOffset());
        all.put("flushed", view.flushed());
        all.put("hw", view.hw());
        all.put("grants", view.grants());
        all.put("voterFetch", view.voterFetch());
        return all;
    }
}
