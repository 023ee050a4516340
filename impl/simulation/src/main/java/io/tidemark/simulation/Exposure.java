package io.tidemark.simulation;

import io.tidemark.core.controller.ControllerEffect;
import io.tidemark.core.controller.ControllerInput;
import io.tidemark.core.controller.ControllerView;
import io.tidemark.core.metadata.PartitionRegistration;
import io.tidemark.core.metadata.TopicPartition;
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

    /** The last step of a node's replicas in the task that runs, and where the log ended before it. */
    private record LastStep(TopicPartition id, long end) {}

    private static final class Part {
        final List<Known> known = new ArrayList<>();
        /** Epochs of the records that may be missing, by offset. */
        final TreeMap<Long, TreeSet<Integer>> forgiven = new TreeMap<>();
        /** The last leader epoch that began without a committed record. */
        int lossEpoch = -1;

        void forgive(long offset, int epoch) {
            forgiven.computeIfAbsent(offset, key -> new TreeSet<>()).add(epoch);
        }

        boolean forgives(long offset, int epoch) {
            TreeSet<Integer> epochs = forgiven.get(offset);
            return epochs != null && epochs.contains(epoch);
        }
    }

    /** Among the losses: not records but partitions, see {@link #misled}. */
    static final String MISLED = "misled";

    private final TreeMap<TopicPartition, Part> parts = new TreeMap<>();
    private final LeaderElections elections = new LeaderElections();
    private final TornDisks disks = new TornDisks();
    private final TreeMap<String, Integer> losses = new TreeMap<>();
    private final TreeMap<Integer, LastStep> lastSteps = new TreeMap<>();
    private final TreeSet<TopicPartition> misled = new TreeSet<>();
    private final Electable electable = new Electable(this);

    /** A node's replica as it is now; null where its disk has lost something and it is not loaded again. */
    @Nullable
    PartitionView view(int node, TopicPartition id) {
        return disks.view(node, id);
    }

    /** The committed records of a partition. */
    List<Known> known(TopicPartition id) {
        return part(id).known;
    }

    private Part part(TopicPartition id) {
        return parts.computeIfAbsent(id, key -> new Part());
    }

    /**
     * Whether a broker that may be elected has records which a disk that had lied of a cut brought back, below newer ones: the
     * log's end is right, so that neither it nor a leader can know. Nothing is promised of the partition from here on.
     */
    boolean misled(TopicPartition id) {
        return misled.contains(id);
    }

    /** Whether a committed record is missing since a disk that had lied has an older one in its place: see {@link #misled}. */
    boolean isMisled(int node, TopicPartition id, long offset, int own) {
        if (own >= 0 && disks.revived(node, id, offset, own) && misled.add(id)) {
            losses.merge(MISLED, 1, Integer::sum);
        }
        return misled.contains(id);
    }

    /** How many committed records were lost, by the ground; and how many a disk lost, as {@code torn}. */
    SortedMap<String, Integer> losses() {
        SortedMap<String, Integer> all = new TreeMap<>(losses);
        if (disks.lost() > 0) {
            all.put("torn", disks.lost());
        }
        return all;
    }

    // ---- Elections

    /** Notes on what ground each leader is elected; nobody may be elected without one. */
    void controllerStep(int node, ControllerView view, ControllerInput input, List<ControllerEffect> effects) {
        if (elections.controllerStep(node, view, input, effects)) {
            electable.decided(view);
        }
    }

    /** The partitions as a node's controller had decided them before its present step. */
    Map<TopicPartition, PartitionRegistration> decidedBy(int node) {
        return elections.decidedBy(node);
    }

    /** Whether an election on a weaker ground than a clean one was decided by which nobody leads yet. */
    boolean weaklyElected(TopicPartition id) {
        return elections.weaklyElected(id);
    }

    // ---- Disks

    /**
     * The disk of a node is about to lose what it has not fsynced, or all.
     *
     * @param lied whether it said of some of that that it was fsynced
     */
    void losesData(int node, boolean lied) {
        electable.losesData(node);
        disks.losesData(node, lied);
    }

    /** Whether a replica of the node has records. */
    boolean holdsRecords(int node) {
        return disks.holdsRecords(node);
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
            PartitionView view = disks.view(node, last.id());
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
        lastSteps.put(node, new LastStep(id, disks.end(node, id)));
        boolean changed = disks.follow(node, id, view);
        Part part = part(id);
        boolean leads = view.role() == PartitionRole.LEADER;
        if (misled(id)) {
            return;
        }
        if (first && epoch > elections.lastBegun(id)) {
            complete(node, id, part, view, epoch);
            if (misled(id)) {
                return;
            }
        }
        if (leads && epoch < Math.max(part.lossEpoch, elections.lastUnclean(id))) {
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
                        elsewhere == own || (!leads && forgives(node, id, part, offset, own)),
                        "NoDivergenceBelowHw",
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

    /** An unclean election replaced the record, or a disk that had lied of a cut brought it back: a follower will cut it. */
    private boolean forgives(int node, TopicPartition id, Part part, long offset, int own) {
        return part.forgives(offset, own) || disks.revived(node, id, offset, own);
    }

    private void complete(int node, TopicPartition id, Part part, PartitionView view, int epoch) {
        List<Known> known = part.known;
        Ground ground = elections.ground(id, node, epoch);
        int cut = known.size();
        for (int offset = known.size() - 1; offset >= 0; offset--) {
            Known record = known.get(offset);
            if (view.epochAt(offset) != record.epoch()) {
                if (isMisled(node, id, offset, view.epochAt(offset))) {
                    return;
                }
                boolean allowed = ground == Ground.UNCLEAN
                        || (ground != Ground.CLEAN && disks.lost(node, id, offset, record.epoch()));
                Invariants.require(
                        allowed,
                        "ElectableComplete",
                        "broker " + node + " leads " + id.partition() + " in epoch " + epoch
                                + " without the exposed record " + offset + " of epoch " + record.epoch()
                                + ", its own is "
                                + view.epochAt(offset) + "; ground " + ground + "; its disk lost "
                                + disks.torn(node, id));
                part.forgive(offset, record.epoch());
                losses.merge(ground.name(), 1, Integer::sum);
                cut = offset;
            }
        }
        if (cut < known.size()) {
            known.subList(cut, known.size()).clear();
            part.lossEpoch = epoch;
        }
        elections.begun(id, epoch, ground);
    }

    /** A leader of an epoch before a loss: what it still commits is lost too, where an election since was unclean. */
    private void deposed(int node, TopicPartition id, Part part, PartitionView view, int epoch, long from) {
        int lastUnclean = elections.lastUnclean(id);
        for (long offset = from; offset < view.hw(); offset++) {
            int own = view.epochAt(offset);
            boolean has =
                    offset < part.known.size() && part.known.get((int) offset).epoch() == own;
            if (!has && !part.forgives(offset, own)) {
                Invariants.require(
                        epoch < lastUnclean,
                        "ElectableComplete",
                        "broker " + node + " of an earlier epoch committed " + offset + " of " + id.partition()
                                + " that epoch " + part.lossEpoch + " lacks");
                part.forgive(offset, own);
                part.lossEpoch = Math.max(part.lossEpoch, lastUnclean);
                losses.merge(Ground.UNCLEAN.name(), 1, Integer::sum);
            }
        }
    }

    /** Every committed record against every log that is known to reach it. */
    void whole() {
        disks.forEach((node, id, view) -> {
            Part part = part(id);
            if (misled(id)) {
                return;
            }
            long end = Math.min(view.hw(), part.known.size());
            for (int offset = 0; offset < end; offset++) {
                int own = view.epochAt(offset);
                int elsewhere = part.known.get(offset).epoch();
                Invariants.require(
                        own == elsewhere || forgives(node, id, part, offset, own),
                        "NoDivergenceBelowHw",
                        "partition " + id.partition() + " of broker " + node + ": record " + offset + " is of epoch "
                                + own + ", elsewhere of " + elsewhere);
            }
        });
    }

    // ---- Clients

    /** The epoch of a node's record, as the node has it now; -1 where it does not have it. */
    int epochAt(int node, TopicPartition id, long offset) {
        PartitionView view = disks.view(node, id);
        return view == null ? -1 : view.epochAt(offset);
    }

    /** Whether a record is committed, or was and may be missing. */
    boolean committed(TopicPartition id, long offset, int epoch) {
        Part part = part(id);
        boolean has = offset < part.known.size() && part.known.get((int) offset).epoch() == epoch;
        return has || part.forgives(offset, epoch) || misled(id);
    }

    /** Whether a committed record may be missing. */
    boolean mayBeMissing(TopicPartition id, long offset, int epoch) {
        return part(id).forgives(offset, epoch) || misled(id);
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
        return part(id).lossEpoch >= 0 || misled(id);
    }
}
