package io.tidemark.simulation;

import io.tidemark.core.Step;
import io.tidemark.core.controller.ControllerCore;
import io.tidemark.core.controller.ControllerEffect;
import io.tidemark.core.controller.ControllerInput;
import io.tidemark.core.controller.ControllerInvariants;
import io.tidemark.core.metadata.PartitionRegistration;
import io.tidemark.core.metadata.TopicPartition;
import io.tidemark.core.partition.PartitionCore;
import io.tidemark.core.partition.PartitionEffect;
import io.tidemark.core.partition.PartitionInput;
import io.tidemark.core.partition.PartitionInvariants;
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
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The spec's invariants, checked after every step of every core: the core's own of one replica or controller, and here
 * those that need all nodes. Within one leader epoch there is one leader, so (offset, epoch) names a record: logs are
 * compared by the epochs of their records.
 */
final class Invariants {
    private record LeaderEpoch(TopicPartition partition, int epoch) implements Comparable<LeaderEpoch> {
        @Override
        public int compareTo(LeaderEpoch other) {
            int byPartition = partition.compareTo(other.partition);
            return byPartition != 0 ? byPartition : Integer.compare(epoch, other.epoch);
        }
    }

    /** So many steps between two looks at everything: about a hundredth of the time. */
    private static final long WHOLE_EVERY = 10_000;

    private final String unheld;
    private final Exposure exposure = new Exposure();
    private final TreeMap<Integer, QuorumView> quorums = new TreeMap<>();
    private long steps;
    private final TreeMap<Integer, Integer> quorumLeaders = new TreeMap<>();
    private final TreeMap<LeaderEpoch, Integer> leaders = new TreeMap<>();
    private final List<Exposure.Known> committedMetadata = new ArrayList<>();

    /** @param unheld an invariant of one step that is not demanded; empty for none */
    Invariants(String unheld) {
        this.unheld = unheld;
    }

    /**
     * Everything that is remembered against every log as it is now: what steps changed below what they looked at shows here.
     */
    void whole() {
        exposure.whole();
        quorums.forEach((node, view) -> {
            long end = Math.min(view.hw(), committedMetadata.size());
            for (int offset = 0; offset < end; offset++) {
                committed(node, view, offset);
            }
        });
    }

    private void committed(int node, QuorumView view, int offset) {
        int own = view.log().epochAt(offset);
        int elsewhere = committedMetadata.get(offset).epoch();
        if (own != elsewhere) {
            throw new Violation(
                    "StateMachineSafety",
                    "metadata of node " + node + ": record " + offset + " is of epoch " + own + ", elsewhere of "
                            + elsewhere);
        }
    }

    private void stepped() {
        if (++steps % WHOLE_EVERY == 0) {
            whole();
        }
    }

    /** Committed records of data partitions, and those that may be missing. */
    Exposure exposure() {
        return exposure;
    }

    /** The listener of one node, for one life. */
    StepListener of(int node) {
        return new NodeListener(node);
    }

    /** What is remembered of a replica, for one life. */
    private static final class Replica {
        final PartitionInvariants invariants = new PartitionInvariants();
        int leaderEpoch = -1;
        long hw;
    }

    private final class NodeListener implements StepListener {
        private final int node;
        private final TreeMap<TopicPartition, Replica> replicas = new TreeMap<>();
        private ControllerInvariants controllerInvariants = new ControllerInvariants();
        private @Nullable ControllerCore term;
        private final StepInvariants steps;
        private long metadataHw;

        NodeListener(int node) {
            this.node = node;
            this.steps = new StepInvariants(node, unheld);
        }

        @Override
        public void controller(ControllerCore core, ControllerInput input, Step<ControllerEffect> step) {
            if (term != core) {
                term = core;
                controllerInvariants = new ControllerInvariants();
            }
            hold(controllerInvariants.check(core.view(), step), "controller " + node);
            steps.controller(core, input, step, exposure.decidedBy(node));
            exposure.controllerStep(node, core, input, step.effects());
        }

        @Override
        public void quorum(QuorumCore core, QuorumInput input, Step<QuorumEffect> step) {
            QuorumView view = core.view();
            quorums.put(node, view);
            int epoch = view.currentEpoch();
            if (view.role() == QuorumRole.LEADER && beginsToLead(quorumLeaders, epoch, node)) {
                for (int offset = 0; offset < committedMetadata.size(); offset++) {
                    Exposure.Known known = committedMetadata.get(offset);
                    require(
                            known.committedIn() >= epoch || view.log().epochAt(offset) == known.epoch(),
                            "LeaderCompleteness",
                            "node " + node + " leads in epoch " + epoch + " without the committed record " + offset);
                }
            }
            require(view.hw() >= metadataHw, "HwMonotone", "node " + node + ": metadata hw fell to " + view.hw());
            for (long offset = metadataHw; offset < view.hw(); offset++) {
                int own = view.log().epochAt(offset);
                if (offset == committedMetadata.size()) {
                    committedMetadata.add(new Exposure.Known(own, epoch));
                }
                committed(node, view, (int) offset);
            }
            metadataHw = view.hw();
            steps.quorum(view, input, step);
            stepped();
        }

        @Override
        public void partition(TopicPartition id, PartitionCore core, PartitionInput input, Step<PartitionEffect> step) {
            PartitionView view = core.view();
            Replica replica = replicas.computeIfAbsent(id, key -> new Replica());
            hold(replica.invariants.check(view), "broker " + node + ", partition " + id.partition());
            PartitionRegistration part = view.part();
            int epoch = part == null ? -1 : part.leaderEpoch();
            boolean first =
                    view.role() == PartitionRole.LEADER && beginsToLead(leaders, new LeaderEpoch(id, epoch), node);
            steps.partition(id, view, input, step, replica.hw);
            long from = replica.leaderEpoch == epoch ? Math.min(replica.hw, view.hw()) : Math.max(0, view.hw() - 50);
            exposure.step(node, id, view, epoch, first, from);
            replica.leaderEpoch = epoch;
            replica.hw = view.hw();
            stepped();
        }
    }

    /** Returns whether nobody has led in the epoch yet. */
    private static <K> boolean beginsToLead(Map<K, Integer> leaders, K epoch, int node) {
        Integer other = leaders.putIfAbsent(epoch, node);
        if (other != null && other != node) {
            throw new Violation(
                    "OneLeaderPerEpoch", "nodes " + other + " and " + node + " lead in one epoch: " + epoch);
        }
        return other == null;
    }

    private static void hold(List<String> violated, String who) {
        if (!violated.isEmpty()) {
            String first = violated.get(0);
            int colon = first.indexOf(':');
            throw new Violation(first.substring(0, colon), who + first.substring(colon));
        }
    }

    static void require(boolean holds, String invariant, String message) {
        if (!holds) {
            throw new Violation(invariant, message);
        }
    }
}
