package io.tidemark.core.broker;

import io.tidemark.core.controller.ControllerRequest;

/** What the runtime carries out for a broker's life cycle, in the order given. */
public sealed interface BrokerEffect {
    /** The live registration: sent to the active controller, and again after a back-off, until it is answered. */
    record SendRegistration(ControllerRequest.RegisterBroker request) implements BrokerEffect {}

    /** The live heartbeat; a lost one is followed by {@link BrokerInput.HeartbeatTimeout} like an answered one. */
    record SendHeartbeat(ControllerRequest.BrokerHeartbeat request) implements BrokerEffect {}

    /** {@code broker.heartbeat.interval.ms}; feeds HeartbeatTimeout. */
    record SetHeartbeatTimer() implements BrokerEffect {}

    record StateChanged(BrokerState state, long brokerEpoch) implements BrokerEffect {}

    /** The controller lets the broker go: everything is handed over. */
    record ShutDownNow() implements BrokerEffect {}

    /** The registration can never succeed: the reason is one line for the operator. */
    record Fatal(String reason) implements BrokerEffect {}
}
