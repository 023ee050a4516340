package io.tidemark.wire;

import io.tidemark.core.ErrorCode;
import io.tidemark.core.log.OffsetAndEpoch;
import io.tidemark.core.quorum.Endpoint;
import io.tidemark.core.quorum.QuorumMessage.BeginQuorumEpoch;
import io.tidemark.core.quorum.QuorumMessage.BeginQuorumEpochResult;
import io.tidemark.core.quorum.QuorumMessage.EndQuorumEpoch;
import io.tidemark.core.quorum.QuorumMessage.EndQuorumEpochResult;
import io.tidemark.core.quorum.QuorumMessage.Response;
import io.tidemark.core.quorum.QuorumMessage.Vote;
import io.tidemark.core.quorum.QuorumMessage.VoteResult;
import io.tidemark.core.quorum.ReplicaKey;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.message.BeginQuorumEpochRequestData;
import org.apache.kafka.common.message.BeginQuorumEpochResponseData;
import org.apache.kafka.common.message.EndQuorumEpochRequestData;
import org.apache.kafka.common.message.EndQuorumEpochResponseData;
import org.apache.kafka.common.message.VoteRequestData;
import org.apache.kafka.common.message.VoteResponseData;

/**
 * Vote, BeginQuorumEpoch and EndQuorumEpoch: each names one partition, that of the metadata log. Answers name the leader's
 * endpoint by node id, without its listener: it is the listener that was asked.
 */
final class QuorumMapping {
    private static final short FIRST_WITH_ENDPOINTS = 1;

    private QuorumMapping() {}

    static VoteRequestData request(Vote vote) {
        return new VoteRequestData()
                .setClusterId(vote.clusterId())
                .setVoterId(vote.voter().id())
                .setTopics(List.of(new VoteRequestData.TopicData()
                        .setTopicName(Ids.METADATA_TOPIC)
                        .setPartitions(List.of(new VoteRequestData.PartitionData()
                                .setPartitionIndex(0)
                                .setReplicaEpoch(vote.epoch())
                                .setReplicaId(vote.candidate().id())
                                .setReplicaDirectoryId(
                                        Ids.kafka(vote.candidate().directoryId()))
                                .setVoterDirectoryId(Ids.kafka(vote.voter().directoryId()))
                                .setLastOffset(vote.lastLog().offset())
                                .setLastOffsetEpoch(vote.lastLog().epoch())
                                .setPreVote(vote.preVote())))));
    }

    static Vote neutral(VoteRequestData request) throws MalformedFrameException {
        VoteRequestData.TopicData topic = only(request.topics(), "Vote");
        metadata(topic.topicName(), "Vote");
        VoteRequestData.PartitionData partition = only(topic.partitions(), "Vote");
        return new Vote(
                clusterId(request.clusterId()),
                partition.replicaEpoch(),
                new ReplicaKey(partition.replicaId(), Ids.java(partition.replicaDirectoryId())),
                new ReplicaKey(request.voterId(), Ids.java(partition.voterDirectoryId())),
                new OffsetAndEpoch(partition.lastOffset(), partition.lastOffsetEpoch()),
                partition.preVote());
    }

    static VoteResponseData answer(VoteResult result, short version) {
        VoteResponseData answer = new VoteResponseData()
                .setErrorCode(topLevel(result))
                .setTopics(List.of(new VoteResponseData.TopicData()
                        .setTopicName(Ids.METADATA_TOPIC)
                        .setPartitions(List.of(new VoteResponseData.PartitionData()
                                .setPartitionIndex(0)
                                .setErrorCode(partitionLevel(result))
                                .setLeaderId(result.leaderId())
                                .setLeaderEpoch(result.epoch())
                                .setVoteGranted(result.granted())))));
        for (Endpoint endpoint : firstOf(result, version >= FIRST_WITH_ENDPOINTS)) {
            answer.nodeEndpoints()
                    .add(new VoteResponseData.NodeEndpoint()
                            .setNodeId(result.leaderId())
                            .setHost(endpoint.host())
                            .setPort(endpoint.port()));
        }
        return answer;
    }

    static VoteResult neutral(VoteResponseData answer, boolean preVote, String listener)
            throws MalformedFrameException {
        VoteResponseData.PartitionData partition =
                only(only(answer.topics(), "the answer to Vote").partitions(), "the answer to Vote");
        VoteResponseData.NodeEndpoint leader = answer.nodeEndpoints().find(partition.leaderId());
        return new VoteResult(
                error(answer.errorCode(), partition.errorCode()),
                partition.leaderEpoch(),
                partition.leaderId(),
                leader == null ? List.of() : List.of(new Endpoint(listener, leader.host(), leader.port())),
                partition.voteGranted(),
                preVote);
    }

    static BeginQuorumEpochRequestData request(BeginQuorumEpoch begin) {
        BeginQuorumEpochRequestData request = new BeginQuorumEpochRequestData()
                .setClusterId(begin.clusterId())
                .setVoterId(begin.voter().id())
                .setTopics(List.of(new BeginQuorumEpochRequestData.TopicData()
                        .setTopicName(Ids.METADATA_TOPIC)
                        .setPartitions(List.of(new BeginQuorumEpochRequestData.PartitionData()
                                .setPartitionIndex(0)
                                .setVoterDirectoryId(Ids.kafka(begin.voter().directoryId()))
                                .setLeaderId(begin.leaderId())
                                .setLeaderEpoch(begin.epoch())))));
        for (Endpoint endpoint : begin.leaderEndpoints()) {
            request.leaderEndpoints()
                    .add(new BeginQuorumEpochRequestData.LeaderEndpoint()
                            .setName(endpoint.listener())
                            .setHost(endpoint.host())
                            .setPort(endpoint.port()));
        }
        return request;
    }

    static BeginQuorumEpoch neutral(BeginQuorumEpochRequestData request) throws MalformedFrameException {
        BeginQuorumEpochRequestData.TopicData topic = only(request.topics(), "BeginQuorumEpoch");
        metadata(topic.topicName(), "BeginQuorumEpoch");
        BeginQuorumEpochRequestData.PartitionData partition = only(topic.partitions(), "BeginQuorumEpoch");
        return new BeginQuorumEpoch(
                clusterId(request.clusterId()),
                partition.leaderEpoch(),
                partition.leaderId(),
                new ReplicaKey(request.voterId(), Ids.java(partition.voterDirectoryId())),
                request.leaderEndpoints().stream()
                        .map(e -> new Endpoint(e.name(), e.host(), e.port()))
                        .toList());
    }

    static BeginQuorumEpochResponseData answer(BeginQuorumEpochResult result, short version) {
        BeginQuorumEpochResponseData answer = new BeginQuorumEpochResponseData()
                .setErrorCode(topLevel(result))
                .setTopics(List.of(new BeginQuorumEpochResponseData.TopicData()
                        .setTopicName(Ids.METADATA_TOPIC)
                        .setPartitions(List.of(new BeginQuorumEpochResponseData.PartitionData()
                                .setPartitionIndex(0)
                                .setErrorCode(partitionLevel(result))
                                .setLeaderId(result.leaderId())
                                .setLeaderEpoch(result.epoch())))));
        for (Endpoint endpoint : firstOf(result, version >= FIRST_WITH_ENDPOINTS)) {
            answer.nodeEndpoints()
                    .add(new BeginQuorumEpochResponseData.NodeEndpoint()
                            .setNodeId(result.leaderId())
                            .setHost(endpoint.host())
                            .setPort(endpoint.port()));
        }
        return answer;
    }

    static BeginQuorumEpochResult neutral(BeginQuorumEpochResponseData answer, String listener)
            throws MalformedFrameException {
        String what = "the answer to BeginQuorumEpoch";
        BeginQuorumEpochResponseData.PartitionData partition =
                only(only(answer.topics(), what).partitions(), what);
        BeginQuorumEpochResponseData.NodeEndpoint leader =
                answer.nodeEndpoints().find(partition.leaderId());
        return new BeginQuorumEpochResult(
                error(answer.errorCode(), partition.errorCode()),
                partition.leaderEpoch(),
                partition.leaderId(),
                leader == null ? List.of() : List.of(new Endpoint(listener, leader.host(), leader.port())));
    }

    static EndQuorumEpochRequestData request(EndQuorumEpoch end) {
        List<EndQuorumEpochRequestData.ReplicaInfo> candidates = new ArrayList<>();
        for (ReplicaKey key : end.preferredCandidates()) {
            candidates.add(new EndQuorumEpochRequestData.ReplicaInfo()
                    .setCandidateId(key.id())
                    .setCandidateDirectoryId(Ids.kafka(key.directoryId())));
        }
        EndQuorumEpochRequestData request = new EndQuorumEpochRequestData()
                .setClusterId(end.clusterId())
                .setTopics(List.of(new EndQuorumEpochRequestData.TopicData()
                        .setTopicName(Ids.METADATA_TOPIC)
                        .setPartitions(List.of(new EndQuorumEpochRequestData.PartitionData()
                                .setPartitionIndex(0)
                                .setLeaderId(end.leaderId())
                                .setLeaderEpoch(end.epoch())
                                .setPreferredCandidates(candidates)))));
        for (Endpoint endpoint : end.leaderEndpoints()) {
            request.leaderEndpoints()
                    .add(new EndQuorumEpochRequestData.LeaderEndpoint()
                            .setName(endpoint.listener())
                            .setHost(endpoint.host())
                            .setPort(endpoint.port()));
        }
        return request;
    }

    static EndQuorumEpoch neutral(EndQuorumEpochRequestData request) throws MalformedFrameException {
        EndQuorumEpochRequestData.TopicData topic = only(request.topics(), "EndQuorumEpoch");
        metadata(topic.topicName(), "EndQuorumEpoch");
        EndQuorumEpochRequestData.PartitionData partition = only(topic.partitions(), "EndQuorumEpoch");
        List<ReplicaKey> candidates = new ArrayList<>();
        for (EndQuorumEpochRequestData.ReplicaInfo info : partition.preferredCandidates()) {
            candidates.add(new ReplicaKey(info.candidateId(), Ids.java(info.candidateDirectoryId())));
        }
        for (int id : partition.preferredSuccessors()) {
            candidates.add(new ReplicaKey(id, ReplicaKey.NO_DIRECTORY));
        }
        return new EndQuorumEpoch(
                clusterId(request.clusterId()),
                partition.leaderEpoch(),
                partition.leaderId(),
                candidates,
                request.leaderEndpoints().stream()
                        .map(e -> new Endpoint(e.name(), e.host(), e.port()))
                        .toList());
    }

    static EndQuorumEpochResponseData answer(EndQuorumEpochResult result, short version) {
        EndQuorumEpochResponseData answer = new EndQuorumEpochResponseData()
                .setErrorCode(topLevel(result))
                .setTopics(List.of(new EndQuorumEpochResponseData.TopicData()
                        .setTopicName(Ids.METADATA_TOPIC)
                        .setPartitions(List.of(new EndQuorumEpochResponseData.PartitionData()
                                .setPartitionIndex(0)
                                .setErrorCode(partitionLevel(result))
                                .setLeaderId(result.leaderId())
                                .setLeaderEpoch(result.epoch())))));
        for (Endpoint endpoint : firstOf(result, version >= FIRST_WITH_ENDPOINTS)) {
            answer.nodeEndpoints()
                    .add(new EndQuorumEpochResponseData.NodeEndpoint()
                            .setNodeId(result.leaderId())
                            .setHost(endpoint.host())
                            .setPort(endpoint.port()));
        }
        return answer;
    }

    static EndQuorumEpochResult neutral(EndQuorumEpochResponseData answer, String listener)
            throws MalformedFrameException {
        String what = "the answer to EndQuorumEpoch";
        EndQuorumEpochResponseData.PartitionData partition =
                only(only(answer.topics(), what).partitions(), what);
        EndQuorumEpochResponseData.NodeEndpoint leader = answer.nodeEndpoints().find(partition.leaderId());
        return new EndQuorumEpochResult(
                error(answer.errorCode(), partition.errorCode()),
                partition.leaderEpoch(),
                partition.leaderId(),
                leader == null ? List.of() : List.of(new Endpoint(listener, leader.host(), leader.port())));
    }

    /** Kafka lets a request without a cluster id pass; here it is one that fits no cluster. */
    static String clusterId(@org.jspecify.annotations.Nullable String id) {
        return id == null ? "" : id;
    }

    /** Errors of the request as a whole; all others are the partition's. */
    static boolean isTopLevel(ErrorCode error) {
        return switch (error) {
            case INCONSISTENT_CLUSTER_ID, UNSUPPORTED_VERSION, INVALID_REQUEST -> true;
            default -> false;
        };
    }

    private static short topLevel(Response result) {
        return isTopLevel(result.error()) ? result.error().code() : ErrorCode.NONE.code();
    }

    private static short partitionLevel(Response result) {
        return isTopLevel(result.error())
                ? ErrorCode.NONE.code()
                : result.error().code();
    }

    static ErrorCode error(short topLevel, short partition) {
        return ErrorCode.forCode(topLevel == 0 ? partition : topLevel);
    }

    /** An answer has room for one endpoint of the leader, in old versions for none. */
    static List<Endpoint> firstOf(Response result, boolean room) {
        List<Endpoint> all = result.leaderEndpoints();
        return !room || all.isEmpty() || result.leaderId() < 0 ? List.of() : all.subList(0, 1);
    }

    static <T> T only(List<T> list, String what) throws MalformedFrameException {
        if (list.size() != 1) {
            throw new MalformedFrameException(what + " must name one topic and one partition");
        }
        return list.get(0);
    }

    private static void metadata(String topic, String what) throws MalformedFrameException {
        if (!topic.equals(Ids.METADATA_TOPIC)) {
            throw new MalformedFrameException(what + " must name " + Ids.METADATA_TOPIC);
        }
    }
}
