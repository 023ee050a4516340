package io.tidemark.core.message;

import io.tidemark.core.ErrorCode;
import io.tidemark.core.controller.ControllerResponse;
import io.tidemark.core.log.OffsetAndEpoch;
import io.tidemark.core.log.ProducerEntry;
import io.tidemark.core.log.RecordsRef;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The answer to a {@link ClientRequest}; items are in the order of the request's. */
public sealed interface ClientResponse {
    record Produced(List<ProducedItem> items) implements ClientResponse {
        /** Base offset and log start are -1 with an error; leader and epoch tell the client where to go, -1 unknown. */
        public record ProducedItem(
                PartitionRef partition,
                ErrorCode error,
                @Nullable String message,
                long baseOffset,
                long logStart,
                int leader,
                int leaderEpoch) {}

        /** Whether something was not written. */
        public boolean failed() {
            return items.stream().anyMatch(item -> item.error() != ErrorCode.NONE);
        }
    }

    record Fetched(ErrorCode error, List<FetchedItem> items) implements ClientResponse {
        /**
         * One partition.
         *
         * @param hw high watermark, also the last stable offset
         * @param leader where to go with NOT_LEADER_OR_FOLLOWER or FENCED_LEADER_EPOCH, -1 where unknown
         * @param records whole batches; the first may begin before the fetch offset, the last may be cut
         */
        public record FetchedItem(
                PartitionRef partition,
                ErrorCode error,
                long hw,
                long logStart,
                @Nullable OffsetAndEpoch diverging,
                int leader,
                int leaderEpoch,
                RecordsRef records) {}
    }

    record ListedOffsets(List<OffsetAnswer> items) implements ClientResponse {
        /** Offset and timestamp are -1 where there is none. */
        public record OffsetAnswer(
                PartitionRef partition, ErrorCode error, long timestamp, long offset, int leaderEpoch) {}
    }

    record EpochEnds(List<EpochEnd> items) implements ClientResponse {
        /** Epoch and end offset are -1 where unknown. */
        public record EpochEnd(PartitionRef partition, ErrorCode error, int leaderEpoch, long endOffset) {}
    }

    record ProducerId(ErrorCode error, long producerId, short producerEpoch) implements ClientResponse {}

    record Producers(List<ProducersItem> items) implements ClientResponse {
        public record ProducersItem(PartitionRef partition, ErrorCode error, List<ProducerEntry> producers) {}
    }

    /**
     * The quorum as its leader sees it.
     *
     * @param error NOT_LEADER_OR_FOLLOWER where the answering node does not lead
     */
    record Quorum(
            ErrorCode error, int leaderId, int leaderEpoch, long hw, List<Replica> voters, List<Replica> observers)
            implements ClientResponse {
        /** Times are ms since 1970, -1 where unknown. */
        public record Replica(
                io.tidemark.core.quorum.ReplicaKey key,
                long logEnd,
                long lastFetchTimestamp,
                long lastCaughtUpTimestamp,
                List<io.tidemark.core.quorum.Endpoint> endpoints) {}
    }

    record Administered(ControllerResponse response) implements ClientResponse {}
}
