package io.tidemark.conformance.partition;

import io.tidemark.conformance.states.State;
import io.tidemark.core.broker.BrokerConfig;
import io.tidemark.core.broker.BrokerCore;
import io.tidemark.core.broker.BrokerInput;
import io.tidemark.core.controller.ControllerResponse;
import java.util.List;

/** Brings a broker into a state of the specification, by inputs alone. */
final class BrokerStart {
    private BrokerStart() {}

    static BrokerCore of(State state, String broker) {
        int id = Brokers.id(broker);
        BrokerCore core = new BrokerCore(new BrokerConfig(
                id,
                ControllerNames.CLUSTER,
                ControllerNames.incarnation(id, state.get("incarnation", broker).integer()),
                ControllerNames.endpoints(id),
                ControllerNames.FEATURES,
                null,
                List.of(ControllerNames.directory(id))));
        String up = state.get("up", broker).text();
        core.apply(new BrokerInput.StartRegistration(-1));
        if (up.equals("starting")) {
            return core;
        }
        core.apply(new BrokerInput.HandleBrokerRegistrationResponse(new ControllerResponse.RegisteredBroker(
                state.get("brokerEpoch", broker).integer())));
        if (up.equals("running")) {
            core.apply(new BrokerInput.HandleBrokerHeartbeatResponse(
                    new ControllerResponse.Heartbeat(true, false, false)));
            if (BrokerAdapters.committed(state, broker).at("shuttingDown").bool()) {
                core.apply(new BrokerInput.RequestShutdown());
            }
            core.apply(new BrokerInput.HeartbeatTimeout());
        }
        return core;
    }
}
