package io.tidemark.core.controller;

import io.tidemark.core.Step;
import io.tidemark.core.metadata.BrokerRegistration;
import io.tidemark.core.metadata.MetadataRecord;
import io.tidemark.core.metadata.PartitionRegistration;
import io.tidemark.core.metadata.TopicPartition;
import io.tidemark.core.metadata.TopicState;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What always holds of a controller's state in one term, checked after each of its steps on what the step changed. Names:
 *
 * <ul>
 *   <li>{@code IsrWithinReplicas}, {@code ElrWithinReplicas}: members are replicas, each once
 *   <li>{@code LeaderInIsr}: who leads is in the ISR
 *   <li>{@code IsrElrDisjoint}: no replica is in both
 *   <li>{@code IsrNeverEmptyWithoutElr}: with ELR off the last member stays
 *   <li>{@code ElrOnlyBelowMinIsr}: an ISR of at least minIsr has no ELR beside it
 *   <li>{@code LeadersActive}: who leads is registered, unfenced and not shutting down
 *   <li>{@code IsrActive}: so is every ISR member but the last of a leaderless partition, which stays without ELR
 *   <li>{@code EpochsMonotone}: partition epochs rise with every change, leader epochs with every new leader, neither falls;
 *       broker epochs rise
 *   <li>{@code LogEndAgrees}: batches continue the log, the high watermark is within it
 * </ul>
 */
public final class ControllerInvariants {
    private final TreeMap<TopicPartition, PartitionRegistration> partitions = new TreeMap<>();
    private final TreeMap<Integer, Long> brokerEpochs = new TreeMap<>();
    private final List<String> broken = new ArrayList<>();
    private boolean begun;
    private long logEnd;

    /**
     * What does not hold after a step of this core's term, each as name, place and values; empty when all does. The first
     * step checks everything.
     */
    public List<String> check(ControllerView view, Step<ControllerEffect> step) {
        broken.clear();
        TreeSet<TopicPartition> touched = new TreeSet<>();
        if (!begun) {
            begun = true;
            touched.addAll(everyPartition(view));
            view.reg().forEach((id, registration) -> brokerEpochs.put(id, registration.epoch()));
        }
        for (ControllerEffect effect : step.effects()) {
            if (effect instanceof ControllerEffect.Append append) {
                if (append.baseOffset() < logEnd) {
                    broken.add("LogEndAgrees: append at " + append.baseOffset() + " below the end " + logEnd);
                }
                logEnd = append.baseOffset() + append.records().size();
                append.records().forEach(record -> touch(view, record, touched));
            }
        }
        if (view.metaLogEnd() < logEnd || view.metaHw() > view.metaLogEnd()) {
            broken.add("LogEndAgrees: end " + view.metaLogEnd() + ", hw " + view.metaHw() + ", appended to " + logEnd);
        }
        logEnd = view.metaLogEnd();
        touched.forEach(id -> checkPartition(view, id));
        return List.copyOf(broken);
    }

    private void touch(ControllerView view, MetadataRecord record, Set<TopicPartition> touched) {
        if (record instanceof MetadataRecord.PartitionChange change) {
            touched.add(new TopicPartition(change.topicId(), change.partition()));
        } else if (record instanceof MetadataRecord.Partition created) {
            touched.add(new TopicPartition(created.topicId(), created.partition()));
        } else if (record instanceof MetadataRecord.BrokerRegistrationChange change) {
            touched.addAll(view.metadata().replicatedBy(change.brokerId()));
        } else if (record instanceof MetadataRecord.RegisterBroker register) {
            BrokerRegistration registration = register.registration();
            Long before = brokerEpochs.put(registration.id(), registration.epoch());
            if (before != null && registration.epoch() < before) {
                broken.add("EpochsMonotone: broker " + registration.id() + " from epoch " + before + " to "
                        + registration.epoch());
            }
            touched.addAll(view.metadata().replicatedBy(registration.id()));
        } else if (record instanceof MetadataRecord.RemoveTopic removed) {
            partitions.keySet().removeIf(id -> id.topicId().equals(removed.topicId()));
        } else if (record instanceof MetadataRecord.ClearElr
                || record instanceof MetadataRecord.Config
                || record instanceof MetadataRecord.FeatureLevel) {
            touched.addAll(everyPartition(view));
        }
    }

    private static List<TopicPartition> everyPartition(ControllerView view) {
        List<TopicPartition> all = new ArrayList<>();
        for (TopicState topic : view.metadata().topics().values()) {
            topic.partitions().keySet().forEach(partition -> all.add(new TopicPartition(topic.id(), partition)));
        }
        return all;
    }

    private void checkPartition(ControllerView view, TopicPartition id) {
        PartitionRegistration partition = view.part(id);
        TopicState topic = view.metadata().topic(id.topicId());
        if (partition == null || topic == null) {
            return;
        }
        List<Integer> isr = partition.isr();
        List<Integer> elr = partition.elr();
        int leader = partition.leader();
        boolean elrEnabled = view.metadata().elrEnabled();
        require(within(isr, partition.replicas()), "IsrWithinReplicas", id, partition);
        require(within(elr, partition.replicas()), "ElrWithinReplicas", id, partition);
        require(!partition.hasLeader() || isr.contains(leader), "LeaderInIsr", id, partition);
        require(isr.stream().noneMatch(elr::contains), "IsrElrDisjoint", id, partition);
        require(elrEnabled || !isr.isEmpty(), "IsrNeverEmptyWithoutElr", id, partition);
        require(elr.isEmpty() || isr.size() < view.minIsr(topic.name()), "ElrOnlyBelowMinIsr", id, partition);
        require(!partition.hasLeader() || view.metadata().active(leader), "LeadersActive", id, partition);
        boolean lastStays = isr.size() == 1 && !partition.hasLeader();
        require(lastStays || isr.stream().allMatch(view.metadata()::active), "IsrActive", id, partition);
        PartitionRegistration before = partitions.put(id, partition);
        boolean monotone = before == null || before.equals(partition) || epochsRise(before, partition);
        require(monotone, "EpochsMonotone", id, partition);
    }

    private static boolean epochsRise(PartitionRegistration before, PartitionRegistration after) {
        boolean newLeader = before.leader() != after.leader();
        return after.partitionEpoch() > before.partitionEpoch()
                && (newLeader
                        ? after.leaderEpoch() > before.leaderEpoch()
                        : after.leaderEpoch() >= before.leaderEpoch());
    }

    private static boolean within(List<Integer> members, List<Integer> replicas) {
        return replicas.containsAll(members) && new TreeSet<>(members).size() == members.size();
    }

    private void require(boolean holds, String name, TopicPartition id, PartitionRegistration partition) {
        if (!holds) {
            broken.add(name + ": " + id.topicId() + "-" + id.partition() + " is " + partition);
        }
    }
}
