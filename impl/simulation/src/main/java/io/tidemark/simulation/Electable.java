package io.tidemark.simulation;

import io.tidemark.core.controller.ControllerView;
import io.tidemark.core.metadata.PartitionRegistration;
import io.tidemark.core.metadata.TopicPartition;
import io.tidemark.core.metadata.TopicState;
import io.tidemark.core.partition.IsrState;
import io.tidemark.core.partition.PartitionRole;
import io.tidemark.core.partition.PartitionView;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Whom the controller may elect, at every moment and not only once it does: each member of ISR and ELR, as the newest
 * active controller has decided, holds every committed record ({@code ElectableComplete}); and the leader counts on
 * every member of the ISR ({@code IsrSuperset}).
 *
 * <p>Excused is who cannot act on being elected, because its disk has lost something and it has not registered since; the
 * last member of an ISR without ELR; and a partition whose election on a weaker ground than a clean one is decided, and
 * nobody leads by it yet: {@link Exposure} says what may be lost then.
 */
final class Electable {
    private final Exposure exposure;
    private final TreeMap<TopicPartition, PartitionRegistration> decided = new TreeMap<>();
    private final TreeMap<Integer, Long> registered = new TreeMap<>();
    /** The broker epoch that a broker had when its disk last lost something. */
    private final TreeMap<Integer, Long> lostIn = new TreeMap<>();

    private int quorumEpoch = -1;
    private boolean elrEnabled;

    Electable(Exposure exposure) {
        this.exposure = exposure;
    }

    /** A controller has decided something, or become active. */
    void decided(ControllerView view) {
        if (!view.active() || view.epoch() < quorumEpoch) {
            return;
        }
        quorumEpoch = view.epoch();
        elrEnabled = view.metadata().elrEnabled();
        registered.clear();
        view.reg().forEach((id, registration) -> registered.put(id, registration.epoch()));
        List<TopicPartition> changed = new ArrayList<>();
        TreeMap<TopicPartition, PartitionRegistration> now = new TreeMap<>();
        for (TopicState topic : view.metadata().topics().values()) {
            topic.partitions().forEach((index, partition) -> {
                TopicPartition id = new TopicPartition(topic.id(), index);
                now.put(id, partition);
                if (!partition.equals(decided.get(id))) {
                    changed.add(id);
                }
            });
        }
        decided.clear();
        decided.putAll(now);
        for (TopicPartition id : changed) {
            PartitionRegistration partition = decided.get(id);
            if (partition != null) {
                partition.isr().forEach(member -> holdsCommitted(member, id, 0));
                partition.elr().forEach(member -> holdsCommitted(member, id, 0));
            }
        }
    }

    /** The disk of a node is about to lose something. */
    void losesData(int node) {
        lostIn.put(node, registered.getOrDefault(node, -1L));
    }

    /** Records from {@code from} on are committed: each who may be elected has them. */
    void committed(TopicPartition id, long from) {
        PartitionRegistration partition = decided.get(id);
        if (partition != null) {
            for (int member : partition.isr()) {
                holdsCommitted(member, id, from);
            }
            for (int member : partition.elr()) {
                holdsCommitted(member, id, from);
            }
        }
    }

    /** What a node's log holds below its end has changed. */
    void logChanged(int node, TopicPartition id) {
        PartitionRegistration partition = decided.get(id);
        if (partition != null
                && (partition.isr().contains(node) || partition.elr().contains(node))) {
            holdsCommitted(node, id, 0);
        }
    }

    private void holdsCommitted(int node, TopicPartition id, long from) {
        PartitionView view = exposure.view(node, id);
        PartitionRegistration partition = decided.get(id);
        if (view == null || partition == null || excused(node, id, partition)) {
            return;
        }
        List<Exposure.Known> known = exposure.known(id);
        for (int offset = (int) from; offset < known.size(); offset++) {
            int epoch = known.get(offset).epoch();
            if (view.epochAt(offset) != epoch && offset >= view.logStart()) {
                if (exposure.isMisled(node, id, offset, view.epochAt(offset))) {
                    return;
                }
                throw new Violation(
                        "ElectableComplete",
                        "broker " + node + " may be elected for " + id.partition() + " without the committed record "
                                + offset + " of epoch " + epoch + ", its own is " + view.epochAt(offset) + "; "
                                + partition);
            }
        }
    }

    private boolean excused(int node, TopicPartition id, PartitionRegistration partition) {
        @Nullable Long lost = lostIn.get(node);
        boolean absent = lost != null && lost.equals(registered.getOrDefault(node, -1L));
        boolean lastWithoutElr = !elrEnabled && partition.isr().size() == 1 && !partition.hasLeader();
        return absent || lastWithoutElr || exposure.weaklyElected(id);
    }

    /** After a step of a leader: everyone whom the controller holds in sync counts for it. */
    void leads(int node, TopicPartition id, PartitionView view) {
        PartitionRegistration partition = decided.get(id);
        if (partition == null) {
            return;
        }
        PartitionRegistration own = view.part();
        IsrState isrState = view.isrState();
        if (own == null
                || isrState == null
                || view.role() != PartitionRole.LEADER
                || partition.leaderEpoch() != own.leaderEpoch()) {
            return;
        }
        List<Integer> maximal = isrState.maximalIsr();
        for (int member : partition.isr()) {
            if (!maximal.contains(member)) {
                throw new Violation(
                        "IsrSuperset",
                        "broker " + node + " leads " + id.partition() + " and counts on " + maximal + ", " + isrState
                                + "; the controller has " + partition);
            }
        }
    }
}
