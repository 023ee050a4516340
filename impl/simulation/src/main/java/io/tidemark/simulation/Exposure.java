package io.tidemark.simulation;

import io.tidemark.core.controller.ControllerCore;
import io.tidemark.core.controller.ControllerEffect;
import io.tidemark.core.controller.ControllerInput;
import io.tidemark.core.controller.ControllerView;
import io.tidemark.core.log.EpochStart;
import io.tidemark.core.metadata.MetadataRecord;
import io.tidemark.core.metadata.PartitionRegistration;
import io.tidemark.core.metadata.TopicPartition;
import io.tidemark.core.metadata.TopicState;
import io.tidemark.core.partition.PartitionRole;
import io.tidemark.core.partition.PartitionView;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The committed records of every data partition, and which of them may be missing. A leader must have every record that was
 * committed before its epoch, but for these, one by one:
 *
 * <ul>
 *   <li>{@link Ground#UNCLEAN}: the operator asked for an unclean election, or the topic enables them, and nobody in sync
 *       was active. What the elected replica lacks may be lost, and what leaders of earlier epochs still commit among
 *       themselves.
 *   <li>{@link Ground#LAST_KNOWN}: ISR and ELR were empty and the last known leader was elected (KIP-966). It may lack what
 *       its own disk lost in a power loss or a wipe, and nothing else.
 *   <li>{@link Ground#LAST_OF_ISR}: with ELR off the last member stays in the ISR although it stopped uncleanly, and is
 *       elected again: Kafka's weakness before KIP-966. It may lack what its own disk lost in a power loss or a wipe, and nothing
 *       else.
 * </ul>
 *
 * Within one leader epoch there is one leader, so (offset, epoch) names a record.
 */
final class Exposure {
    /** On what ground a leader was elected. */
    enum Ground {
        CLEAN,
        LAST_OF_ISR,
        LAST_KNOWN,
        UNCLEAN
    }

    /** The epoch of a committed record, and of the leader that committed it: leaders of later epochs must have it. */
    record Known(int epoch, int committedIn) {}

    private record Election(int quorumEpoch, int leader, Ground ground) {}

    /** The last step of a node's replicas in the task that runs, and where the log ended before it. */
    private record LastStep(TopicPartition id, long end) {}

    /** A log as it was before its disk lost some of it. */
    private record Before(List<EpochStart> log, long end, boolean lied) {
        int epochAt(long offset) {
            int epoch = -1;
            for (EpochStart start : log) {
                if (start.startOffset() <= offset) {
                    epoch = start.epoch();
                }
            }
            return offset < end ? epoch : -1;
        }
    }

    private static final class Part {
        final List<Known> known = new ArrayList<>();
        final TreeMap<Integer, Election> elections = new TreeMap<>();
        /** Epochs of the records that may be missing, by offset. */
        final TreeMap<Long, TreeSet<Integer>> forgiven = new TreeMap<>();
        /** The last leader epoch that began without a committed record. */
        int lossEpoch = -1;

        /** The last leader epoch that began by an unclean election. */
        int lastUnclean = -1;

        /** The last leader epoch in which somebody began to lead. */
        int lastBegun = -1;

        void forgive(long offset, int epoch) {
            forgiven.computeIfAbsent(offset, key -> new TreeSet<>()).add(epoch);
        }

        /**
         * The weakest of the elections of a leader since somebody led: whoever was elected uncleanly and died before it led
         * is the whole ISR, and may be elected cleanly then.
         */
        Ground groundOf(int node, int epoch) {
            Ground weakest = Ground.CLEAN;
            for (Election election :
                    elections.subMap(lastBegun, false, epoch, true).values()) {
                if (election.leader() == node && election.ground().compareTo(weakest) > 0) {
                    weakest = election.ground();
                }
            }
            return weakest;
        }

        boolean forgives(long offset, int epoch) {
            TreeSet<Integer> epochs = forgiven.get(offset);
            return epochs != null && epochs.contains(epoch);
        }
    }

    /** One node's replica of a partition, over all lives. */
    private static final class Replica {
        @Nullable
        PartitionView view;

        @Nullable
        Before before;

        long seenEnd;
        /** Epochs of the records that the disk lost and that were not fetched again, by offset. */
        final TreeMap<Long, Integer> torn = new TreeMap<>();
    }

    private final TreeMap<TopicPartition, Part> parts = new TreeMap<>();
    private final TreeMap<Integer, TreeMap<TopicPartition, Replica>> replicas = new TreeMap<>();
    private final TreeMap<Integer, TreeMap<TopicPartition, PartitionRegistration>> decided = new TreeMap<>();
    private final TreeMap<String, Integer> losses = new TreeMap<>();
    private final TreeMap<Integer, LastStep> lastSteps = new TreeMap<>();
    private final Electable electable = new Electable(this);

    /** A node's replica as it is now; null where its disk has lost something and it is not loaded again. */
    @Nullable
    PartitionView view(int node, TopicPartition id) {
        return replica(node, id).view;
    }

    /** The committed records of a partition. */
    List<Known> known(TopicPartition id) {
        return part(id).known;
    }

    private Part part(TopicPartition id) {
        return parts.computeIfAbsent(id, key -> new Part());
    }

    private Replica replica(int node, TopicPartition id) {
        return replicas.computeIfAbsent(node, key -> new TreeMap<>()).computeIfAbsent(id, key -> new Replica());
    }

    /** How many committed records were lost, by the ground; and how many a disk lost, as {@code torn}. */
    SortedMap<String, Integer> losses() {
        return losses;
    }

    // ---- Elections

    /** Notes on what ground each leader is elected; nobody may be elected without one. */
    void controllerStep(int node, ControllerCore core, ControllerInput input, List<ControllerEffect> effects) {
        TreeMap<TopicPartition, PartitionRegistration> before = decided.computeIfAbsent(node, key -> new TreeMap<>());
        ControllerView view = core.view();
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
            electable.decided(view);
        }
    }

    /** The partitions as a node's controller had decided them before its present step. */
    Map<TopicPartition, PartitionRegistration> decidedBy(int node) {
        return decided.getOrDefault(node, new TreeMap<>());
    }

    /** Whether an election on a weaker ground than a clean one was decided by which nobody leads yet. */
    boolean weaklyElected(TopicPartition id) {
        Part part = part(id);
        return part.elections.tailMap(part.lastBegun, false).values().stream()
                .anyMatch(election -> election.ground() != Ground.CLEAN);
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
        part(id).elections
                .merge(
                        now.leaderEpoch(),
                        election,
                        (first, second) -> second.quorumEpoch() >= first.quorumEpoch() ? second : first);
    }

    private static Ground ground(
            ControllerView view, ControllerInput input, TopicPartition id, PartitionRegistration old, int leader) {
        boolean elr = view.metadata().elrEnabled();
        if (old.isr().contains(leader)) {
            boolean last = !elr && !old.hasLeader() && old.isr().size() == 1;
            return last ? Ground.LAST_OF_ISR : Ground.CLEAN;
        }
        Invariants.require(
                old.isr().stream().noneMatch(view.metadata()::active),
                "ElectionHasGround",
                leader + " leads " + id.partition() + " although a member of the ISR is active: " + old);
        if (elr && old.elr().contains(leader)) {
            return Ground.CLEAN;
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
            return Ground.UNCLEAN;
        }
        Invariants.require(
                elr && old.lastKnownElr().equals(List.of(leader)),
                "ElectionHasGround",
                leader + " leads " + id.partition() + " and nobody asked for it: " + old);
        return Ground.LAST_KNOWN;
    }

    // ---- Disks

    /**
     * The disk of a node is about to lose what it has not fsynced, or all.
     *
     * @param lied whether it said of some of that that it was fsynced: then a file that was cut and written again may have
     *     old records below new ones
     */
    void losesData(int node, boolean lied) {
        electable.losesData(node);
        replicas.getOrDefault(node, new TreeMap<>()).values().forEach(replica -> {
            PartitionView view = replica.view;
            if (view != null) {
                replica.before = new Before(view.log(), view.logEnd(), lied);
                replica.view = null;
            }
        });
    }

    /** Whether a replica of the node has records. */
    boolean holdsRecords(int node) {
        return replicas.getOrDefault(node, new TreeMap<>()).values().stream().anyMatch(replica -> replica.seenEnd > 0);
    }

    /** Returns whether what the log held below its end has changed. */
    private boolean follow(int node, TopicPartition id, PartitionView view) {
        Replica replica = replica(node, id);
        Before before = replica.before;
        boolean changed = before != null || view.logEnd() < replica.seenEnd;
        if (before != null) {
            replica.before = null;
            for (long offset = before.end() - 1; offset >= 0; offset--) {
                int epoch = before.epochAt(offset);
                if (view.epochAt(offset) != epoch) {
                    replica.torn.put(offset, epoch);
                    losses.merge("torn", 1, Integer::sum);
                } else if (!before.lied()) {
                    break; // A cut is forced before more is written: what is kept is a prefix.
                }
            }
            replica.seenEnd = 0;
        }
        replica.view = view;
        if (!replica.torn.isEmpty()) {
            for (long offset = Math.min(replica.seenEnd, view.logEnd()); offset < view.logEnd(); offset++) {
                replica.torn.remove(offset, view.epochAt(offset));
            }
        }
        replica.seenEnd = view.logEnd();
        return changed;
    }

    /** A node begins something new: the effects of its last step are carried out. */
    void taskBegins(int node) {
        lastSteps.remove(node);
    }

    /**
     * The process dies of its disk, perhaps in the middle of a step: what a leader alone in its ISR appended and committed
     * in that step may not be on its disk, and nobody has heard of it.
     */
    void diesInTask(int node) {
        LastStep last = lastSteps.remove(node);
        if (last != null) {
            List<Known> known = part(last.id()).known;
            int before = (int) Math.min(known.size(), last.end());
            PartitionView view = replica(node, last.id()).view;
            boolean own = view != null && view.role() == PartitionRole.LEADER && view.logEnd() >= known.size();
            if (own) {
                known.subList(before, known.size()).clear();
            }
        }
    }

    // ---- Steps of replicas

    /**
     * After a step of a replica.
     *
     * @param first it has just begun to lead in {@code epoch}
     * @param from the high watermark before, as far as known
     */
    void step(int node, TopicPartition id, PartitionView view, int epoch, boolean first, long from) {
        lastSteps.put(node, new LastStep(id, replica(node, id).seenEnd));
        boolean changed = follow(node, id, view);
        Part part = part(id);
        boolean leads = view.role() == PartitionRole.LEADER;
        if (first && epoch > part.lastBegun) {
            complete(node, id, part, view, epoch);
        }
        if (leads && epoch < Math.max(part.lossEpoch, part.lastUnclean)) {
            deposed(node, id, part, view, epoch, from);
            return;
        }
        List<Known> known = part.known;
        int knownBefore = known.size();
        for (long offset = Math.min(from, known.size()); offset < view.hw(); offset++) {
            int own = view.epochAt(offset);
            if (offset < known.size()) {
                int elsewhere = known.get((int) offset).epoch();
                Invariants.require(
                        elsewhere == own || (!leads && part.forgives(offset, own)),
                        "LogMatching",
                        "partition " + id.partition() + " of broker " + node + ": record " + offset + " is of epoch "
                                + own + ", elsewhere of " + elsewhere);
            } else if (leads) {
                known.add(new Known(own, epoch));
            }
        }
        if (known.size() > knownBefore) {
            electable.committed(id, knownBefore);
        }
        if (changed) {
            electable.logChanged(node, id);
        }
        if (leads) {
            electable.leads(node, id, view);
        }
    }

    private void complete(int node, TopicPartition id, Part part, PartitionView view, int epoch) {
        List<Known> known = part.known;
        Ground ground = part.groundOf(node, epoch);
        int cut = known.size();
        for (int offset = known.size() - 1; offset >= 0; offset--) {
            Known record = known.get(offset);
            if (view.epochAt(offset) != record.epoch()) {
                Integer torn = replica(node, id).torn.get((long) offset);
                boolean allowed =
                        ground == Ground.UNCLEAN || (ground != Ground.CLEAN && torn != null && torn == record.epoch());
                Invariants.require(
                        allowed,
                        "ElectableComplete",
                        "broker " + node + " leads " + id.partition() + " in epoch " + epoch
                                + " without the exposed record " + offset + " of epoch " + record.epoch()
                                + ", its own is "
                                + view.epochAt(offset) + "; ground " + ground + "; its disk lost "
                                + replica(node, id).torn);
                part.forgive(offset, record.epoch());
                losses.merge(ground.name(), 1, Integer::sum);
                cut = offset;
            }
        }
        if (cut < known.size()) {
            known.subList(cut, known.size()).clear();
            part.lossEpoch = epoch;
        }
        if (ground == Ground.UNCLEAN) {
            part.lastUnclean = epoch;
        }
        part.lastBegun = Math.max(part.lastBegun, epoch);
    }

    /** A leader of an epoch before a loss: what it still commits is lost too, where an election since was unclean. */
    private void deposed(int node, TopicPartition id, Part part, PartitionView view, int epoch, long from) {
        for (long offset = from; offset < view.hw(); offset++) {
            int own = view.epochAt(offset);
            boolean has =
                    offset < part.known.size() && part.known.get((int) offset).epoch() == own;
            if (!has && !part.forgives(offset, own)) {
                Invariants.require(
                        epoch < part.lastUnclean,
                        "ElectableComplete",
                        "broker " + node + " of an earlier epoch committed " + offset + " of " + id.partition()
                                + " that epoch " + part.lossEpoch + " lacks");
                part.forgive(offset, own);
                part.lossEpoch = Math.max(part.lossEpoch, part.lastUnclean);
                losses.merge(Ground.UNCLEAN.name(), 1, Integer::sum);
            }
        }
    }

    /** Every committed record against every log that is known to reach it. */
    void whole() {
        replicas.forEach((node, parts) -> parts.forEach((id, replica) -> {
            PartitionView view = replica.view;
            Part part = part(id);
            long end = view == null ? 0 : Math.min(view.hw(), part.known.size());
            for (int offset = 0; offset < end; offset++) {
                int own = view == null ? -1 : view.epochAt(offset);
                int elsewhere = part.known.get(offset).epoch();
                Invariants.require(
                        own == elsewhere || part.forgives(offset, own),
                        "LogMatching",
                        "partition " + id.partition() + " of broker " + node + ": record " + offset + " is of epoch "
                                + own + ", elsewhere of " + elsewhere);
            }
        }));
    }

    // ---- Clients

    /** The epoch of a node's record, as the node has it now; -1 where it does not have it. */
    int epochAt(int node, TopicPartition id, long offset) {
        PartitionView view = replica(node, id).view;
        return view == null ? -1 : view.epochAt(offset);
    }

    /** Whether a record is committed, or was and may be missing. */
    boolean committed(TopicPartition id, long offset, int epoch) {
        Part part = part(id);
        boolean has = offset < part.known.size() && part.known.get((int) offset).epoch() == epoch;
        return has || part.forgives(offset, epoch);
    }

    /** Whether a committed record may be missing. */
    boolean mayBeMissing(TopicPartition id, long offset, int epoch) {
        return part(id).forgives(offset, epoch);
    }

    /** Whether a node's log lacks the last committed record. */
    boolean isBehind(int node, TopicPartition id) {
        List<Known> known = part(id).known;
        return !known.isEmpty()
                && epochAt(node, id, known.size() - 1)
                        != known.get(known.size() - 1).epoch();
    }

    /** Whether a committed record of the partition was lost. */
    boolean lost(TopicPartition id) {
        return part(id).lossEpoch >= 0;
    }
}
