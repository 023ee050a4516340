package io.tidemark.wire;

import io.tidemark.core.controller.ControllerRequest;
import java.util.function.UnaryOperator;
import org.apache.kafka.common.message.AllocateProducerIdsResponseData;
import org.apache.kafka.common.message.AlterPartitionResponseData;
import org.apache.kafka.common.message.BrokerHeartbeatResponseData;
import org.apache.kafka.common.message.BrokerRegistrationResponseData;
import org.apache.kafka.common.message.ControllerRegistrationResponseData;
import org.apache.kafka.common.message.CreatePartitionsResponseData;
import org.apache.kafka.common.message.CreateTopicsResponseData;
import org.apache.kafka.common.message.DeleteTopicsResponseData;
import org.apache.kafka.common.message.ElectLeadersResponseData;
import org.apache.kafka.common.message.IncrementalAlterConfigsResponseData;
import org.apache.kafka.common.message.UpdateFeaturesResponseData;
import org.apache.kafka.common.protocol.ApiKeys;

/**
 * Brokers' requests to the controller as they leave. Those of brokers go as they are; what clients asked for goes in an Envelope,
 * so that the controller sees who asked.
 *
 * @param envelope puts a request into one
 */
record ControllerCalls(UnaryOperator<Outgoing<?>> envelope) implements ControllerRequest.Handler<Outgoing<?>> {
    /** What the controller has for a forwarded request. */
    private static final int FORWARD_TIMEOUT_MS = 30_000;

    @Override
    public Outgoing<?> registerBroker(ControllerRequest.RegisterBroker request) {
        return new Outgoing<>(
                ApiKeys.BROKER_REGISTRATION,
                BrokerMapping.request(request),
                new BrokerRegistrationResponseData(),
                a -> BrokerMapping.neutral(a));
    }

    @Override
    public Outgoing<?> brokerHeartbeat(ControllerRequest.BrokerHeartbeat request) {
        return new Outgoing<>(
                ApiKeys.BROKER_HEARTBEAT,
                BrokerMapping.request(request),
                new BrokerHeartbeatResponseData(),
                a -> BrokerMapping.neutral(a));
    }

    @Override
    public Outgoing<?> alterPartition(ControllerRequest.AlterPartition request) {
        return new Outgoing<>(
                ApiKeys.ALTER_PARTITION,
                BrokerMapping.request(request),
                new AlterPartitionResponseData(),
                a -> BrokerMapping.neutral(a));
    }

    @Override
    public Outgoing<?> allocateProducerIds(ControllerRequest.AllocateProducerIds request) {
        return new Outgoing<>(
                ApiKeys.ALLOCATE_PRODUCER_IDS,
                BrokerMapping.request(request),
                new AllocateProducerIdsResponseData(),
                a -> BrokerMapping.neutral(a));
    }

    @Override
    public Outgoing<?> registerController(ControllerRequest.RegisterController request) {
        return new Outgoing<>(
                ApiKeys.CONTROLLER_REGISTRATION,
                BrokerMapping.request(request),
                new ControllerRegistrationResponseData(),
                a -> BrokerMapping.neutral(a));
    }

    @Override
    public Outgoing<?> createTopics(ControllerRequest.CreateTopics request) {
        return envelope.apply(new Outgoing<>(
                ApiKeys.CREATE_TOPICS,
                AdminMapping.request(request, FORWARD_TIMEOUT_MS),
                new CreateTopicsResponseData(),
                a -> AdminMapping.neutral(a)));
    }

    @Override
    public Outgoing<?> deleteTopics(ControllerRequest.DeleteTopics request) {
        return envelope.apply(new Outgoing<>(
                ApiKeys.DELETE_TOPICS,
                AdminMapping.request(request, FORWARD_TIMEOUT_MS),
                new DeleteTopicsResponseData(),
                a -> AdminMapping.neutral(a)));
    }

    @Override
    public Outgoing<?> createPartitions(ControllerRequest.CreatePartitions request) {
        return envelope.apply(new Outgoing<>(
                ApiKeys.CREATE_PARTITIONS,
                AdminMapping.request(request, FORWARD_TIMEOUT_MS),
                new CreatePartitionsResponseData(),
                a -> AdminMapping.neutral(a)));
    }

    @Override
    public Outgoing<?> alterConfigs(ControllerRequest.AlterConfigs request) {
        return envelope.apply(new Outgoing<>(
                ApiKeys.INCREMENTAL_ALTER_CONFIGS,
                ConfigMapping.request(request),
                new IncrementalAlterConfigsResponseData(),
                a -> ConfigMapping.neutral(a)));
    }

    @Override
    public Outgoing<?> updateFeatures(ControllerRequest.UpdateFeatures request) {
        return envelope.apply(new Outgoing<>(
                ApiKeys.UPDATE_FEATURES,
                ConfigMapping.request(request, FORWARD_TIMEOUT_MS),
                new UpdateFeaturesResponseData(),
                a -> ConfigMapping.neutral(a)));
    }

    @Override
    public Outgoing<?> electLeaders(ControllerRequest.ElectLeaders request) {
        return envelope.apply(new Outgoing<>(
                ApiKeys.ELECT_LEADERS,
                ConfigMapping.request(request, FORWARD_TIMEOUT_MS),
                new ElectLeadersResponseData(),
                a -> ConfigMapping.neutral(a)));
    }
}
