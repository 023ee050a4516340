package io.tidemark.core.quorum;

import io.tidemark.core.Guard;
import io.tidemark.core.log.EpochLog;
import io.tidemark.core.quorum.QuorumReplica.Entry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What must hold in a {@link QuorumWorld} after every step of a replica, and what has to be remembered to tell. */
final class QuorumSafety {
    /** An invariant does not hold: its name. */
    static final class Violation extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Violation(String invariant) {
            super(invariant);
        }
    }

    private final List<Entry> committed = new ArrayList<>();
    /** In which leader's epoch an entry was committed. */
    private final List<Integer> committedIn = new ArrayList<>();

    private final Map<Integer, Integer> leaderOf = new TreeMap<>();

    int committedCount() {
        return committed.size();
    }

    static void require(boolean holds, String invariant) {
        if (!holds) {
            throw new Violation(invariant);
        }
    }

    void check(QuorumReplica node, List<QuorumReplica> nodes) {
        QuorumView view = node.view();
        require(view.log().endOffset() == node.log.size(), "LogIsWhatTheCoreThinks");
        require(
                view.log().lastEpoch()
                        == (node.log.isEmpty()
                                ? EpochLog.NO_EPOCH
                                : node.log.get(node.log.size() - 1).epoch()),
                "LogIsWhatTheCoreThinks");
        require(view.hw() == node.lastHw && view.hw() <= node.log.size(), "HwWithinLog");
        require(view.flushed() <= node.onDisk, "FlushedIsOnDisk");
        if (view.role() == QuorumRole.LEADER) {
            Integer other = leaderOf.putIfAbsent(view.currentEpoch(), node.id());
            require(other == null || other == node.id(), "OneLeaderPerEpoch");
            for (int i = committed.size(); i < view.hw(); i++) {
                committed.add(node.log.get(i));
                committedIn.add(view.currentEpoch());
            }
        }
        require(view.hw() <= committed.size(), "CommittedByALeader");
        for (int i = 0; i < view.hw(); i++) {
            require(node.log.get(i).equals(committed.get(i)), "StateMachineSafety");
        }
        for (QuorumReplica other : nodes) {
            checkLogMatching(node.log, other.log);
            if (other.view().role() == QuorumRole.LEADER) {
                checkComplete(other);
            }
        }
    }

    /** Nobody hears of an epoch that a crash of {@code node} would take back. */
    static void checkTold(QuorumReplica node, int epoch) {
        require(
                node.states.get(node.stateOnDisk).currentEpoch() >= epoch
                        || !node.config.guards().on(Guard.VOTE_DURABLE),
                "ToldEpochIsDurable");
    }

    private static void checkLogMatching(List<Entry> a, List<Entry> b) {
        int same = Math.min(a.size(), b.size()) - 1;
        while (same >= 0 && a.get(same).epoch() != b.get(same).epoch()) {
            same--;
        }
        require(a.subList(0, same + 1).equals(b.subList(0, same + 1)), "LogMatching");
    }

    private void checkComplete(QuorumReplica leader) {
        for (int i = 0; i < committed.size(); i++) {
            if (committedIn.get(i) < leader.view().currentEpoch()) {
                require(i < leader.log.size() && leader.log.get(i).equals(committed.get(i)), "LeaderCompleteness");
            }
        }
    }
}
