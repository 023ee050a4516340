package io.tidemark.core.controller;

import io.tidemark.core.ReplyToken;
import io.tidemark.core.metadata.TopicConfigs;

/**
 * The input that a request is to the controller.
 *
 * @param token where the answer goes
 */
record InputOfRequest(ReplyToken token) implements ControllerRequest.Handler<ControllerInput> {
    @Override
    public ControllerInput registerBroker(ControllerRequest.RegisterBroker request) {
        return new ControllerInput.HandleBrokerRegistration(request, token);
    }

    @Override
    public ControllerInput brokerHeartbeat(ControllerRequest.BrokerHeartbeat request) {
        return new ControllerInput.HandleBrokerHeartbeat(request, token);
    }

    @Override
    public ControllerInput alterPartition(ControllerRequest.AlterPartition request) {
        return new ControllerInput.HandleAlterPartition(request, token);
    }

    @Override
    public ControllerInput electLeaders(ControllerRequest.ElectLeaders request) {
        return new ControllerInput.HandleElectLeaders(request, token);
    }

    @Override
    public ControllerInput createTopics(ControllerRequest.CreateTopics request) {
        return new ControllerInput.HandleCreateTopics(request, token);
    }

    @Override
    public ControllerInput deleteTopics(ControllerRequest.DeleteTopics request) {
        return new ControllerInput.HandleDeleteTopics(request, token);
    }

    @Override
    public ControllerInput createPartitions(ControllerRequest.CreatePartitions request) {
        return new ControllerInput.HandleCreatePartitions(request, token);
    }

    /** The spec tells a change of minIsr from other config changes. */
    @Override
    public ControllerInput alterConfigs(ControllerRequest.AlterConfigs request) {
        boolean minIsr = request.changes().stream()
                .anyMatch(change ->
                        change.ops().stream().anyMatch(op -> op.key().equals(TopicConfigs.MIN_INSYNC_REPLICAS)));
        return minIsr
                ? new ControllerInput.HandleAlterMinIsr(request, token)
                : new ControllerInput.HandleAlterConfigs(request, token);
    }

    @Override
    public ControllerInput updateFeatures(ControllerRequest.UpdateFeatures request) {
        return new ControllerInput.HandleUpdateFeatures(request, token);
    }

    @Override
    public ControllerInput allocateProducerIds(ControllerRequest.AllocateProducerIds request) {
        return new ControllerInput.HandleAllocateProducerIds(request, token);
    }

    @Override
    public ControllerInput registerController(ControllerRequest.RegisterController request) {
        return new ControllerInput.HandleControllerRegistration(request, token);
    }
}
