package io.tidemark.core.partition;

import io.tidemark.core.log.EpochStart;
import io.tidemark.core.log.ProducerEntry;
import io.tidemark.core.metadata.PartitionRegistration;
import java.util.List;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * A replica's variables at one moment, as {@link PartitionView} names them: what an observer keeps after a step. No node makes
 * one; tests do, and the replay of the specification's behaviours in {@code conformance}.
 */
public record PartitionState(
        PartitionRole role,
        List<EpochStart> log,
        long logStart,
        long logEnd,
        long flushed,
        long hw,
        long applied,
        @Nullable PartitionRegistration part,
        SortedMap<Integer, KnownBroker> reg,
        int minIsr,
        long epochStart,
        SortedMap<Integer, FollowerProgress> follower,
        @Nullable IsrState isrState,
        List<Integer> departed,
        @Nullable FetchAsked asked,
        List<ProducerEntry> producers,
        List<Long> pendingAcks) {}
