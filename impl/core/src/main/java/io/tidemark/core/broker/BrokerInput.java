package io.tidemark.core.broker;

import io.tidemark.core.Step;
import io.tidemark.core.controller.ControllerResponse;

/** Everything that can happen to a broker's life cycle. */
public sealed interface BrokerInput {
    Step<BrokerEffect> applyTo(BrokerActions actions);

    /** The broker has caught up with the metadata that existed when it started, or has waited long enough. */
    record StartRegistration(long previousBrokerEpoch) implements BrokerInput {
        @Override
        public Step<BrokerEffect> applyTo(BrokerActions actions) {
            return actions.startRegistration(this);
        }
    }

    /** {@code initial.broker.registration.timeout.ms} after StartRegistration. */
    record RegistrationTimeout() implements BrokerInput {
        @Override
        public Step<BrokerEffect> applyTo(BrokerActions actions) {
            return actions.registrationTimeout(this);
        }
    }

    /** The answer is a RegisteredBroker or a Refused. */
    record HandleBrokerRegistrationResponse(ControllerResponse response) implements BrokerInput {
        @Override
        public Step<BrokerEffect> applyTo(BrokerActions actions) {
            return actions.handleBrokerRegistrationResponse(this);
        }
    }

    /** The answer is a Heartbeat or a Refused. */
    record HandleBrokerHeartbeatResponse(ControllerResponse response) implements BrokerInput {
        @Override
        public Step<BrokerEffect> applyTo(BrokerActions actions) {
            return actions.handleBrokerHeartbeatResponse(this);
        }
    }

    /** {@code broker.heartbeat.interval.ms} after the last answer. */
    record HeartbeatTimeout() implements BrokerInput {
        @Override
        public Step<BrokerEffect> applyTo(BrokerActions actions) {
            return actions.heartbeatTimeout(this);
        }
    }

    /** All committed records up to {@code offset}, inclusive, are applied. */
    record MetadataApplied(long offset) implements BrokerInput {
        @Override
        public Step<BrokerEffect> applyTo(BrokerActions actions) {
            return actions.metadataApplied(this);
        }
    }

    /** SIGTERM: hand leadership over, then stop. */
    record RequestShutdown() implements BrokerInput {
        @Override
        public Step<BrokerEffect> applyTo(BrokerActions actions) {
            return actions.requestShutdown(this);
        }
    }
}
