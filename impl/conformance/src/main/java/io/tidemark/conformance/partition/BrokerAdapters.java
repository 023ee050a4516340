package io.tidemark.conformance.partition;

import io.tidemark.conformance.states.Call;
import io.tidemark.conformance.states.State;
import io.tidemark.conformance.states.Val;
import io.tidemark.conformance.world.Adapter;
import io.tidemark.conformance.world.Trial;
import io.tidemark.core.ErrorCode;
import io.tidemark.core.SpecAction;
import io.tidemark.core.broker.BrokerInput;
import io.tidemark.core.controller.ControllerResponse;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The actions of module Controller that a broker takes: answers to its registration and its heartbeats. */
public final class BrokerAdapters {
    private BrokerAdapters() {}

    /** The adapters of the actions of brokers' lives. */
    public static List<Adapter> all() {
        return List.of(
                new Answered(SpecAction.HandleBrokerRegistrationResponse),
                new Answered(SpecAction.HandleBrokerHeartbeatResponse));
    }

    /** What is committed of the broker: an answer rests on no more. */
    static Val committed(State state, String broker) {
        return state.get("metaLog").at(state.get("metaHw").integer()).at("reg").at(broker);
    }

    private static final class Answered extends Adapter {
        Answered(SpecAction action) {
            super(action);
        }

        @Override
        public @Nullable Trial trial(State state, Call instance) {
            String broker = instance.arg("b").text();
            String up = state.get("up", broker).text();
            Val reg = committed(state, broker);
            if (up.equals("down")) {
                return null;
            }
            boolean sameLife = reg.at("incarnation").integer()
                    == state.get("incarnation", broker).integer();
            if (action() == SpecAction.HandleBrokerRegistrationResponse) {
                // Refused while another life's session lives; none comes to a broker that did not ask.
                return new BrokerTrial(
                        state,
                        broker,
                        new BrokerInput.HandleBrokerRegistrationResponse(
                                sameLife
                                        ? new ControllerResponse.RegisteredBroker(
                                                reg.at("epoch").integer())
                                        : new ControllerResponse.Refused(
                                                ErrorCode.DUPLICATE_BROKER_REGISTRATION, null)));
            }
            boolean leaves = reg.at("shuttingDown").bool();
            if (up.equals("starting") || !sameLife || (leaves && up.equals("recovery"))) {
                return null;
            }
            boolean fenced = reg.at("fenced").bool();
            return new BrokerTrial(
                    state,
                    broker,
                    new BrokerInput.HandleBrokerHeartbeatResponse(
                            new ControllerResponse.Heartbeat(true, fenced, fenced && leaves)));
        }
    }
}
