package io.tidemark.wire;

import io.tidemark.core.ErrorCode;
import io.tidemark.core.log.OffsetAndEpoch;
import io.tidemark.core.log.RecordBytes;
import io.tidemark.core.log.RecordsRef;
import io.tidemark.core.message.ClientRequest.Fetch;
import io.tidemark.core.message.ClientRequest.Fetch.FetchItem;
import io.tidemark.core.message.ClientResponse.Fetched;
import io.tidemark.core.message.ClientResponse.Fetched.FetchedItem;
import io.tidemark.core.message.PartitionRef;
import io.tidemark.core.quorum.Endpoint;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.record.internal.BaseRecords;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.jspecify.annotations.Nullable;

/**
 * Fetch of data partitions: topics by name up to version 12, by id from 13 on. Fetch sessions (KIP-227) are declined: the
 * answer to a client that wants one names session 0, and the client goes on with full fetches.
 */
final class FetchMapping {
    private static final short FIRST_WITH_IDS = 13;
    private static final short FIRST_WITH_LEADERS = 12;
    private static final short FIRST_WITH_ENDPOINTS = 16;

    private FetchMapping() {}

    static Body decode(FetchRequestData request, Api.Scope scope) {
        if (request.sessionId() != 0) {
            return new Body.Immediate(
                    new Answer(new FetchResponseData().setErrorCode(ErrorCode.FETCH_SESSION_ID_NOT_FOUND.code())));
        }
        if (request.sessionEpoch() > 0) {
            return new Body.Immediate(
                    new Answer(new FetchResponseData().setErrorCode(ErrorCode.INVALID_FETCH_SESSION_EPOCH.code())));
        }
        return new Body.Client(neutral(request, scope.version()));
    }

    static Fetch neutral(FetchRequestData request, short version) {
        Distinct<FetchItem> items = new Distinct<>();
        for (FetchRequestData.FetchTopic topic : request.topics()) {
            for (FetchRequestData.FetchPartition partition : topic.partitions()) {
                PartitionRef ref = version >= FIRST_WITH_IDS
                        ? PartitionRef.byId(Ids.java(topic.topicId()), partition.partition())
                        : PartitionRef.byName(topic.topic(), partition.partition());
                items.put(
                        ref,
                        new FetchItem(
                                ref,
                                partition.currentLeaderEpoch(),
                                partition.fetchOffset(),
                                partition.lastFetchedEpoch(),
                                partition.logStartOffset(),
                                partition.partitionMaxBytes()));
            }
        }
        int replica = replicaId(request);
        return new Fetch(
                replica,
                replica == Fetch.CONSUMER ? -1 : request.replicaState().replicaEpoch(),
                request.maxWaitMs(),
                request.minBytes(),
                request.maxBytes(),
                items.items());
    }

    /** Negative ids are consumers, whatever tool they belong to. */
    static int replicaId(FetchRequestData request) {
        int id = request.replicaId() >= 0
                ? request.replicaId()
                : request.replicaState().replicaId();
        return Math.max(id, Fetch.CONSUMER);
    }

    /** A follower's fetch, of partitions named by topic id. */
    static FetchRequestData request(Fetch fetch) {
        FetchRequestData request = new FetchRequestData()
                .setReplicaState(new FetchRequestData.ReplicaState()
                        .setReplicaId(fetch.replicaId())
                        .setReplicaEpoch(fetch.replicaEpoch()))
                .setMaxWaitMs(fetch.maxWaitMs())
                .setMinBytes(fetch.minBytes())
                .setMaxBytes(fetch.maxBytes())
                .setSessionId(0)
                .setSessionEpoch(-1);
        FetchRequestData.FetchTopic topic = null;
        for (FetchItem item : fetch.items()) {
            Uuid id = Ids.kafka(item.partition().topicId());
            if (topic == null || !topic.topicId().equals(id)) {
                topic = new FetchRequestData.FetchTopic().setTopicId(id);
                request.topics().add(topic);
            }
            topic.partitions()
                    .add(new FetchRequestData.FetchPartition()
                            .setPartition(item.partition().partition())
                            .setCurrentLeaderEpoch(item.currentLeaderEpoch())
                            .setFetchOffset(item.fetchOffset())
                            .setLastFetchedEpoch(item.lastFetchedEpoch())
                            .setLogStartOffset(item.logStart())
                            .setPartitionMaxBytes(item.maxBytes()));
        }
        return request;
    }

    static FetchResponseData answer(Fetched fetched, Api.Scope scope) {
        FetchResponseData answer =
                new FetchResponseData().setErrorCode(fetched.error().code());
        FetchResponseData.FetchableTopicResponse topic = null;
        for (FetchedItem item : fetched.items()) {
            PartitionRef ref = item.partition();
            if (topic == null || !sameTopic(ref, topic.topic(), topic.topicId(), scope.version() >= FIRST_WITH_IDS)) {
                topic = new FetchResponseData.FetchableTopicResponse()
                        .setTopic(ref.topic() == null ? "" : ref.topic())
                        .setTopicId(Ids.kafka(ref.topicId()));
                answer.responses().add(topic);
            }
            topic.partitions().add(partition(item, answer, scope));
        }
        return answer;
    }

    private static FetchResponseData.PartitionData partition(
            FetchedItem item, FetchResponseData answer, Api.Scope scope) {
        FetchResponseData.PartitionData partition = new FetchResponseData.PartitionData()
                .setPartitionIndex(item.partition().partition())
                .setErrorCode(item.error().code())
                .setHighWatermark(item.hw())
                .setLastStableOffset(item.hw())
                .setLogStartOffset(item.logStart())
                .setAbortedTransactions(null)
                .setRecords(new FrameWriter.Ref(item.records()));
        OffsetAndEpoch diverging = item.diverging();
        if (diverging != null && scope.version() >= FIRST_WITH_LEADERS) {
            partition.divergingEpoch().setEpoch(diverging.epoch()).setEndOffset(diverging.offset());
        }
        if (scope.version() >= FIRST_WITH_LEADERS && namesLeader(item.error(), item.leader())) {
            partition.currentLeader().setLeaderId(item.leader()).setLeaderEpoch(item.leaderEpoch());
            Endpoint endpoint = scope.facts().broker(item.leader());
            if (endpoint != null
                    && scope.version() >= FIRST_WITH_ENDPOINTS
                    && answer.nodeEndpoints().find(item.leader()) == null) {
                answer.nodeEndpoints()
                        .add(new FetchResponseData.NodeEndpoint()
                                .setNodeId(item.leader())
                                .setHost(endpoint.host())
                                .setPort(endpoint.port()));
            }
        }
        return partition;
    }

    /** Whether an answer tells the client where to go instead (KIP-951). */
    static boolean namesLeader(ErrorCode error, int leader) {
        return leader >= 0 && (error == ErrorCode.NOT_LEADER_OR_FOLLOWER || error == ErrorCode.FENCED_LEADER_EPOCH);
    }

    static boolean sameTopic(PartitionRef ref, String name, Uuid id, boolean byId) {
        return byId
                ? ref.topicId().getMostSignificantBits() == id.getMostSignificantBits()
                        && ref.topicId().getLeastSignificantBits() == id.getLeastSignificantBits()
                : name.equals(ref.topic());
    }

    /** Records are slices of the frame. */
    static Fetched neutral(FetchResponseData answer) {
        List<FetchedItem> items = new ArrayList<>();
        for (FetchResponseData.FetchableTopicResponse topic : answer.responses()) {
            for (FetchResponseData.PartitionData partition : topic.partitions()) {
                items.add(new FetchedItem(
                        PartitionRef.byId(Ids.java(topic.topicId()), partition.partitionIndex()),
                        ErrorCode.forCode(partition.errorCode()),
                        partition.highWatermark(),
                        partition.logStartOffset(),
                        diverging(partition.divergingEpoch()),
                        partition.currentLeader().leaderId(),
                        partition.currentLeader().leaderEpoch(),
                        records(partition.records())));
            }
        }
        return new Fetched(ErrorCode.forCode(answer.errorCode()), items);
    }

    static @Nullable OffsetAndEpoch diverging(FetchResponseData.EpochEndOffset diverging) {
        return diverging.epoch() < 0 ? null : new OffsetAndEpoch(diverging.endOffset(), diverging.epoch());
    }

    static RecordsRef records(@Nullable BaseRecords records) {
        return records instanceof MemoryRecords inMemory && inMemory.sizeInBytes() > 0
                ? new RecordBytes(inMemory.buffer())
                : RecordBytes.EMPTY;
    }
}
