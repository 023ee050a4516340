package io.tidemark.simulation;

import io.tidemark.core.Step;
import io.tidemark.core.controller.ControllerCore;
import io.tidemark.core.controller.ControllerEffect;
import io.tidemark.core.controller.ControllerInput;
import io.tidemark.core.controller.ControllerInvariants;
import io.tidemark.core.log.BatchHeader;
import io.tidemark.core.log.RecordBytes;
import io.tidemark.core.metadata.PartitionRegistration;
import io.tidemark.core.metadata.TopicPartition;
import io.tidemark.core.partition.PartitionCore;
import io.tidemark.core.partition.PartitionEffect;
import io.tidemark.core.partition.PartitionInput;
import io.tidemark.core.partition.PartitionInvariants;
import io.tidemark.core.partition.PartitionRole;
import io.tidemark.core.partition.PartitionView;
import io.tidemark.core.quorum.MetadataBatch;
import io.tidemark.core.quorum.QuorumCore;
import io.tidemark.core.quorum.QuorumEffect;
import io.tidemark.core.quorum.QuorumInput;
import io.tidemark.core.quorum.QuorumRole;
import io.tidemark.core.quorum.QuorumView;
import io.tidemark.runtime.StepListener;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The spec's invariants, checked after every step of every core: the core's own of one replica or controller, and here
 * those that need all nodes. Within one leader epoch there is one leader, in one of its lives, so (offset, epoch) names a
 * record: {@link Contents} holds that to what is appended, and then logs are compared by the epochs of their records.
 */
final class Invariants {
    private record LeaderEpoch(TopicPartition partition, int epoch) implements Comparable<LeaderEpoch> {
        @Override
        public int compareTo(LeaderEpoch other) {
            int byPartition = partition.compareTo(other.partition);
            return byPartition != 0 ? byPartition : Integer.compare(epoch, other.epoch);
        }
    }

    /** Who leads in an epoch: a process, not a node. One that lives again does not know what it did before. */
    private record Leader(int node, int life) {}

    /** So many steps between two looks at everything: about a hundredth of the time. */
    private static final long WHOLE_EVERY = 10_000;

    private final String unheld;
    private final Exposure exposure = new Exposure();
    private final TreeMap<Integer, QuorumView> quorums = new TreeMap<>();
    private long steps;
    private final TreeMap<Integer, Integer> lives = new TreeMap<>();
    private final TreeMap<Integer, Leader> quorumLeaders = new TreeMap<>();
    /** Epochs of the quorum whose leader another node has heard of, or in which something was committed. */
    private final TreeSet<Integer> heardOf = new TreeSet<>();

    private final Contents metadata = new Contents("metadata");
    private final TreeMap<LeaderEpoch, Leader> leaders = new TreeMap<>();
    private final TreeMap<TopicPartition, Contents> contents = new TreeMap<>();
    private final List<Exposure.Known> committedMetadata = new ArrayList<>();
    private final Answers answers = new Answers(committedMetadata);

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

    /** What controllers' answers rest on. */
    Answers answers() {
        return answers;
    }

    private Contents contents(TopicPartition id) {
        return contents.computeIfAbsent(id, key -> new Contents("partition " + key.partition()));
    }

    /** The listener of one node, for one life: the next one. */
    StepListener of(int node) {
        return new NodeListener(new Leader(node, lives.merge(node, 1, Integer::sum)));
    }

    /** What is remembered of a replica, for one life. */
    private static final class Replica {
        final PartitionInvariants invariants = new PartitionInvariants();
        int leaderEpoch = -1;
        long hw;
    }

    private final class NodeListener implements StepListener {
        private final int node;
        private final Leader self;
        private final TreeMap<TopicPartition, Replica> replicas = new TreeMap<>();
        private ControllerInvariants controllerInvariants = new ControllerInvariants();
        private @Nullable ControllerCore term;
        private Answers.Term answered;
        private final StepInvariants steps;
        private long metadataHw;
        private int quorumEpoch;
        /** So many committed records the node's metadata log holds, as far as seen. */
        private long holds;

        NodeListener(Leader self) {
            this.self = self;
            this.node = self.node();
            this.answered = answers.new Term(node);
            this.steps = new StepInvariants(node, unheld);
        }

        @Override
        public void controller(ControllerCore core, ControllerInput input, Step<ControllerEffect> step) {
            if (term != core) {
                term = core;
                controllerInvariants = new ControllerInvariants();
                answered = answers.new Term(node);
            }
            hold(controllerInvariants.check(core.view(), step), "controller " + node);
            steps.controller(core, input, step, exposure.decidedBy(node));
            exposure.controllerStep(node, core.view(), input, step.effects());
            answered.stepped(core, step);
        }

        @Override
        public void quorum(QuorumCore core, QuorumInput input, Step<QuorumEffect> step) {
            QuorumView view = core.view();
            quorums.put(node, view);
            int epoch = view.currentEpoch();
            require(
                    epoch >= quorumEpoch,
                    "EpochsMonotone",
                    "node " + node + ": quorum epoch fell from " + quorumEpoch + " to " + epoch);
            quorumEpoch = epoch;
            if (view.leaderId() >= 0 && view.leaderId() != node) {
                heardOf.add(epoch);
            }
            if (view.role() == QuorumRole.LEADER && beginsToLeadQuorum(epoch)) {
                for (int offset = 0; offset < committedMetadata.size(); offset++) {
                    Exposure.Known known = committedMetadata.get(offset);
                    require(
                            known.committedIn() >= epoch || view.log().epochAt(offset) == known.epoch(),
                            "LeaderCompleteness",
                            "node " + node + " leads in epoch " + epoch + " without the committed record " + offset);
                }
            }
            step.effects().forEach(this::metadataAppended);
            step.effects().forEach(this::metadataCut);
            require(view.hw() >= metadataHw, "HwMonotone", "node " + node + ": metadata hw fell to " + view.hw());
            for (long offset = metadataHw; offset < view.hw(); offset++) {
                int own = view.log().epochAt(offset);
                if (offset == committedMetadata.size()) {
                    committedMetadata.add(new Exposure.Known(own, epoch));
                    heardOf.add(own);
                }
                committed(node, view, (int) offset);
            }
            metadataHw = view.hw();
            while (holds < committedMetadata.size()
                    && view.log().epochAt(holds)
                            == committedMetadata.get((int) holds).epoch()) {
                holds++;
            }
            steps.quorum(view, input, step);
            stepped();
        }

        /**
         * A power loss may take back that it leads before it has told anybody; it may then be elected in that epoch once
         * more, and begin it anew.
         */
        private boolean beginsToLeadQuorum(int epoch) {
            Leader before = quorumLeaders.get(epoch);
            if (before != null && before.node() == node && !before.equals(self) && !heardOf.contains(epoch)) {
                quorumLeaders.remove(epoch);
                metadata.forget(epoch);
            }
            return beginsToLead(quorumLeaders, epoch, self);
        }

        /** What is committed a majority holds, and holds on to: a leader of any later epoch has it, and asks nobody to cut it off. */
        private void metadataCut(QuorumEffect effect) {
            if (effect instanceof QuorumEffect.Truncate cut) {
                require(
                        cut.offset() >= holds,
                        "CutsNothingCommitted",
                        "node " + node + " cuts its metadata log to " + cut.offset() + " and held the committed records"
                                + " below " + holds);
            }
        }

        private void metadataAppended(QuorumEffect effect) {
            if (effect instanceof QuorumEffect.AppendControl append) {
                metadata.appended(
                        node,
                        append.baseOffset(),
                        append.epoch(),
                        append.records().toString().hashCode());
            } else if (effect instanceof QuorumEffect.AppendRecords append) {
                ByteBuffer bytes = ((RecordBytes) append.records()).buffer();
                metadata.appended(
                        node,
                        append.baseOffset(),
                        append.epoch(),
                        Contents.crc(bytes, bytes.position(), bytes.remaining()));
            } else if (effect instanceof QuorumEffect.AppendFetched append) {
                ByteBuffer bytes = ((RecordBytes) append.records()).buffer();
                int position = bytes.position();
                for (MetadataBatch batch : append.batches()) {
                    BatchHeader header = batch.header();
                    // Of a control batch the leader's core has only what it says.
                    int content = header.control()
                            ? batch.control().toString().hashCode()
                            : Contents.crc(bytes, position, header.sizeInBytes());
                    metadata.appended(node, header.baseOffset(), header.leaderEpoch(), content);
                    position += header.sizeInBytes();
                }
            }
        }

        @Override
        public void partition(TopicPartition id, PartitionCore core, PartitionInput input, Step<PartitionEffect> step) {
            PartitionView view = core.view();
            Replica replica = replicas.computeIfAbsent(id, key -> new Replica());
            hold(replica.invariants.check(view), "broker " + node + ", partition " + id.partition());
            PartitionRegistration part = view.part();
            int epoch = part == null ? -1 : part.leaderEpoch();
            boolean first =
                    view.role() == PartitionRole.LEADER && beginsToLead(leaders, new LeaderEpoch(id, epoch), self);
            steps.partition(id, view, input, step, replica.hw);
            step.effects().forEach(effect -> appended(id, effect));
            // Another leader: what is below the high watermark is compared once more, from the beginning.
            long from = replica.leaderEpoch == epoch ? Math.min(replica.hw, view.hw()) : 0;
            exposure.step(node, id, view, epoch, first, from);
            replica.leaderEpoch = epoch;
            replica.hw = view.hw();
            stepped();
        }

        private void appended(TopicPartition id, PartitionEffect effect) {
            if (effect instanceof PartitionEffect.Append append) {
                contents(id).appended(node, List.of(append.batch()), append.records());
            } else if (effect instanceof PartitionEffect.AppendFetched append) {
                contents(id).appended(node, append.batches(), append.records());
            }
        }
    }

    /** Returns whether nobody has led in the epoch yet. */
    private static <K> boolean beginsToLead(Map<K, Leader> leaders, K epoch, Leader leader) {
        Leader other = leaders.putIfAbsent(epoch, leader);
        if (other != null && !other.equals(leader)) {
            throw new Violation(
                    "OneLeaderPerEpoch",
                    other.node() == leader.node()
                            ? "node " + leader.node() + " leads in two of its lives in one epoch: " + epoch
                            : "nodes " + other.node() + " and " + leader.node() + " lead in one epoch: " + epoch);
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
