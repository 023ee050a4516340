package io.tidemark.core.controller;

import io.tidemark.core.ReplyToken;
import io.tidemark.core.Step;

/** Everything that can happen to a controller. One input, one handler; spec actions where ACTIONS names one. */
public sealed interface ControllerInput {
    Step<ControllerEffect> applyTo(ControllerActions actions);

    /**
     * This node leads the quorum in {@code epoch} and all records below {@code nextOffset} are committed and folded.
     */
    record Activate(int epoch, long nextOffset) implements ControllerInput {
        @Override
        public Step<ControllerEffect> applyTo(ControllerActions actions) {
            return actions.activate(this);
        }
    }

    /** Leadership is lost: speculative state is thrown away; the runtime builds a new core from the committed log. */
    record Deactivate() implements ControllerInput {
        @Override
        public Step<ControllerEffect> applyTo(ControllerActions actions) {
            return actions.deactivate(this);
        }
    }

    record HandleBrokerRegistration(ControllerRequest.RegisterBroker request, ReplyToken token)
            implements ControllerInput {
        @Override
        public Step<ControllerEffect> applyTo(ControllerActions actions) {
            return actions.handleBrokerRegistration(this);
        }
    }

    record HandleBrokerHeartbeat(ControllerRequest.BrokerHeartbeat request, ReplyToken token)
            implements ControllerInput {
        @Override
        public Step<ControllerEffect> applyTo(ControllerActions actions) {
            return actions.handleBrokerHeartbeat(this);
        }
    }

    /** No heartbeat of the broker in {@code broker.session.timeout.ms}. */
    record BrokerSessionTimeout(int brokerId) implements ControllerInput {
        @Override
        public Step<ControllerEffect> applyTo(ControllerActions actions) {
            return actions.brokerSessionTimeout(this);
        }
    }

    record HandleAlterPartition(ControllerRequest.AlterPartition request, ReplyToken token) implements ControllerInput {
        @Override
        public Step<ControllerEffect> applyTo(ControllerActions actions) {
            return actions.handleAlterPartition(this);
        }
    }

    record HandleElectLeaders(ControllerRequest.ElectLeaders request, ReplyToken token) implements ControllerInput {
        @Override
        public Step<ControllerEffect> applyTo(ControllerActions actions) {
            return actions.handleElectLeaders(this);
        }
    }

    /** {@code leader.imbalance.check.interval.seconds} with {@code auto.leader.rebalance.enable}. */
    record PreferredLeaderTimeout() implements ControllerInput {
        @Override
        public Step<ControllerEffect> applyTo(ControllerActions actions) {
            return actions.preferredLeaderTimeout(this);
        }
    }

    /** {@code unclean.leader.election.interval.ms}. */
    record UncleanElectionTimeout() implements ControllerInput {
        @Override
        public Step<ControllerEffect> applyTo(ControllerActions actions) {
            return actions.uncleanElectionTimeout(this);
        }
    }

    /** A config change that touches {@code min.insync.replicas}. */
    record HandleAlterMinIsr(ControllerRequest.AlterConfigs request, ReplyToken token) implements ControllerInput {
        @Override
        public Step<ControllerEffect> applyTo(ControllerActions actions) {
            return actions.handleAlterMinIsr(this);
        }
    }

    /** Any other config change. */
    record HandleAlterConfigs(ControllerRequest.AlterConfigs request, ReplyToken token) implements ControllerInput {
        @Override
        public Step<ControllerEffect> applyTo(ControllerActions actions) {
            return actions.handleAlterConfigs(this);
        }
    }

    /** The quorum's high watermark is {@code hw}, exclusive. */
    record CommitMetadata(long hw) implements ControllerInput {
        @Override
        public Step<ControllerEffect> applyTo(ControllerActions actions) {
            return actions.commitMetadata(this);
        }
    }

    record HandleCreateTopics(ControllerRequest.CreateTopics request, ReplyToken token) implements ControllerInput {
        @Override
        public Step<ControllerEffect> applyTo(ControllerActions actions) {
            return actions.handleCreateTopics(this);
        }
    }

    record HandleDeleteTopics(ControllerRequest.DeleteTopics request, ReplyToken token) implements ControllerInput {
        @Override
        public Step<ControllerEffect> applyTo(ControllerActions actions) {
            return actions.handleDeleteTopics(this);
        }
    }

    record HandleCreatePartitions(ControllerRequest.CreatePartitions request, ReplyToken token)
            implements ControllerInput {
        @Override
        public Step<ControllerEffect> applyTo(ControllerActions actions) {
            return actions.handleCreatePartitions(this);
        }
    }

    record HandleUpdateFeatures(ControllerRequest.UpdateFeatures request, ReplyToken token) implements ControllerInput {
        @Override
        public Step<ControllerEffect> applyTo(ControllerActions actions) {
            return actions.handleUpdateFeatures(this);
        }
    }

    record HandleAllocateProducerIds(ControllerRequest.AllocateProducerIds request, ReplyToken token)
            implements ControllerInput {
        @Override
        public Step<ControllerEffect> applyTo(ControllerActions actions) {
            return actions.handleAllocateProducerIds(this);
        }
    }

    record HandleControllerRegistration(ControllerRequest.RegisterController request, ReplyToken token)
            implements ControllerInput {
        @Override
        public Step<ControllerEffect> applyTo(ControllerActions actions) {
            return actions.handleControllerRegistration(this);
        }
    }

    /** The input for a request. */
    static ControllerInput of(ControllerRequest request, ReplyToken token) {
        return request.applyTo(new InputOfRequest(token));
    }
}
