package io.tidemark.wire;

import io.tidemark.core.ErrorCode;
import io.tidemark.core.controller.ControllerRequest.AllocateProducerIds;
import io.tidemark.core.controller.ControllerRequest.AlterPartition;
import io.tidemark.core.controller.ControllerRequest.BrokerHeartbeat;
import io.tidemark.core.controller.ControllerRequest.RegisterBroker;
import io.tidemark.core.controller.ControllerRequest.RegisterController;
import io.tidemark.core.controller.ControllerResponse;
import io.tidemark.core.controller.ControllerResponse.AlteredPartitions;
import io.tidemark.core.controller.ControllerResponse.AlteredPartitions.PartitionAnswer;
import io.tidemark.core.controller.ControllerResponse.Heartbeat;
import io.tidemark.core.controller.ControllerResponse.ProducerIdBlock;
import io.tidemark.core.controller.ControllerResponse.Refused;
import io.tidemark.core.controller.ControllerResponse.RegisteredBroker;
import io.tidemark.core.controller.ControllerResponse.RegisteredController;
import io.tidemark.core.metadata.BrokerRegistration.FeatureRange;
import io.tidemark.core.metadata.LeaderRecovery;
import io.tidemark.core.partition.AlterPartitionAnswer;
import io.tidemark.core.partition.AlterPartitionAsked;
import io.tidemark.core.quorum.Endpoint;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.kafka.common.message.AllocateProducerIdsRequestData;
import org.apache.kafka.common.message.AllocateProducerIdsResponseData;
import org.apache.kafka.common.message.AlterPartitionRequestData;
import org.apache.kafka.common.message.AlterPartitionResponseData;
import org.apache.kafka.common.message.BrokerHeartbeatRequestData;
import org.apache.kafka.common.message.BrokerHeartbeatResponseData;
import org.apache.kafka.common.message.BrokerRegistrationRequestData;
import org.apache.kafka.common.message.BrokerRegistrationResponseData;
import org.apache.kafka.common.message.ControllerRegistrationRequestData;
import org.apache.kafka.common.message.ControllerRegistrationResponseData;

/** What brokers and controllers ask of the active controller. All listeners are plaintext. */
final class BrokerMapping {
    private static final short PLAINTEXT = 0;

    private BrokerMapping() {}

    static BrokerRegistrationRequestData request(RegisterBroker register) {
        BrokerRegistrationRequestData request = new BrokerRegistrationRequestData()
                .setBrokerId(register.brokerId())
                .setClusterId(register.clusterId())
                .setIncarnationId(Ids.kafka(register.incarnation()))
                .setRack(register.rack())
                .setLogDirs(Ids.kafka(register.directories()))
                .setPreviousBrokerEpoch(register.previousBrokerEpoch());
        for (Endpoint own : register.endpoints()) {
            var listener = new BrokerRegistrationRequestData.Listener()
                    .setName(own.listener())
                    .setSecurityProtocol(PLAINTEXT);
            request.listeners().add(listener.setHost(own.host()).setPort(own.port()));
        }
        register.features()
                .forEach((name, range) -> request.features()
                        .add(new BrokerRegistrationRequestData.Feature()
                                .setName(name)
                                .setMinSupportedVersion(range.min())
                                .setMaxSupportedVersion(range.max())));
        return request;
    }

    static RegisterBroker neutral(BrokerRegistrationRequestData request) {
        SortedMap<String, FeatureRange> features = new TreeMap<>();
        request.features()
                .forEach(f ->
                        features.put(f.name(), new FeatureRange(f.minSupportedVersion(), f.maxSupportedVersion())));
        return new RegisterBroker(
                request.brokerId(),
                request.clusterId(),
                Ids.java(request.incarnationId()),
                request.listeners().stream()
                        .map(l -> new Endpoint(l.name(), l.host(), l.port()))
                        .toList(),
                features,
                request.rack(),
                Ids.java(request.logDirs()),
                request.previousBrokerEpoch());
    }

    static BrokerRegistrationResponseData registered(ControllerResponse answer) {
        return answer instanceof RegisteredBroker registered
                ? new BrokerRegistrationResponseData().setBrokerEpoch(registered.brokerEpoch())
                : new BrokerRegistrationResponseData().setErrorCode(refused(answer));
    }

    static ControllerResponse neutral(BrokerRegistrationResponseData answer) {
        return unless(answer.errorCode(), new RegisteredBroker(answer.brokerEpoch()));
    }

    static BrokerHeartbeatRequestData request(BrokerHeartbeat heartbeat) {
        return new BrokerHeartbeatRequestData()
                .setBrokerId(heartbeat.brokerId())
                .setBrokerEpoch(heartbeat.brokerEpoch())
                .setCurrentMetadataOffset(heartbeat.currentMetadataOffset())
                .setWantFence(heartbeat.wantFence())
                .setWantShutDown(heartbeat.wantShutDown());
    }

    static BrokerHeartbeat neutral(BrokerHeartbeatRequestData request) {
        return new BrokerHeartbeat(
                request.brokerId(),
                request.brokerEpoch(),
                request.currentMetadataOffset(),
                request.wantFence(),
                request.wantShutDown());
    }

    static BrokerHeartbeatResponseData heartbeat(ControllerResponse answer) {
        return answer instanceof Heartbeat heartbeat
                ? new BrokerHeartbeatResponseData()
                        .setIsCaughtUp(heartbeat.caughtUp())
                        .setIsFenced(heartbeat.fenced())
                        .setShouldShutDown(heartbeat.shouldShutDown())
                : new BrokerHeartbeatResponseData().setErrorCode(refused(answer));
    }

    static ControllerResponse neutral(BrokerHeartbeatResponseData answer) {
        return unless(
                answer.errorCode(), new Heartbeat(answer.isCaughtUp(), answer.isFenced(), answer.shouldShutDown()));
    }

    static AlterPartitionRequestData request(AlterPartition alter) {
        AlterPartitionRequestData request =
                new AlterPartitionRequestData().setBrokerId(alter.brokerId()).setBrokerEpoch(alter.brokerEpoch());
        for (AlterPartition.PartitionItem item : alter.partitions()) {
            AlterPartitionAsked asked = item.asked();
            request.topics()
                    .add(new AlterPartitionRequestData.TopicData()
                            .setTopicId(Ids.kafka(item.topicId()))
                            .setPartitions(List.of(new AlterPartitionRequestData.PartitionData()
                                    .setPartitionIndex(item.partition())
                                    .setLeaderEpoch(asked.leaderEpoch())
                                    .setPartitionEpoch(asked.partitionEpoch())
                                    .setLeaderRecoveryState(recovery(asked.recovery()))
                                    .setNewIsrWithEpochs(asked.newIsr().stream()
                                            .map(m -> new AlterPartitionRequestData.BrokerState()
                                                    .setBrokerId(m.brokerId())
                                                    .setBrokerEpoch(m.brokerEpoch()))
                                            .toList()))));
        }
        return request;
    }

    static AlterPartition neutral(AlterPartitionRequestData request) throws MalformedFrameException {
        List<AlterPartition.PartitionItem> items = new ArrayList<>();
        for (AlterPartitionRequestData.TopicData topic : request.topics()) {
            for (AlterPartitionRequestData.PartitionData partition : topic.partitions()) {
                List<AlterPartitionAsked.Member> isr = new ArrayList<>();
                partition
                        .newIsrWithEpochs()
                        .forEach(m -> isr.add(new AlterPartitionAsked.Member(m.brokerId(), m.brokerEpoch())));
                partition.newIsr().forEach(id -> isr.add(new AlterPartitionAsked.Member(id, -1)));
                items.add(new AlterPartition.PartitionItem(
                        Ids.java(topic.topicId()),
                        partition.partitionIndex(),
                        new AlterPartitionAsked(
                                partition.leaderEpoch(),
                                partition.partitionEpoch(),
                                isr,
                                recovery(partition.leaderRecoveryState()))));
            }
        }
        return new AlterPartition(request.brokerId(), request.brokerEpoch(), items);
    }

    static AlterPartitionResponseData altered(ControllerResponse answer) {
        if (!(answer instanceof AlteredPartitions altered)) {
            return new AlterPartitionResponseData().setErrorCode(refused(answer));
        }
        AlterPartitionResponseData response = new AlterPartitionResponseData();
        for (PartitionAnswer item : altered.partitions()) {
            AlterPartitionAnswer partition = item.answer();
            response.topics()
                    .add(new AlterPartitionResponseData.TopicData()
                            .setTopicId(Ids.kafka(item.topicId()))
                            .setPartitions(List.of(new AlterPartitionResponseData.PartitionData()
                                    .setPartitionIndex(item.partition())
                                    .setErrorCode(partition.error().code())
                                    .setLeaderId(partition.leader())
                                    .setLeaderEpoch(partition.leaderEpoch())
                                    .setPartitionEpoch(partition.partitionEpoch())
                                    .setIsr(partition.isr())
                                    .setLeaderRecoveryState(recovery(partition.recovery())))));
        }
        return response;
    }

    static ControllerResponse neutral(AlterPartitionResponseData answer) throws MalformedFrameException {
        if (answer.errorCode() != 0) {
            return new Refused(ErrorCode.forCode(answer.errorCode()), null);
        }
        List<PartitionAnswer> items = new ArrayList<>();
        for (AlterPartitionResponseData.TopicData topic : answer.topics()) {
            for (AlterPartitionResponseData.PartitionData partition : topic.partitions()) {
                items.add(new PartitionAnswer(
                        Ids.java(topic.topicId()),
                        partition.partitionIndex(),
                        new AlterPartitionAnswer(
                                ErrorCode.forCode(partition.errorCode()),
                                partition.leaderId(),
                                partition.leaderEpoch(),
                                partition.partitionEpoch(),
                                partition.isr(),
                                recovery(partition.leaderRecoveryState()))));
            }
        }
        return new AlteredPartitions(items);
    }

    static AllocateProducerIdsRequestData request(AllocateProducerIds allocate) {
        return new AllocateProducerIdsRequestData()
                .setBrokerId(allocate.brokerId())
                .setBrokerEpoch(allocate.brokerEpoch());
    }

    static AllocateProducerIds neutral(AllocateProducerIdsRequestData request) {
        return new AllocateProducerIds(request.brokerId(), request.brokerEpoch());
    }

    static AllocateProducerIdsResponseData allocated(ControllerResponse answer) {
        return answer instanceof ProducerIdBlock block
                ? new AllocateProducerIdsResponseData()
                        .setProducerIdStart(block.first())
                        .setProducerIdLen(block.length())
                : new AllocateProducerIdsResponseData().setErrorCode(refused(answer));
    }

    static ControllerResponse neutral(AllocateProducerIdsResponseData answer) {
        return unless(answer.errorCode(), new ProducerIdBlock(answer.producerIdStart(), answer.producerIdLen()));
    }

    static ControllerRegistrationRequestData request(RegisterController register) {
        ControllerRegistrationRequestData request = new ControllerRegistrationRequestData()
                .setControllerId(register.controllerId())
                .setIncarnationId(Ids.kafka(register.incarnation()));
        for (Endpoint own : register.endpoints()) {
            var listener = new ControllerRegistrationRequestData.Listener()
                    .setName(own.listener())
                    .setSecurityProtocol(PLAINTEXT);
            request.listeners().add(listener.setHost(own.host()).setPort(own.port()));
        }
        register.features()
                .forEach((name, range) -> request.features()
                        .add(new ControllerRegistrationRequestData.Feature()
                                .setName(name)
                                .setMinSupportedVersion(range.min())
                                .setMaxSupportedVersion(range.max())));
        return request;
    }

    static RegisterController neutral(ControllerRegistrationRequestData request) {
        SortedMap<String, FeatureRange> features = new TreeMap<>();
        request.features()
                .forEach(f ->
                        features.put(f.name(), new FeatureRange(f.minSupportedVersion(), f.maxSupportedVersion())));
        return new RegisterController(
                request.controllerId(),
                Ids.java(request.incarnationId()),
                request.listeners().stream()
                        .map(l -> new Endpoint(l.name(), l.host(), l.port()))
                        .toList(),
                features);
    }

    static ControllerRegistrationResponseData controllerRegistered(ControllerResponse answer) {
        ControllerRegistrationResponseData response = new ControllerRegistrationResponseData();
        if (answer instanceof Refused refused) {
            response.setErrorCode(refused.error().code()).setErrorMessage(refused.message());
        }
        return response;
    }

    static ControllerResponse neutral(ControllerRegistrationResponseData answer) {
        return answer.errorCode() == 0
                ? new RegisteredController()
                : new Refused(ErrorCode.forCode(answer.errorCode()), answer.errorMessage());
    }

    static byte recovery(LeaderRecovery recovery) {
        return (byte) (recovery == LeaderRecovery.RECOVERED ? 0 : 1);
    }

    private static LeaderRecovery recovery(byte code) throws MalformedFrameException {
        return switch (code) {
            case 0 -> LeaderRecovery.RECOVERED;
            case 1 -> LeaderRecovery.RECOVERING;
            default -> throw new MalformedFrameException("leader recovery state " + code + "; known are 0 and 1");
        };
    }

    private static ControllerResponse unless(short error, ControllerResponse granted) {
        return error == 0 ? granted : new Refused(ErrorCode.forCode(error), null);
    }

    private static short refused(ControllerResponse answer) {
        return answer instanceof Refused refused ? refused.error().code() : ErrorCode.UNKNOWN_SERVER_ERROR.code();
    }
}
