package io.tidemark.conformance;

import io.tidemark.conformance.states.SpecState;
import io.tidemark.conformance.states.Val;
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
    private QuorumVariables() {}

    /** Of a node that is up. */
    static QuorumRole role(SpecState state, String node) {
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

    static Map<String, Object> specified(SpecState at, String node) {
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
