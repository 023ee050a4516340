package io.tidemark.wire;

import io.tidemark.core.log.OffsetAndEpoch;
import io.tidemark.core.quorum.Endpoint;
import io.tidemark.core.quorum.QuorumMessage.MetadataFetch;
import io.tidemark.core.quorum.QuorumMessage.MetadataFetchResult;
import io.tidemark.core.quorum.ReplicaKey;
import java.util.List;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.message.FetchResponseData;

/** Fetch of the metadata log, on a controller listener: a Fetch of one partition. */
final class MetadataFetchMapping {
    private static final short FIRST_WITH_IDS = 13;
    private static final short FIRST_WITH_ENDPOINTS = 16;
    /** Kafka's fetcher names it too; the leader answers with whole batches anyway. */
    private static final int MAX_BYTES = 8 << 20;
    /** On the wire "not sent" is the greatest value (KIP-1166). */
    private static final long NO_HW = Long.MAX_VALUE;

    private static final String ANSWER = "the answer to a Fetch of the metadata log";

    private MetadataFetchMapping() {}

    static FetchRequestData request(MetadataFetch fetch) {
        return new FetchRequestData()
                .setClusterId(fetch.clusterId())
                .setReplicaState(new FetchRequestData.ReplicaState()
                        .setReplicaId(fetch.replica().id()))
                .setMaxWaitMs(fetch.maxWaitMs())
                .setMaxBytes(MAX_BYTES)
                .setTopics(List.of(new FetchRequestData.FetchTopic()
                        .setTopic(Ids.METADATA_TOPIC)
                        .setTopicId(Ids.METADATA_TOPIC_ID)
                        .setPartitions(List.of(new FetchRequestData.FetchPartition()
                                .setPartition(0)
                                .setCurrentLeaderEpoch(fetch.epoch())
                                .setFetchOffset(fetch.fetchOffset())
                                .setLastFetchedEpoch(fetch.lastFetchedEpoch())
                                .setReplicaDirectoryId(Ids.kafka(fetch.replica().directoryId()))
                                .setHighWatermark(fetch.hw() < 0 ? NO_HW : fetch.hw())))));
    }

    static MetadataFetch neutral(FetchRequestData request, short version) throws MalformedFrameException {
        String what = "a Fetch on a controller listener";
        FetchRequestData.FetchTopic topic = QuorumMapping.only(request.topics(), what);
        boolean metadata = version >= FIRST_WITH_IDS
                ? topic.topicId().equals(Ids.METADATA_TOPIC_ID)
                : topic.topic().equals(Ids.METADATA_TOPIC);
        FetchRequestData.FetchPartition partition = QuorumMapping.only(topic.partitions(), what);
        if (!metadata || partition.partition() != 0) {
            throw new MalformedFrameException(what + " must name " + Ids.METADATA_TOPIC);
        }
        return new MetadataFetch(
                QuorumMapping.clusterId(request.clusterId()),
                new ReplicaKey(FetchMapping.replicaId(request), Ids.java(partition.replicaDirectoryId())),
                partition.currentLeaderEpoch(),
                partition.fetchOffset(),
                partition.lastFetchedEpoch(),
                partition.highWatermark() == NO_HW ? -1 : partition.highWatermark(),
                request.maxWaitMs());
    }

    static FetchResponseData answer(MetadataFetchResult result, short version) {
        FetchResponseData.PartitionData partition = new FetchResponseData.PartitionData()
                .setPartitionIndex(0)
                .setErrorCode(QuorumMapping.partitionLevel(result))
                .setHighWatermark(result.hw())
                .setLogStartOffset(result.logStart())
                .setAbortedTransactions(null)
                .setRecords(new FrameWriter.Ref(result.records()));
        partition.currentLeader().setLeaderId(result.leaderId()).setLeaderEpoch(result.epoch());
        OffsetAndEpoch diverging = result.diverging();
        if (diverging != null) {
            partition.divergingEpoch().setEpoch(diverging.epoch()).setEndOffset(diverging.offset());
        }
        OffsetAndEpoch snapshot = result.snapshotId();
        if (snapshot != null) {
            partition.snapshotId().setEpoch(snapshot.epoch()).setEndOffset(snapshot.offset());
        }
        FetchResponseData answer = new FetchResponseData()
                .setErrorCode(QuorumMapping.topLevel(result))
                .setResponses(List.of(new FetchResponseData.FetchableTopicResponse()
                        .setTopic(Ids.METADATA_TOPIC)
                        .setTopicId(Ids.METADATA_TOPIC_ID)
                        .setPartitions(List.of(partition))));
        for (Endpoint leader : QuorumMapping.firstOf(result, version >= FIRST_WITH_ENDPOINTS)) {
            var endpoint = new FetchResponseData.NodeEndpoint().setNodeId(result.leaderId());
            answer.nodeEndpoints().add(endpoint.setHost(leader.host()).setPort(leader.port()));
        }
        return answer;
    }

    /** Records are a slice of the frame. */
    static MetadataFetchResult neutral(FetchResponseData answer, String listener) throws MalformedFrameException {
        FetchResponseData.PartitionData partition = QuorumMapping.only(
                QuorumMapping.only(answer.responses(), ANSWER).partitions(), ANSWER);
        int leaderId = partition.currentLeader().leaderId();
        FetchResponseData.NodeEndpoint leader = answer.nodeEndpoints().find(leaderId);
        FetchResponseData.SnapshotId snapshot = partition.snapshotId();
        return new MetadataFetchResult(
                QuorumMapping.error(answer.errorCode(), partition.errorCode()),
                partition.currentLeader().leaderEpoch(),
                leaderId,
                leader == null ? List.of() : List.of(new Endpoint(listener, leader.host(), leader.port())),
                partition.highWatermark(),
                partition.logStartOffset(),
                FetchMapping.diverging(partition.divergingEpoch()),
                snapshot.epoch() < 0 ? null : new OffsetAndEpoch(snapshot.endOffset(), snapshot.epoch()),
                FetchMapping.records(partition.records()));
    }
}
