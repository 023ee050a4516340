package io.tidemark.core.partition;

import io.tidemark.core.log.EpochStart;
import io.tidemark.core.log.OffsetAndEpoch;
import io.tidemark.core.log.ProducerEntry;
import io.tidemark.core.metadata.PartitionRegistration;
import java.util.List;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * A replica's state under the spec's variable names, read only. It shows the present state, not that of the call: {@link
 * #copy} keeps one. Methods that return collections build them.
 */
public interface PartitionView {
    PartitionRole role();

    /** {@code log[b]} without the records: every leader epoch and where it begins. */
    List<EpochStart> log();

    /** First offset of {@code log[b]}. */
    long logStart();

    /** The offset after the last one of {@code log[b]} (LEO). */
    long logEnd();

    /** Known to be fsynced up to here, exclusive. */
    long flushed();

    long hw();

    /** Metadata offset of the last change applied, -1 before the first. */
    long applied();

    /** Own broker epoch by the registration applied, -1 before it. */
    long brokerEpoch();

    /** {@code part} as applied here; a successful AlterPartition is in it before its record is. Null before the first. */
    @Nullable
    PartitionRegistration part();

    /** Registrations of the brokers that hold a replica, as applied here. */
    SortedMap<Integer, KnownBroker> reg();

    /** Effective, as applied here. */
    int minIsr();

    /** Where the present leader epoch begins in a leader's log; -1 where this replica does not lead. */
    long epochStart();

    /** {@code follower[l]}: empty where this replica does not lead. */
    SortedMap<Integer, FollowerProgress> follower();

    /** Null where this replica does not lead. */
    @Nullable
    IsrState isrState();

    /**
     * Who left the ISR by an answer to AlterPartition whose record is not applied here yet: the high watermark still waits
     * for them. In the spec derived from {@code metaLog}, {@code applied[l]} and the partition epoch known.
     */
    List<Integer> departed();

    /** The content of the live fetch; null where this replica does not follow. */
    @Nullable
    FetchAsked asked();

    List<ProducerEntry> producers();

    /** What each waiting {@code acks=all} waits for, ascending. */
    List<Long> pendingAcks();

    /** Leader epoch of the record at {@code offset}, -1 outside the log. */
    int epochAt(long offset);

    /**
     * The greatest epoch that is at most {@code epoch}, and its end (OffsetForLeaderEpoch); offset and epoch are -1 for an
     * epoch that this log cannot place.
     */
    OffsetAndEpoch endOffsetFor(int epoch);

    /** The present state, to keep. */
    default PartitionState copy() {
        return new PartitionState(
                role(),
                log(),
                logStart(),
                logEnd(),
                flushed(),
                hw(),
                applied(),
                part(),
                reg(),
                minIsr(),
                epochStart(),
                follower(),
                isrState(),
                departed(),
                asked(),
                producers(),
                pendingAcks());
    }
}
