package io.tidemark.core.broker;

import io.tidemark.core.controller.ControllerRequest;

/** What the runtime carries out for a broker's life cycle, in the order given. */
public sealed interface BrokerEffect {
    void applyTo(Handler handler);

    /** Carries effects out: one method each, so that a new effect does not compile until somebody does. */
    interface Handler {
        void sendRegistration(SendRegistration effect);

        void setRegistrationTimer(SetRegistrationTimer effect);

        void sendHeartbeat(SendHeartbeat effect);

        void setHeartbeatTimer(SetHeartbeatTimer effect);

        void stateChanged(StateChanged effect);

        void shutDownNow(ShutDownNow effect);

        void fatal(Fatal effect);
    }

    /** The live registration: sent to the active controller, and again after a back-off, until it is answered. */
    record SendRegistration(ControllerRequest.RegisterBroker request) implements BrokerEffect {
        @Override
        public void applyTo(Handler handler) {
            handler.sendRegistration(this);
        }
    }

    /** {@code initial.broker.registration.timeout.ms}; feeds RegistrationTimeout. */
    record SetRegistrationTimer() implements BrokerEffect {
        @Override
        public void applyTo(Handler handler) {
            handler.setRegistrationTimer(this);
        }
    }

    /** The live heartbeat; a lost one is followed by {@link BrokerInput.HeartbeatTimeout} like an answered one. */
    record SendHeartbeat(ControllerRequest.BrokerHeartbeat request) implements BrokerEffect {
        @Override
        public void applyTo(Handler handler) {
            handler.sendHeartbeat(this);
        }
    }

    /** {@code broker.heartbeat.interval.ms}; feeds HeartbeatTimeout. */
    record SetHeartbeatTimer() implements BrokerEffect {
        @Override
        public void applyTo(Handler handler) {
            handler.setHeartbeatTimer(this);
        }
    }

    record StateChanged(BrokerState state, long brokerEpoch) implements BrokerEffect {
        @Override
        public void applyTo(Handler handler) {
            handler.stateChanged(this);
        }
    }

    /** The controller lets the broker go: everything is handed over. */
    record ShutDownNow() implements BrokerEffect {
        @Override
        public void applyTo(Handler handler) {
            handler.shutDownNow(this);
        }
    }

    /** The registration can never succeed, or took too long: the reason is one line for the operator. */
    record Fatal(String reason) implements BrokerEffect {
        @Override
        public void applyTo(Handler handler) {
            handler.fatal(this);
        }
    }
}
