package io.tidemark.simulation;

import io.tidemark.core.controller.ControllerEffect;
import io.tidemark.core.controller.ControllerInput;
import io.tidemark.core.controller.ControllerView;
import io.tidemark.core.metadata.MetadataRecord;
import io.tidemark.core.metadata.PartitionRegistration;
import io.tidemark.core.metadata.TopicPartition;
import io.tidemark.core.metadata.TopicState;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The elections that controllers decide, and on what {@link Exposure.Ground}; nobody may be elected without one. */
final class LeaderElections {
    private record Election(int quorumEpoch, int leader, Exposure.Ground ground) {}

    private static final class Part {
        /** By leader epoch. */
        final TreeMap<Integer, Election> decided = new TreeMap<>();
        /** The last leader epoch that began by an unclean election. */
        int lastUnclean = -1;

        /** The last leader epoch in which somebody began to lead. */
        int lastBegun = -1;

        /**
         * The weakest of the elections of a leader since somebody led: whoever was elected uncleanly and died before it led
         * is the whole ISR, and may be elected cleanly then.
         */
        Exposure.Ground ground(int node, int epoch) {
            Exposure.Ground weakest = Exposure.Ground.CLEAN;
            for (Election election :
                    decided.subMap(lastBegun, false, epoch, true).values()) {
                if (election.leader() == node && election.ground().compareTo(weakest) > 0) {
                    weakest = election.ground();
                }
            }
            return weakest;
        }
    }

    private final TreeMap<TopicPartition, Part> parts = new TreeMap<>();
    private final TreeMap<Integer, TreeMap<TopicPartition, PartitionRegistration>> decided = new TreeMap<>();

    private Part part(TopicPartition id) {
        return parts.computeIfAbsent(id, key -> new Part());
    }

    /** On what ground a node leads that begins to lead in an epoch. */
    Exposure.Ground ground(TopicPartition id, int node, int epoch) {
        return part(id).ground(node, epoch);
    }

    /** Somebody has begun to lead in an epoch. */
    void begun(TopicPartition id, int epoch, Exposure.Ground ground) {
        Part part = part(id);
        if (ground == Exposure.Ground.UNCLEAN) {
            part.lastUnclean = epoch;
        }
        part.lastBegun = Math.max(part.lastBegun, epoch);
    }

    /** The last leader epoch in which somebody began to lead, -1 before the first. */
    int lastBegun(TopicPartition id) {
        return part(id).lastBegun;
    }

    /** The last leader epoch that began by an unclean election, -1 before the first. */
    int lastUnclean(TopicPartition id) {
        return part(id).lastUnclean;
    }

    /** The partitions as a node's controller had decided them before its present step. */
    Map<TopicPartition, PartitionRegistration> decidedBy(int node) {
        return decided.getOrDefault(node, new TreeMap<>());
    }

    /** Whether an election on a weaker ground than a clean one was decided by which nobody leads yet. */
    boolean weaklyElected(TopicPartition id) {
        Part part = part(id);
        return part.decided.tailMap(part.lastBegun, false).values().stream()
                .anyMatch(election -> election.ground() != Exposure.Ground.CLEAN);
    }

    /** Notes on what ground each leader is elected. Returns whether the controller has decided something, or become active. */
    boolean controllerStep(int node, ControllerView view, ControllerInput input, List<ControllerEffect> effects) {
        TreeMap<TopicPartition, PartitionRegistration> before = decided.computeIfAbsent(node, key -> new TreeMap<>());
        boolean changed = input instanceof ControllerInput.Activate;
        for (ControllerEffect effect : effects) {
            if (effect instanceof ControllerEffect.Append append) {
                changed = true;
                for (MetadataRecord record : append.records()) {
                    if (record instanceof MetadataRecord.PartitionChange change && change.leader() != null) {
                        elected(view, input, append.epoch(), change, before);
                    }
                }
            }
        }
        if (changed) {
            before.clear();
            for (TopicState topic : view.metadata().topics().values()) {
                topic.partitions()
                        .forEach((index, partition) -> before.put(new TopicPartition(topic.id(), index), partition));
            }
        }
        return changed;
    }

    private void elected(
            ControllerView view,
            ControllerInput input,
            int quorumEpoch,
            MetadataRecord.PartitionChange change,
            Map<TopicPartition, PartitionRegistration> before) {
        TopicPartition id = new TopicPartition(change.topicId(), change.partition());
        PartitionRegistration old = before.get(id);
        PartitionRegistration now = view.part(id);
        if (old == null || now == null || !now.hasLeader()) {
            return;
        }
        Election election = new Election(quorumEpoch, now.leader(), ground(view, input, id, old, now.leader()));
        part(id).decided
                .merge(
                        now.leaderEpoch(),
                        election,
                        (first, second) -> second.quorumEpoch() >= first.quorumEpoch() ? second : first);
    }

    private static Exposure.Ground ground(
            ControllerView view, ControllerInput input, TopicPartition id, PartitionRegistration old, int leader) {
        boolean elr = view.metadata().elrEnabled();
        if (old.isr().contains(leader)) {
            boolean last = !elr && !old.hasLeader() && old.isr().size() == 1;
            return last ? Exposure.Ground.LAST_OF_ISR : Exposure.Ground.CLEAN;
        }
        Invariants.require(
                old.isr().stream().noneMatch(view.metadata()::active),
                "ElectionHasGround",
                leader + " leads " + id.partition() + " although a member of the ISR is active: " + old);
        if (elr && old.elr().contains(leader)) {
            return Exposure.Ground.CLEAN;
        }
        Invariants.require(
                !elr || old.elr().stream().noneMatch(view.metadata()::active),
                "ElectionHasGround",
                leader + " leads " + id.partition() + " although an eligible replica is active: " + old);
        boolean asked = input instanceof ControllerInput.HandleElectLeaders elect
                && elect.request().unclean();
        TopicState topic = view.metadata().topic(id.topicId());
        boolean enabled = topic != null && view.metadata().uncleanElection(topic.name());
        if (asked || enabled) {
            return Exposure.Ground.UNCLEAN;
        }
        Invariants.require(
                elr && old.lastKnownElr().equals(List.of(leader)),
                "ElectionHasGround",
                leader + " leads " + id.partition() + " and nobody asked for it: " + old);
        return Exposure.Ground.LAST_KNOWN;
    }
}
