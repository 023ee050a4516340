package io.tidemark.core.metadata;

import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A partition as the metadata log has it; the spec's {@code part}. Lists hold broker ids.
 *
 * @param replicas assignment order: the first is the preferred leader
 * @param directories directory id of each replica, same order; empty where never assigned
 * @param isr in-sync replicas, in assignment order; with ELR it may be empty
 * @param elr eligible leader replicas (KIP-966), empty while the ISR has at least the effective minIsr
 * @param lastKnownElr the last leader, kept when ISR and ELR are both empty
 * @param leader broker id, or {@link #NO_LEADER}
 */
public record PartitionRegistration(
        List<Integer> replicas,
        List<UUID> directories,
        List<Integer> isr,
        List<Integer> elr,
        List<Integer> lastKnownElr,
        List<Integer> removingReplicas,
        List<Integer> addingReplicas,
        int leader,
        LeaderRecovery recovery,
        int leaderEpoch,
        int partitionEpoch) {
    public static final int NO_LEADER = -1;

    public PartitionRegistration {
        replicas = List.copyOf(replicas);
        directories = List.copyOf(directories);
        isr = List.copyOf(isr);
        elr = List.copyOf(elr);
        lastKnownElr = List.copyOf(lastKnownElr);
        removingReplicas = List.copyOf(removingReplicas);
        addingReplicas = List.copyOf(addingReplicas);
    }

    public boolean hasLeader() {
        return leader != NO_LEADER;
    }

    /** The first of the assignment leads. */
    public boolean hasPreferredLeader() {
        return leader == replicas.get(0);
    }

    /** Another ISR and what goes with it; assignment and leader stay. */
    public PartitionRegistration withIsr(
            List<Integer> newIsr, List<Integer> newElr, LeaderRecovery newRecovery, int newPartitionEpoch) {
        return new PartitionRegistration(
                replicas,
                directories,
                newIsr,
                newElr,
                lastKnownElr,
                removingReplicas,
                addingReplicas,
                leader,
                newRecovery,
                leaderEpoch,
                newPartitionEpoch);
    }

    /** After a change: a leader given, even the same one, raises the leader epoch; the partition epoch always rises. */
    public PartitionRegistration merge(MetadataRecord.PartitionChange change) {
        Integer newLeader = change.leader();
        return new PartitionRegistration(
                or(change.replicas(), replicas),
                or(change.directories(), directories),
                or(change.isr(), isr),
                or(change.elr(), elr),
                or(change.lastKnownElr(), lastKnownElr),
                or(change.removingReplicas(), removingReplicas),
                or(change.addingReplicas(), addingReplicas),
                newLeader == null ? leader : newLeader,
                change.recovery() == null ? recovery : change.recovery(),
                newLeader == null ? leaderEpoch : leaderEpoch + 1,
                partitionEpoch + 1);
    }

    private static <T> List<T> or(@Nullable List<T> changed, List<T> old) {
        return changed == null ? old : changed;
    }
}
