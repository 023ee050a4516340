package io.tidemark.simulation;

import io.tidemark.core.SpecAction;
import io.tidemark.core.Step;
import io.tidemark.core.controller.ControllerCore;
import io.tidemark.core.controller.ControllerEffect;
import io.tidemark.core.controller.ControllerInput;
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
import java.util.SortedMap;
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

    /** The epoch of a committed record, and of the leader that committed it: leaders of later epochs must have it. */
    private record Known(int epoch, int committedIn) {}

    private record Epoch(TopicPartition partition, int epoch) implements Comparable<Epoch> {
        @Override
        public int compareTo(Epoch other) {
            int byPartition = partition.compareTo(other.partition);
            return byPartition != 0 ? byPartition : Integer.compare(epoch, other.epoch);
        }
    }

    private final World world;
    private final Exposure exposure = new Exposure();
    private final TreeMap<Integer, Integer> quorumLeaders = new TreeMap<>();
    private final List<Known> committedMetadata = new ArrayList<>();
    private final TreeMap<Epoch, Integer> leaders = new TreeMap<>();
    private final TreeMap<String, Long> taken = new TreeMap<>();
    private long steps;

    Invariants(World world) {
        this.world = world;
    }

    /** Committed records of data partitions, and those that may be missing. */
    Exposure exposure() {
        return exposure;
    }

    long steps() {
        return steps;
    }

    /** How often each spec action was taken. */
    SortedMap<String, Long> taken() {
        return taken;
    }

    /** The listener of one node, for one life. */
    StepListener of(int node) {
        return new NodeListener(node);
    }

    private final class NodeListener implements StepListener {
        private final int node;

        @Override
        public void controller(ControllerCore core, ControllerInput input, Step<ControllerEffect> step) {
            count(step);
            exposure.controllerStep(node, core, input, step.effects());
            for (ControllerEffect effect : step.effects()) {
                if (effect instanceof ControllerEffect.Append append) {
                    world.tell("controller " + node + " " + step.action() + " epoch " + append.epoch() + " @"
                            + append.baseOffset() + " " + append.records());
                }
            }
            world.trace("c" + node + step.action());
        }

        private final TreeMap<TopicPartition, long[]> hwByEpoch = new TreeMap<>();
        private long metadataHw;

        NodeListener(int node) {
            this.node = node;
        }

        @Override
        public void quorum(QuorumCore core, QuorumInput input, Step<QuorumEffect> step) {
            count(step);
            QuorumView view = core.view();
            if (step.action() != null
                    && step.action() != SpecAction.HandleMetadataFetch
                    && step.action() != SpecAction.HandleMetadataFetchResponse) {
                world.tell("node " + node + " quorum " + step.action() + " " + view.role() + " epoch "
                        + view.currentEpoch() + " leader " + view.leaderId() + " hw " + view.hw() + "/"
                        + view.log().endOffset());
            }
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
                                committedMetadata.get(offset).committedIn() >= view.currentEpoch()
                                        || view.log().epochAt(offset)
                                                == committedMetadata.get(offset).epoch(),
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
                        view.currentEpoch(),
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
            if (step.action() != null
                    && step.action() != SpecAction.ConsumerRead
                    && step.action() != SpecAction.PersistLog) {
                world.tell(
                        "broker " + node + " p" + partition.partition() + " " + step.action() + " " + view.role() + " "
                                + (part == null
                                        ? ""
                                        : "leader " + part.leader() + " epoch " + part.leaderEpoch() + "/"
                                                + part.partitionEpoch() + " isr " + part.isr() + " elr " + part.elr())
                                + " hw " + view.hw() + "/" + view.logEnd() + " " + view.isrState()
                                + (input instanceof PartitionInput.HandleFetch f
                                        ? " from " + f.replicaId() + "@" + f.fetchOffset()
                                        : ""));
            }
            world.trace("p" + node + "-" + partition.partition() + step.action() + view.logEnd() + "," + view.hw());
            int epoch = part == null ? -1 : part.leaderEpoch();
            boolean leads = part != null && view.role() == PartitionRole.LEADER;
            boolean first = false;
            if (leads) {
                Integer other = leaders.putIfAbsent(new Epoch(partition, epoch), node);
                require(
                        other == null || other == node,
                        "OneLeaderPerEpoch",
                        "brokers " + other + " and " + node + " lead " + partition.partition() + " in epoch " + epoch);
                first = other == null;
            }
            long[] before = hwByEpoch.computeIfAbsent(partition, key -> new long[] {-1, 0});
            require(
                    before[0] != epoch || !leads || view.hw() >= before[1],
                    "HwMonotone",
                    "broker " + node + ", partition " + partition.partition() + ": hw fell from " + before[1] + " to "
                            + view.hw() + " in epoch " + epoch);
            require(
                    view.logStart() <= view.hw() && view.hw() <= view.logEnd(),
                    "HwInLog",
                    "broker " + node + ": hw " + view.hw() + " outside [" + view.logStart() + ", " + view.logEnd()
                            + "]");
            long from = before[0] == epoch ? Math.min(before[1], view.hw()) : Math.max(0, view.hw() - 50);
            exposure.step(node, partition, view, epoch, first, from);
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

    private static void agree(
            List<Known> known, long offset, int epoch, int leaderEpoch, String invariant, String who) {
        if (offset < known.size()) {
            int elsewhere = known.get((int) offset).epoch();
            require(
                    elsewhere == epoch,
                    invariant,
                    who + ": record " + offset + " is of epoch " + epoch + ", elsewhere of " + elsewhere);
        } else {
            known.add(new Known(epoch, leaderEpoch));
        }
    }

    static void require(boolean holds, String invariant, String message) {
        if (!holds) {
            throw new Violation(invariant, message);
        }
    }
}
