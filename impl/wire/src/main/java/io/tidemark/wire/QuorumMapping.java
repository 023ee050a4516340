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
import java.util.function.Function;
import org.apache.kafka.common.message.BeginQuorumEpochRequestData;
import org.apache.kafka.common.message.BeginQuorumEpochResponseData;
import org.apache.kafka.common.message.EndQuorumEpochRequestData;
import org.apache.kafka.common.message.EndQuorumEpochResponseData;
import org.apache.kafka.common.message.VoteRequestData;
import org.apache.kafka.common.message.VoteResponseData;
import org.jspecify.annotations.Nullable;

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
        var topic = onlyMetadata(request.topics(), VoteRequestData.TopicData::topicName, "Vote");
        var partition = only(topic.partitions(), "Vote");
        return new Vote(
                clusterId(request.clusterId()),
                partition.replicaEpoch(),
                new ReplicaKey(partition.replicaId(), Ids.java(partition.replicaDirectoryId())),
                new ReplicaKey(request.voterId(), Ids.java(partition.voterDirectoryId())),
                new OffsetAndEpoch(partition.lastOffset(), partition.lastOffsetEpoch()),
                partition.preVote());
    }

    static VoteResponseData answer(VoteResult result, short version) {
        var answer = new VoteResponseData()
                .setErrorCode(topLevel(result))
                .setTopics(List.of(new VoteResponseData.TopicData()
                        .setTopicName(Ids.METADATA_TOPIC)
                        .setPartitions(List.of(new VoteResponseData.PartitionData()
                                .setPartitionIndex(0)
                                .setErrorCode(partitionLevel(result))
                                .setLeaderId(result.leaderId())
                                .setLeaderEpoch(result.epoch())
                                .setVoteGranted(result.granted())))));
        for (Endpoint leader : firstOf(result, version >= FIRST_WITH_ENDPOINTS)) {
            var endpoint = new VoteResponseData.NodeEndpoint().setNodeId(result.leaderId());
            answer.nodeEndpoints().add(endpoint.setHost(leader.host()).setPort(leader.port()));
        }
        return answer;
    }

    static VoteResult neutral(VoteResponseData answer, boolean preVote, String listener)
            throws MalformedFrameException {
        String what = "the answer to Vote";
        var partition = only(only(answer.topics(), what).partitions(), what);
        var leader = answer.nodeEndpoints().find(partition.leaderId());
        return new VoteResult(
                error(answer.errorCode(), partition.errorCode()),
                partition.leaderEpoch(),
                partition.leaderId(),
                leader == null ? List.of() : List.of(new Endpoint(listener, leader.host(), leader.port())),
                partition.voteGranted(),
                preVote);
    }

    static BeginQuorumEpochRequestData request(BeginQuorumEpoch begin) {
        var request = new BeginQuorumEpochRequestData()
                .setClusterId(begin.clusterId())
                .setVoterId(begin.voter().id())
                .setTopics(List.of(new BeginQuorumEpochRequestData.TopicData()
                        .setTopicName(Ids.METADATA_TOPIC)
                        .setPartitions(List.of(new BeginQuorumEpochRequestData.PartitionData()
                                .setPartitionIndex(0)
                                .setVoterDirectoryId(Ids.kafka(begin.voter().directoryId()))
                                .setLeaderId(begin.leaderId())
                                .setLeaderEpoch(begin.epoch())))));
        for (Endpoint own : begin.leaderEndpoints()) {
            var endpoint = new BeginQuorumEpochRequestData.LeaderEndpoint().setName(own.listener());
            request.leaderEndpoints().add(endpoint.setHost(own.host()).setPort(own.port()));
        }
        return request;
    }

    static BeginQuorumEpoch neutral(BeginQuorumEpochRequestData request) throws MalformedFrameException {
        var topic =
                onlyMetadata(request.topics(), BeginQuorumEpochRequestData.TopicData::topicName, "BeginQuorumEpoch");
        var partition = only(topic.partitions(), "BeginQuorumEpoch");
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
        var answer = new BeginQuorumEpochResponseData()
                .setErrorCode(topLevel(result))
                .setTopics(List.of(new BeginQuorumEpochResponseData.TopicData()
                        .setTopicName(Ids.METADATA_TOPIC)
                        .setPartitions(List.of(new BeginQuorumEpochResponseData.PartitionData()
                                .setPartitionIndex(0)
                                .setErrorCode(partitionLevel(result))
                                .setLeaderId(result.leaderId())
                                .setLeaderEpoch(result.epoch())))));
        for (Endpoint leader : firstOf(result, version >= FIRST_WITH_ENDPOINTS)) {
            var endpoint = new BeginQuorumEpochResponseData.NodeEndpoint().setNodeId(result.leaderId());
            answer.nodeEndpoints().add(endpoint.setHost(leader.host()).setPort(leader.port()));
        }
        return answer;
    }

    static BeginQuorumEpochResult neutral(BeginQuorumEpochResponseData answer, String listener)
            throws MalformedFrameException {
        String what = "the answer to BeginQuorumEpoch";
        var partition = only(only(answer.topics(), what).partitions(), what);
        var leader = answer.nodeEndpoints().find(partition.leaderId());
        return new BeginQuorumEpochResult(
                error(answer.errorCode(), partition.errorCode()),
                partition.leaderEpoch(),
                partition.leaderId(),
                leader == null ? List.of() : List.of(new Endpoint(listener, leader.host(), leader.port())));
    }

    static EndQuorumEpochRequestData request(EndQuorumEpoch end) {
        var request = new EndQuorumEpochRequestData()
                .setClusterId(end.clusterId())
                .setTopics(List.of(new EndQuorumEpochRequestData.TopicData()
                        .setTopicName(Ids.METADATA_TOPIC)
                        .setPartitions(List.of(new EndQuorumEpochRequestData.PartitionData()
                                .setPartitionIndex(0)
                                .setLeaderId(end.leaderId())
                                .setLeaderEpoch(end.epoch())
                                .setPreferredCandidates(end.preferredCandidates().stream()
                                        .map(key -> new EndQuorumEpochRequestData.ReplicaInfo()
                                                .setCandidateId(key.id())
                                                .setCandidateDirectoryId(Ids.kafka(key.directoryId())))
                                        .toList())))));
        for (Endpoint own : end.leaderEndpoints()) {
            var endpoint = new EndQuorumEpochRequestData.LeaderEndpoint().setName(own.listener());
            request.leaderEndpoints().add(endpoint.setHost(own.host()).setPort(own.port()));
        }
        return request;
    }

    static EndQuorumEpoch neutral(EndQuorumEpochRequestData request) throws MalformedFrameException {
        var topic = onlyMetadata(request.topics(), EndQuorumEpochRequestData.TopicData::topicName, "EndQuorumEpoch");
        var partition = only(topic.partitions(), "EndQuorumEpoch");
        List<ReplicaKey> candidates = new ArrayList<>();
        partition
                .preferredCandidates()
                .forEach(c -> candidates.add(new ReplicaKey(c.candidateId(), Ids.java(c.candidateDirectoryId()))));
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
        var answer = new EndQuorumEpochResponseData()
                .setErrorCode(topLevel(result))
                .setTopics(List.of(new EndQuorumEpochResponseData.TopicData()
                        .setTopicName(Ids.METADATA_TOPIC)
                        .setPartitions(List.of(new EndQuorumEpochResponseData.PartitionData()
                                .setPartitionIndex(0)
                                .setErrorCode(partitionLevel(result))
                                .setLeaderId(result.leaderId())
                                .setLeaderEpoch(result.epoch())))));
        for (Endpoint leader : firstOf(result, version >= FIRST_WITH_ENDPOINTS)) {
            var endpoint = new EndQuorumEpochResponseData.NodeEndpoint().setNodeId(result.leaderId());
            answer.nodeEndpoints().add(endpoint.setHost(leader.host()).setPort(leader.port()));
        }
        return answer;
    }

    static EndQuorumEpochResult neutral(EndQuorumEpochResponseData answer, String listener)
            throws MalformedFrameException {
        String what = "the answer to EndQuorumEpoch";
        var partition = only(only(answer.topics(), what).partitions(), what);
        var leader = answer.nodeEndpoints().find(partition.leaderId());
        return new EndQuorumEpochResult(
                error(answer.errorCode(), partition.errorCode()),
                partition.leaderEpoch(),
                partition.leaderId(),
                leader == null ? List.of() : List.of(new Endpoint(listener, leader.host(), leader.port())));
    }

    /** Kafka lets a request without a cluster id pass; here it is one that fits no cluster. */
    static String clusterId(@Nullable String id) {
        return id == null ? "" : id;
    }

    /** Errors of the request as a whole; all others are the partition's. */
    private static boolean isTopLevel(ErrorCode error) {
        return switch (error) {
            case INCONSISTENT_CLUSTER_ID, UNSUPPORTED_VERSION, INVALID_REQUEST -> true;
            default -> false;
        };
    }

    static short topLevel(Response result) {
        return isTopLevel(result.error()) ? result.error().code() : ErrorCode.NONE.code();
    }

    static short partitionLevel(Response result) {
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

    private static <T> T onlyMetadata(List<T> topics, Function<T, String> name, String what)
            throws MalformedFrameException {
        T topic = only(topics, what);
        if (!name.apply(topic).equals(Ids.METADATA_TOPIC)) {
            throw new MalformedFrameException(what + " must name " + Ids.METADATA_TOPIC);
        }
        return topic;
    }
}
