package io.tidemark.core.controller;

import io.tidemark.core.Guard;
import io.tidemark.core.Guards;
import io.tidemark.core.metadata.PartitionRegistration;
import java.util.List;
import java.util.function.IntPredicate;

/** The spec's operator {@code Elect}: who leads a partition, from its state and the brokers that are active. */
public final class ElectionRule {
    /** What is asked for. */
    public enum Mode {
        /** Keep a leader that is valid. */
        ONLINE,
        /** The first of the assignment leads if it is valid. */
        PREFERRED,
        /** As ONLINE; where nobody is valid, any active replica: acknowledged records may be lost. */
        UNCLEAN
    }

    /**
     * The outcome.
     *
     * @param leader broker id, or {@link PartitionRegistration#NO_LEADER}
     * @param unclean the leader was not known to have every acknowledged record
     */
    public record Result(int leader, boolean unclean) {}

    private final PartitionRegistration partition;
    private final boolean elrEnabled;
    private final IntPredicate activeBroker;
    private final Guards guards;

    private ElectionRule(
            PartitionRegistration partition, boolean elrEnabled, IntPredicate activeBroker, Guards guards) {
        this.partition = partition;
        this.elrEnabled = elrEnabled;
        this.activeBroker = activeBroker;
        this.guards = guards;
    }

    /**
     * Elects. Valid is who is active and in the ISR or, with ELR on and an empty ISR, in the ELR (KIP-966). In order: the
     * preferred replica (if asked), the current leader, the first of the assignment, each if valid; with ISR and ELR both
     * empty, the single last known leader if it is active, uncleanly, whatever {@code unclean.leader.election.enable} says;
     * in mode UNCLEAN the first active replica, uncleanly.
     *
     * @param partition its ISR and ELR as they will be, its leader and last known leader as they were
     * @param activeBroker registered, unfenced, not shutting down
     */
    public static Result elect(
            Mode mode, PartitionRegistration partition, boolean elrEnabled, IntPredicate activeBroker, Guards guards) {
        return new ElectionRule(partition, elrEnabled, activeBroker, guards).elect(mode);
    }

    private Result elect(Mode mode) {
        List<Integer> replicas = partition.replicas();
        if (mode == Mode.PREFERRED && valid(replicas.get(0))) {
            return new Result(replicas.get(0), false);
        }
        if (partition.hasLeader() && valid(partition.leader())) {
            return new Result(partition.leader(), false);
        }
        for (int replica : replicas) {
            if (valid(replica)) {
                return new Result(replica, false);
            }
        }
        List<Integer> lastKnown = partition.lastKnownElr();
        boolean lastKnownCounts =
                elrEnabled && partition.isr().isEmpty() && partition.elr().isEmpty() && lastKnown.size() == 1;
        if (lastKnownCounts && active(lastKnown.get(0))) {
            return new Result(lastKnown.get(0), true);
        }
        if (mode == Mode.UNCLEAN) {
            for (int replica : replicas) {
                if (active(replica)) {
                    return new Result(replica, true);
                }
            }
        }
        return new Result(PartitionRegistration.NO_LEADER, false);
    }

    private boolean valid(int replica) {
        boolean elrCounts = elrEnabled && (partition.isr().isEmpty() || !guards.on(Guard.ELECT_ELR_WHEN_ISR_EMPTY));
        boolean insync = partition.isr().contains(replica)
                || (elrCounts && partition.elr().contains(replica))
                || !guards.on(Guard.ELECT_ISR_ONLY);
        return insync && active(replica);
    }

    private boolean active(int replica) {
        return activeBroker.test(replica) || !guards.on(Guard.ELECT_ACTIVE);
    }
}
