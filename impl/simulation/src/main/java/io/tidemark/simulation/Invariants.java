package io.tidemark.simulation;

import io.tidemark.core.Step;
import io.tidemark.core.metadata.LeaderRecovery;
import io.tidemark.core.metadata.PartitionRegistration;
import io.tidemark.core.metadata.TopicPartition;
import io.tidemark.core.partition.PartitionCore;
import io.tidemark.core.partition.PartitionEffect;
import io.tidemark.core.partition.PartitionInput;
import io.tidemark.core.partition.PartitionRole;
import io.tidemark.core.partition.PartitionView;
import io.tidemark.core.quorum.QuorumCore;
import io.tidemark.core.quorum.QuorumEffect;
import io.tidemark.core.quorum.QuorumInput;
import io.tidemark.core.quorum.QuorumRole;
import io.tidemark.core.quorum.QuorumView;
import io.tidemark.runtime.StepListener;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * The spec's invariants over all nodes, checked after every step of every core. Within one leader epoch there is one
 * leader, so (offset, epoch) names a record: logs are compared by the epochs of their records.
 */
final class Invariants {
    /** A violated invariant of the spec. */
    static final class Violation extends AssertionError {
        private static final long serialVersionUID = 1L;
        private final String invariant;

        Violation(String invariant, String message) {
            super(invariant + ": " + message);
            this.invariant = invariant;
        }

        String invariant() {
            return invariant;
        }
    }

    private record Epoch(TopicPartition partition, int epoch) implements Comparable<Epoch> {
        @Override
        public int compareTo(Epoch other) {
            int byPartition = partition.compareTo(other.partition);
            return byPartition != 0 ? byPartition : Integer.compare(epoch, other.epoch);
        }
    }

    private final World world;
    private final boolean lossAllowed;
    private final TreeMap<Integer, Integer> quorumLeaders = new TreeMap<>();
    private final List<Integer> committedMetadata = new ArrayList<>();
    private final TreeMap<Epoch, Integer> leaders = new TreeMap<>();
    private final TreeMap<TopicPartition, List<Integer>> exposed = new TreeMap<>();
    private final TreeMap<String, Long> taken = new TreeMap<>();
    private long steps;

    /** With {@code lossAllowed} (the settings permit it) a leader may lack exposed records; all else must hold. */
    Invariants(World world, boolean lossAllowed) {
        this.world = world;
        this.lossAllowed = lossAllowed;
    }

    long steps() {
        return steps;
    }

    /** How often each spec action was taken. */
    TreeMap<String, Long> taken() {
        return taken;
    }

    /** The listener of one node, for one life. */
    StepListener of(int node) {
        return new NodeListener(node);
    }

    private final class NodeListener implements StepListener {
        private final int node;
        private final TreeMap<TopicPartition, long[]> hwByEpoch = new TreeMap<>();
        private long metadataHw;

        NodeListener(int node) {
            this.node = node;
        }

        @Override
        public void quorum(QuorumCore core, QuorumInput input, Step<QuorumEffect> step) {
            count(step);
            QuorumView view = core.view();
            world.trace("q" + node + step.action() + view.currentEpoch() + "," + view.hw());
            if (view.role() == QuorumRole.LEADER) {
                Integer other = quorumLeaders.putIfAbsent(view.currentEpoch(), node);
                require(
                        other == null || other == node,
                        "OneLeaderPerEpoch",
                        "nodes " + other + " and " + node + " lead the quorum in epoch " + view.currentEpoch());
                if (other == null) {
                    for (int offset = 0; offset < committedMetadata.size(); offset++) {
                        require(
                                view.log().epochAt(offset) == committedMetadata.get(offset),
                                "LeaderCompleteness",
                                "node " + node + " leads in epoch " + view.currentEpoch()
                                        + " without the committed record " + offset);
                    }
                }
            }
            require(view.hw() >= metadataHw, "HwMonotone", "node " + node + ": metadata hw fell to " + view.hw());
            for (long offset = metadataHw; offset < view.hw(); offset++) {
                agree(
                        committedMetadata,
                        offset,
                        view.log().epochAt(offset),
                        "StateMachineSafety",
                        "metadata of node " + node);
            }
            metadataHw = view.hw();
        }

        @Override
        public void partition(
                TopicPartition partition, PartitionCore core, PartitionInput input, Step<PartitionEffect> step) {
            count(step);
            PartitionView view = core.view();
            PartitionRegistration part = view.part();
            world.trace("p" + node + "-" + partition.partition() + step.action() + view.logEnd() + "," + view.hw());
            List<Integer> known = exposed.computeIfAbsent(partition, key -> new ArrayList<>());
            int epoch = part == null ? -1 : part.leaderEpoch();
            if (part != null && view.role() == PartitionRole.LEADER) {
                Integer other = leaders.putIfAbsent(new Epoch(partition, epoch), node);
                require(
                        other == null || other == node,
                        "OneLeaderPerEpoch",
                        "brokers " + other + " and " + node + " lead " + partition.partition() + " in epoch " + epoch);
                if (part.recovery() == LeaderRecovery.RECOVERED && !lossAllowed && other == null) {
                    for (int offset = 0; offset < known.size(); offset++) {
                        require(
                                view.epochAt(offset) == known.get(offset),
                                "ElectableComplete",
                                "broker " + node + " leads " + partition.partition() + " in epoch " + epoch
                                        + " without the exposed record " + offset);
                    }
                }
            }
            long[] before = hwByEpoch.computeIfAbsent(partition, key -> new long[] {-1, 0});
            if (before[0] == epoch && view.role() == PartitionRole.LEADER) {
                require(
                        view.hw() >= before[1],
                        "HwMonotone",
                        "broker " + node + ", partition " + partition.partition() + ": hw fell from " + before[1]
                                + " to " + view.hw() + " in epoch " + epoch);
            }
            require(
                    view.logStart() <= view.hw() && view.hw() <= view.logEnd(),
                    "HwInLog",
                    "broker " + node + ": hw " + view.hw() + " outside [" + view.logStart() + ", " + view.logEnd()
                            + "]");
            if (!lossAllowed && view.role() == PartitionRole.LEADER) {
                for (long offset = known.size(); offset < view.hw(); offset++) {
                    agree(
                            known,
                            offset,
                            view.epochAt(offset),
                            "LogMatching",
                            "partition " + partition.partition() + " of broker " + node);
                }
            }
            if (!lossAllowed) {
                long from = before[0] == epoch ? before[1] : Math.max(0, view.hw() - 50);
                for (long offset = from; offset < Math.min(view.hw(), known.size()); offset++) {
                    agree(
                            known,
                            offset,
                            view.epochAt(offset),
                            "LogMatching",
                            "partition " + partition.partition() + " of broker " + node);
                }
            }
            before[0] = epoch;
            before[1] = view.hw();
        }

        private void count(Step<?> step) {
            steps++;
            if (step.action() != null) {
                taken.merge(step.action().name(), 1L, Long::sum);
            }
        }
    }

    private static void agree(List<Integer> known, long offset, int epoch, String invariant, String who) {
        if (offset < known.size()) {
            require(
                    known.get((int) offset) == epoch,
                    invariant,
                    who + ": record " + offset + " is of epoch " + epoch + ", elsewhere of " + known.get((int) offset));
        } else {
            known.add(epoch);
        }
    }

    static void require(boolean holds, String invariant, String message) {
        if (!holds) {
            throw new Violation(invariant, message);
        }
    }
}
