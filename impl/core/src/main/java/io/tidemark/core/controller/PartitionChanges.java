package io.tidemark.core.controller;

import static io.tidemark.core.metadata.PartitionRegistration.NO_LEADER;

import io.tidemark.core.Guards;
import io.tidemark.core.metadata.LeaderRecovery;
import io.tidemark.core.metadata.MetadataRecord.PartitionChange;
import io.tidemark.core.metadata.PartitionRegistration;
import io.tidemark.core.metadata.TopicPartition;
import java.util.Collection;
import java.util.List;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Builds the smallest change of a partition that reaches a target: the ISR asked for, whoever is elected with it, and the
 * eligible leader replicas and last known leader that follow from both (KIP-966). A change of the ISR alone does not raise
 * the leader epoch (KAFKA-15021).
 */
final class PartitionChanges {
    private static final int NOBODY = -1;

    private final TopicPartition id;
    private final PartitionRegistration old;
    private final int minIsr;
    private final boolean elrEnabled;
    private final Guards guards;
    private IntPredicate active;
    private List<Integer> isr;
    private LeaderRecovery recovery;
    private ElectionRule.Mode mode = ElectionRule.Mode.ONLINE;
    private int unclean = NOBODY;

    /**
     * No change yet but the election of a leader where there is none.
     *
     * @param minIsr effective
     */
    PartitionChanges(
            TopicPartition id,
            PartitionRegistration old,
            int minIsr,
            boolean elrEnabled,
            IntPredicate active,
            Guards guards) {
        this.id = id;
        this.old = old;
        this.minIsr = minIsr;
        this.elrEnabled = elrEnabled;
        this.active = active;
        this.guards = guards;
        this.isr = old.isr();
        this.recovery = old.recovery();
    }

    PartitionChanges isr(Collection<Integer> target) {
        isr = inAssignmentOrder(target);
        return this;
    }

    PartitionChanges recovery(LeaderRecovery target) {
        recovery = target;
        return this;
    }

    PartitionChanges mode(ElectionRule.Mode asked) {
        mode = asked;
        return this;
    }

    /** The broker leaves the ISR and does not lead; with ELR on it may become eligible. */
    PartitionChanges without(int broker) {
        IntPredicate before = active;
        active = other -> other != broker && before.test(other);
        return isr(isr.stream().filter(member -> member != broker).toList());
    }

    /** As {@link #without}, and its log can not be trusted: out of the ELR too. */
    PartitionChanges withoutUnclean(int broker) {
        unclean = broker;
        return without(broker);
    }

    /** Null where nothing changes. */
    @Nullable
    PartitionChange build() {
        List<Integer> elr = eligible();
        ElectionRule.Result elected = ElectionRule.elect(mode, target(isr, elr), elrEnabled, active, guards);
        boolean newLeader = elected.leader() != old.leader();
        LeaderRecovery newRecovery = recovery;
        if (newLeader && elected.unclean()) {
            isr = List.of(elected.leader());
            elr = List.of();
            newRecovery = LeaderRecovery.RECOVERING;
        } else if (newLeader && elr.contains(elected.leader())) {
            isr = List.of(elected.leader());
            elr = elr.stream().filter(member -> member != elected.leader()).toList();
        }
        if (isr.isEmpty() && !elrEnabled) {
            isr = old.isr();
        }
        List<Integer> lastKnown = lastKnown(isr, elected.leader());
        PartitionChange change = new PartitionChange(
                id.topicId(),
                id.partition(),
                changed(isr, old.isr()),
                newLeader ? elected.leader() : null,
                null,
                null,
                null,
                newRecovery == old.recovery() ? null : newRecovery,
                changed(elr, old.elr()),
                changed(lastKnown, old.lastKnownElr()),
                null);
        boolean same = change.isr() == null
                && change.leader() == null
                && change.recovery() == null
                && change.elr() == null
                && change.lastKnownElr() == null;
        return same ? null : change;
    }

    /** Members of ISR and ELR that leave an ISR below minIsr stay eligible, unless their log can not be trusted. */
    private List<Integer> eligible() {
        if (!elrEnabled || isr.size() >= minIsr) {
            return List.of();
        }
        return old.replicas().stream()
                .filter(member -> old.isr().contains(member) || old.elr().contains(member))
                .filter(member -> !isr.contains(member) && member != unclean)
                .toList();
    }

    /** Whoever led when the ISR became empty; forgotten once somebody leads. */
    private List<Integer> lastKnown(List<Integer> newIsr, int leader) {
        if (!elrEnabled || leader != NO_LEADER) {
            return List.of();
        }
        if (!newIsr.isEmpty() || old.isr().isEmpty()) {
            return old.lastKnownElr();
        }
        // A sole member without leadership stayed from before ELR was on: it led last.
        return old.hasLeader() ? List.of(old.leader()) : List.of(old.isr().get(0));
    }

    private PartitionRegistration target(List<Integer> newIsr, List<Integer> elr) {
        return new PartitionRegistration(
                old.replicas(),
                old.directories(),
                newIsr,
                elr,
                old.lastKnownElr(),
                old.removingReplicas(),
                old.addingReplicas(),
                old.leader(),
                old.recovery(),
                old.leaderEpoch(),
                old.partitionEpoch());
    }

    private List<Integer> inAssignmentOrder(Collection<Integer> members) {
        return old.replicas().stream().filter(members::contains).toList();
    }

    private static @Nullable List<Integer> changed(List<Integer> now, List<Integer> before) {
        return now.equals(before) ? null : now;
    }
}
