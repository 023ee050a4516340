package io.tidemark.wire;

import io.tidemark.core.ErrorCode;
import io.tidemark.core.message.ClientRequest;
import io.tidemark.core.message.ClientResponse.Quorum;
import io.tidemark.core.quorum.Endpoint;
import io.tidemark.core.quorum.ReplicaKey;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.message.DescribeQuorumRequestData;
import org.apache.kafka.common.message.DescribeQuorumResponseData;

/** DescribeQuorum, of the metadata log's one partition. */
final class DescribeQuorumMapping {
    private DescribeQuorumMapping() {}

    static DescribeQuorumRequestData request() {
        return new DescribeQuorumRequestData()
                .setTopics(List.of(new DescribeQuorumRequestData.TopicData()
                        .setTopicName(Ids.METADATA_TOPIC)
                        .setPartitions(List.of(new DescribeQuorumRequestData.PartitionData().setPartitionIndex(0)))));
    }

    static Body decode(DescribeQuorumRequestData request) {
        boolean metadata = request.topics().size() == 1
                && request.topics().get(0).topicName().equals(Ids.METADATA_TOPIC)
                && request.topics().get(0).partitions().size() == 1
                && request.topics().get(0).partitions().get(0).partitionIndex() == 0;
        if (metadata) {
            return new Body.Client(new ClientRequest.DescribeQuorum());
        }
        DescribeQuorumResponseData answer = new DescribeQuorumResponseData();
        for (DescribeQuorumRequestData.TopicData topic : request.topics()) {
            List<DescribeQuorumResponseData.PartitionData> partitions = new ArrayList<>();
            topic.partitions()
                    .forEach(p -> partitions.add(new DescribeQuorumResponseData.PartitionData()
                            .setPartitionIndex(p.partitionIndex())
                            .setErrorCode(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION.code())));
            answer.topics()
                    .add(new DescribeQuorumResponseData.TopicData()
                            .setTopicName(topic.topicName())
                            .setPartitions(partitions));
        }
        return new Body.Immediate(new Answer(answer));
    }

    static DescribeQuorumResponseData answer(Quorum quorum, short version) {
        DescribeQuorumResponseData.PartitionData partition = new DescribeQuorumResponseData.PartitionData()
                .setPartitionIndex(0)
                .setErrorCode(quorum.error().code())
                .setLeaderId(quorum.leaderId())
                .setLeaderEpoch(quorum.leaderEpoch())
                .setHighWatermark(quorum.hw())
                .setCurrentVoters(replicas(quorum.voters(), version))
                .setObservers(replicas(quorum.observers(), version));
        DescribeQuorumResponseData answer = new DescribeQuorumResponseData()
                .setTopics(List.of(new DescribeQuorumResponseData.TopicData()
                        .setTopicName(Ids.METADATA_TOPIC)
                        .setPartitions(List.of(partition))));
        if (version >= 2) {
            for (Quorum.Replica voter : quorum.voters()) {
                DescribeQuorumResponseData.Node node = new DescribeQuorumResponseData.Node()
                        .setNodeId(voter.key().id());
                for (Endpoint endpoint : voter.endpoints()) {
                    node.listeners()
                            .add(new DescribeQuorumResponseData.Listener()
                                    .setName(endpoint.listener())
                                    .setHost(endpoint.host())
                                    .setPort(endpoint.port()));
                }
                answer.nodes().add(node);
            }
        }
        return answer;
    }

    private static List<DescribeQuorumResponseData.ReplicaState> replicas(
            List<Quorum.Replica> replicas, short version) {
        List<DescribeQuorumResponseData.ReplicaState> states = new ArrayList<>();
        for (Quorum.Replica replica : replicas) {
            DescribeQuorumResponseData.ReplicaState state = new DescribeQuorumResponseData.ReplicaState()
                    .setReplicaId(replica.key().id())
                    .setLogEndOffset(replica.logEnd())
                    .setLastFetchTimestamp(replica.lastFetchTimestamp())
                    .setLastCaughtUpTimestamp(replica.lastCaughtUpTimestamp());
            if (version >= 2) {
                state.setReplicaDirectoryId(Ids.kafka(replica.key().directoryId()));
            }
            states.add(state);
        }
        return states;
    }

    static Quorum neutral(DescribeQuorumResponseData answer) throws MalformedFrameException {
        String what = "the answer to DescribeQuorum";
        if (answer.errorCode() != 0) {
            return new Quorum(ErrorCode.forCode(answer.errorCode()), -1, -1, -1, List.of(), List.of());
        }
        DescribeQuorumResponseData.PartitionData partition =
                QuorumMapping.only(QuorumMapping.only(answer.topics(), what).partitions(), what);
        return new Quorum(
                ErrorCode.forCode(partition.errorCode()),
                partition.leaderId(),
                partition.leaderEpoch(),
                partition.highWatermark(),
                neutral(partition.currentVoters(), answer),
                neutral(partition.observers(), answer));
    }

    private static List<Quorum.Replica> neutral(
            List<DescribeQuorumResponseData.ReplicaState> states, DescribeQuorumResponseData answer) {
        List<Quorum.Replica> replicas = new ArrayList<>();
        for (DescribeQuorumResponseData.ReplicaState state : states) {
            DescribeQuorumResponseData.Node node = answer.nodes().find(state.replicaId());
            replicas.add(new Quorum.Replica(
                    new ReplicaKey(state.replicaId(), Ids.java(state.replicaDirectoryId())),
                    state.logEndOffset(),
                    state.lastFetchTimestamp(),
                    state.lastCaughtUpTimestamp(),
                    node == null
                            ? List.of()
                            : node.listeners().stream()
                                    .map(l -> new Endpoint(l.name(), l.host(), l.port()))
                                    .toList()));
        }
        return replicas;
    }
}
