package io.tidemark.core.partition;

import io.tidemark.core.log.EpochStart;
import io.tidemark.core.log.ProducerEntry;
import io.tidemark.core.log.Producers;
import io.tidemark.core.metadata.PartitionRegistration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The invariants that one replica can be held to alone, by the spec's names where the spec has them. Asked after every step
 * of that replica; it remembers the step before.
 */
public final class PartitionInvariants {
    private int leaderEpoch = -1;
    private int partitionEpoch = -1;
    private long applied = -1;
    private long leaderHw = -1;

    /** The violated ones, each as {@code Name: what is wrong}; empty if all hold. */
    public List<String> check(PartitionView state) {
        List<String> violated = new ArrayList<>();
        PartitionRegistration part = state.part();
        logIsWellFormed(state, violated);
        require(
                state.logStart() <= state.hw() && state.hw() <= state.logEnd(),
                violated,
                "HwWithinLog",
                () -> "hw " + state.hw() + " of a log from " + state.logStart() + " to " + state.logEnd());
        require(
                state.flushed() <= state.logEnd(),
                violated,
                "FlushedWithinLog",
                () -> "flushed to " + state.flushed() + ", log ends at " + state.logEnd());
        epochsAscend(state, part, violated);
        IsrState isrState = state.isrState();
        if (part != null && isrState != null) {
            leads(state, part, isrState, violated);
        } else {
            require(
                    state.pendingAcks().isEmpty(),
                    violated,
                    "AcksOnlyByLeader",
                    () -> "waiting " + state.pendingAcks());
        }
        require(
                (state.asked() != null) == (state.role() == PartitionRole.FOLLOWER),
                violated,
                "FetchOnlyByFollower",
                () -> state.role() + " asks " + state.asked());
        producersWithinLog(state, violated);
        leaderHw = state.role() == PartitionRole.LEADER ? state.hw() : -1;
        return violated;
    }

    private static void logIsWellFormed(PartitionView state, List<String> violated) {
        EpochStart last = null;
        for (EpochStart start : state.log()) {
            boolean ascends =
                    last == null || (start.epoch() > last.epoch() && start.startOffset() > last.startOffset());
            require(
                    ascends && start.startOffset() >= state.logStart() && start.startOffset() <= state.logEnd(),
                    violated,
                    "EpochsAscend",
                    () -> start + " in " + state.log());
            last = start;
        }
    }

    private void epochsAscend(PartitionView state, @Nullable PartitionRegistration part, List<String> violated) {
        require(
                state.applied() >= applied,
                violated,
                "AppliedAscends",
                () -> "from " + applied + " to " + state.applied());
        applied = state.applied();
        if (part == null) {
            return;
        }
        require(
                part.leaderEpoch() >= leaderEpoch && part.partitionEpoch() >= partitionEpoch,
                violated,
                "EpochsMonotone",
                () -> "from " + leaderEpoch + "/" + partitionEpoch + " to " + part.leaderEpoch() + "/"
                        + part.partitionEpoch());
        if (part.leaderEpoch() != leaderEpoch) {
            leaderHw = -1;
        }
        leaderEpoch = part.leaderEpoch();
        partitionEpoch = part.partitionEpoch();
    }

    private void leads(PartitionView state, PartitionRegistration part, IsrState isrState, List<String> violated) {
        require(
                state.hw() >= leaderHw,
                violated,
                "HwMonotone",
                () -> "from " + leaderHw + " to " + state.hw() + " in leader epoch " + part.leaderEpoch());
        require(
                isrState.maximalIsr().containsAll(isrState.isr()),
                violated,
                "IsrWithinMaximal",
                () -> isrState.isr() + " and " + isrState.maximalIsr());
        require(
                part.replicas().containsAll(isrState.maximalIsr()),
                violated,
                "IsrWithinReplicas",
                () -> isrState.maximalIsr() + " of " + part.replicas());
        require(isrState.isr().equals(part.isr()), violated, "IsrIsCommitted", () -> isrState + " and " + part.isr());
        AlterPartitionAsked asked = isrState.asked();
        require(
                asked == null
                        || (asked.leaderEpoch() == part.leaderEpoch()
                                && asked.partitionEpoch() == part.partitionEpoch()),
                violated,
                "PendingOfThisEpoch",
                () -> asked + " in " + part);
        require(
                state.epochStart() >= 0 && state.epochStart() <= state.logEnd(),
                violated,
                "EpochStartWithinLog",
                () -> "epoch starts at " + state.epochStart());
        long previous = state.hw();
        for (long required : state.pendingAcks()) {
            require(
                    required >= previous && required > state.hw() && required <= state.logEnd(),
                    violated,
                    "AcksWaitForHw",
                    () -> "waiting " + state.pendingAcks() + ", hw " + state.hw());
            previous = required;
        }
    }

    private static void producersWithinLog(PartitionView state, List<String> violated) {
        for (ProducerEntry producer : state.producers()) {
            long previous = -1;
            require(
                    producer.batches().size() <= Producers.REMEMBERED_BATCHES,
                    violated,
                    "ProducersBounded",
                    producer::toString);
            for (ProducerEntry.Batch batch : producer.batches()) {
                require(
                        batch.baseOffset() > previous
                                && batch.lastOffset() >= batch.baseOffset()
                                && batch.lastOffset() < state.logEnd(),
                        violated,
                        "ProducersWithinLog",
                        () -> producer + " in a log to " + state.logEnd());
                previous = batch.lastOffset();
            }
        }
    }

    private static void require(boolean holds, List<String> violated, String name, Supplier<String> what) {
        if (!holds) {
            violated.add(name + ": " + what.get());
        }
    }
}
