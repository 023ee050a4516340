package io.tidemark.core.partition;

import io.tidemark.core.ErrorCode;
import io.tidemark.core.ReplyToken;
import io.tidemark.core.Step;
import io.tidemark.core.log.BatchHeader;
import io.tidemark.core.log.OffsetAndEpoch;
import io.tidemark.core.log.ProducerEntry;
import io.tidemark.core.log.RecordsRef;
import io.tidemark.core.metadata.PartitionRegistration;
import java.util.List;
import java.util.SortedSet;
import org.jspecify.annotations.Nullable;

/** Everything that can happen to a replica. One input, one handler, one row of {@code spec/actions.tsv}. */
public sealed interface PartitionInput {
    Step<PartitionEffect> applyTo(PartitionActions actions);

    /**
     * A producer's batch, already validated (CRC, records, sizes).
     *
     * @param acks -1 (all), 0 or 1
     */
    record HandleProduce(short acks, BatchHeader batch, RecordsRef records, ReplyToken token)
            implements PartitionInput {
        @Override
        public Step<PartitionEffect> applyTo(PartitionActions actions) {
            return actions.handleProduce(this);
        }
    }

    /** The producer's time-out has run out: the waiting answer is REQUEST_TIMED_OUT; the record stays. */
    record AckTimeout(ReplyToken token) implements PartitionInput {
        @Override
        public Step<PartitionEffect> applyTo(PartitionActions actions) {
            return actions.ackTimeout(this);
        }
    }

    /**
     * The log is on disk up to {@code flushed}, exclusive. A flush that began before a truncation tells nothing of what was
     * appended since: the runtime drops its completion.
     */
    record PersistLog(long flushed) implements PartitionInput {
        @Override
        public Step<PartitionEffect> applyTo(PartitionActions actions) {
            return actions.persistLog(this);
        }
    }

    /**
     * A follower's fetch.
     *
     * @param brokerEpoch the follower's broker epoch, -1 where it sends none: refused by whoever knows of a registration
     * @param currentLeaderEpoch leader epoch it knows, -1 where not sent
     * @param lastFetchedEpoch epoch of its last record, -1 for an empty log or where not sent
     */
    record HandleFetch(
            int replicaId,
            long brokerEpoch,
            int currentLeaderEpoch,
            long fetchOffset,
            int lastFetchedEpoch,
            ReplyToken token)
            implements PartitionInput {
        @Override
        public Step<PartitionEffect> applyTo(PartitionActions actions) {
            return actions.handleFetch(this);
        }
    }

    /**
     * A follower's fetch that found too little and has waited: read again, for an answer that is of now. What a fetch says of
     * its follower was counted when it arrived, and may no longer be true.
     */
    record FollowerRead(int currentLeaderEpoch, long fetchOffset, int lastFetchedEpoch, ReplyToken token)
            implements PartitionInput {
        @Override
        public Step<PartitionEffect> applyTo(PartitionActions actions) {
            return actions.followerRead(this);
        }
    }

    /** A consumer's fetch, below the high watermark, from the leader or (KIP-392) a follower. */
    record ConsumerRead(int currentLeaderEpoch, long fetchOffset, int lastFetchedEpoch, ReplyToken token)
            implements PartitionInput {
        @Override
        public Step<PartitionEffect> applyTo(PartitionActions actions) {
            return actions.consumerRead(this);
        }
    }

    /**
     * The leader's answer to this replica's live fetch.
     *
     * @param asked the request that it answers
     * @param batches headers of {@code records}, in offset order, checked for size and CRC, not yet against the log
     */
    record HandleFetchResponse(
            FetchAsked asked,
            ErrorCode error,
            @Nullable OffsetAndEpoch diverging,
            List<BatchHeader> batches,
            RecordsRef records,
            long hw,
            long logStart)
            implements PartitionInput {
        public HandleFetchResponse {
            batches = List.copyOf(batches);
        }

        @Override
        public Step<PartitionEffect> applyTo(PartitionActions actions) {
            return actions.handleFetchResponse(this);
        }
    }

    /**
     * Found by HandleFetch: {@code follower} may be in sync. Offset and broker epoch are those of that one fetch
     * (KAFKA-15221).
     */
    record ProposeExpandIsr(int follower, long brokerEpoch, long offset) implements PartitionInput {
        @Override
        public Step<PartitionEffect> applyTo(PartitionActions actions) {
            return actions.proposeExpandIsr(this);
        }
    }

    /**
     * These followers have not been caught up for {@code replica.lag.time.max.ms}, as the runtime's clock says. Members leave
     * the ISR; for the others the high watermark no longer waits ({@link FollowerProgress#caughtUp}), so the runtime watches
     * them too. Who is at the log's end by now is no laggard.
     */
    record ReplicaLagTimeout(SortedSet<Integer> laggards) implements PartitionInput {
        @Override
        public Step<PartitionEffect> applyTo(PartitionActions actions) {
            return actions.replicaLagTimeout(this);
        }
    }

    /**
     * The controller's answer to one attempt of the pending change.
     *
     * @param strayPossible whether an earlier attempt of the same change, not answered, may still reach a controller; only
     *     whoever sends can tell (connections, time)
     */
    record HandleAlterPartitionResponse(AlterPartitionAsked asked, AlterPartitionAnswer answer, boolean strayPossible)
            implements PartitionInput {
        @Override
        public Step<PartitionEffect> applyTo(PartitionActions actions) {
            return actions.handleAlterPartitionResponse(this);
        }
    }

    /** The next committed record about this partition. */
    record ApplyPartitionChange(long metadataOffset, PartitionRegistration registration) implements PartitionInput {
        @Override
        public Step<PartitionEffect> applyTo(PartitionActions actions) {
            return actions.applyPartitionChange(this);
        }
    }

    /**
     * The next committed record about a broker that holds a replica of this partition.
     *
     * @param brokerEpoch -1 where it is no longer registered
     * @param active neither fenced nor shutting down
     */
    record ApplyBrokerChange(long metadataOffset, int brokerId, long brokerEpoch, boolean active)
            implements PartitionInput {
        @Override
        public Step<PartitionEffect> applyTo(PartitionActions actions) {
            return actions.applyBrokerChange(this);
        }
    }

    /** The effective minIsr: min({@code min.insync.replicas}, replication factor). */
    record ApplyMinIsrChange(long metadataOffset, int minIsr) implements PartitionInput {
        @Override
        public Step<PartitionEffect> applyTo(PartitionActions actions) {
            return actions.applyMinIsrChange(this);
        }
    }

    /**
     * {@code flush.messages}: an append is followed by an fsync where this many records, at least 1, would else not be on
     * disk; until that is done nothing is promised that it covers. {@link Long#MAX_VALUE}, as at the start: never.
     */
    record ApplyFlushChange(long messages) implements PartitionInput {
        @Override
        public Step<PartitionEffect> applyTo(PartitionActions actions) {
            return actions.applyFlushChange(this);
        }
    }

    /**
     * Producers whose last batch has a timestamp of at most {@code lastTimestamp}, ms since 1970, are forgotten ({@code
     * producer.id.expiration.ms} before now): as in Kafka each replica does so by itself.
     */
    record ExpireProducers(long lastTimestamp) implements PartitionInput {
        @Override
        public Step<PartitionEffect> applyTo(PartitionActions actions) {
            return actions.expireProducers(this);
        }
    }

    /** After a truncation: the producer state as the remaining log gives it. */
    record ReloadProducers(List<ProducerEntry> producers) implements PartitionInput {
        public ReloadProducers {
            producers = List.copyOf(producers);
        }

        @Override
        public Step<PartitionEffect> applyTo(PartitionActions actions) {
            return actions.reloadProducers(this);
        }
    }
}
