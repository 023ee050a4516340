package io.tidemark.core.message;

import io.tidemark.core.ErrorCode;
import io.tidemark.core.controller.ControllerRequest;
import io.tidemark.core.log.BatchHeader;
import io.tidemark.core.log.RecordsRef;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A request to a broker. Times are in ms. Each is answered by the {@link ClientResponse} of the same name. */
public sealed interface ClientRequest {
    /** Calls the handler's method for this kind of request. */
    void applyTo(Handler handler);

    /** One method for each kind, so that a new kind does not compile until everyone says what it means there. */
    interface Handler {
        void produce(Produce request);

        void fetch(Fetch request);

        void listOffsets(ListOffsets request);

        void offsetForLeaderEpoch(OffsetForLeaderEpoch request);

        void initProducerId(InitProducerId request);

        void describeProducers(DescribeProducers request);

        void describeQuorum(DescribeQuorum request);

        void admin(Admin request);
    }

    /**
     * KIP-98 and before.
     *
     * @param acks -1 (all), 0 (no answer is sent) or 1; anything else was refused by the wire
     */
    record Produce(short acks, int timeoutMs, List<ProduceItem> items) implements ClientRequest {
        @Override
        public void applyTo(Handler handler) {
            handler.produce(this);
        }

        public Produce {
            items = List.copyOf(items);
        }

        /**
         * One partition's batch. The wire has validated it; what it refused comes with its error, to be answered in place.
         *
         * @param batch null exactly when {@code error} is set
         */
        public record ProduceItem(
                PartitionRef partition,
                ErrorCode error,
                @Nullable String message,
                @Nullable BatchHeader batch,
                RecordsRef records) {}
    }

    /**
     * A consumer's or a follower's fetch; always of all its partitions (no sessions: the answer's session id is 0).
     *
     * @param replicaId -1 for a consumer
     * @param replicaEpoch broker epoch of the follower, -1 where not sent
     * @param minBytes the answer may wait up to {@code maxWaitMs} until that much is there
     */
    record Fetch(int replicaId, long replicaEpoch, int maxWaitMs, int minBytes, int maxBytes, List<FetchItem> items)
            implements ClientRequest {
        @Override
        public void applyTo(Handler handler) {
            handler.fetch(this);
        }

        public static final int CONSUMER = -1;

        public Fetch {
            items = List.copyOf(items);
        }

        /** One partition of a fetch, as {@link io.tidemark.core.partition.PartitionInput.HandleFetch} has it. */
        public record FetchItem(
                PartitionRef partition,
                int currentLeaderEpoch,
                long fetchOffset,
                int lastFetchedEpoch,
                long logStart,
                int maxBytes) {}
    }

    /** Offsets by timestamp, or one of the special timestamps. */
    record ListOffsets(int replicaId, List<OffsetItem> items) implements ClientRequest {
        @Override
        public void applyTo(Handler handler) {
            handler.listOffsets(this);
        }

        public static final long LATEST = -1;
        public static final long EARLIEST = -2;
        public static final long MAX_TIMESTAMP = -3;
        /** KIP-405: without tiers the same as {@link #EARLIEST}. */
        public static final long EARLIEST_LOCAL = -4;

        public ListOffsets {
            items = List.copyOf(items);
        }

        public record OffsetItem(PartitionRef partition, int currentLeaderEpoch, long timestamp) {}
    }

    /** KIP-320: the end offset of an epoch. */
    record OffsetForLeaderEpoch(int replicaId, List<EpochItem> items) implements ClientRequest {
        @Override
        public void applyTo(Handler handler) {
            handler.offsetForLeaderEpoch(this);
        }

        public OffsetForLeaderEpoch {
            items = List.copyOf(items);
        }

        public record EpochItem(PartitionRef partition, int currentLeaderEpoch, int leaderEpoch) {}
    }

    /** An id for an idempotent producer; transactional ids are not served. */
    record InitProducerId() implements ClientRequest {
        @Override
        public void applyTo(Handler handler) {
            handler.initProducerId(this);
        }
    }

    /** KIP-664. */
    record DescribeProducers(List<PartitionRef> partitions) implements ClientRequest {
        @Override
        public void applyTo(Handler handler) {
            handler.describeProducers(this);
        }

        public DescribeProducers {
            partitions = List.copyOf(partitions);
        }
    }

    /** KIP-595: answered by the quorum's leader; a broker forwards it. */
    record DescribeQuorum() implements ClientRequest {
        @Override
        public void applyTo(Handler handler) {
            handler.describeQuorum(this);
        }
    }

    /** Forwarded to the active controller. */
    record Admin(ControllerRequest request, int timeoutMs) implements ClientRequest {
        @Override
        public void applyTo(Handler handler) {
            handler.admin(this);
        }
    }
}
