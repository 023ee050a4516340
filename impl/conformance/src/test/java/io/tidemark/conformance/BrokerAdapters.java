package io.tidemark.conformance;

import io.tidemark.conformance.states.SpecModel;
import io.tidemark.conformance.states.SpecState;
import io.tidemark.conformance.states.Val;
import io.tidemark.core.ErrorCode;
import io.tidemark.core.SpecAction;
import io.tidemark.core.Step;
import io.tidemark.core.broker.BrokerConfig;
import io.tidemark.core.broker.BrokerCore;
import io.tidemark.core.broker.BrokerEffect;
import io.tidemark.core.broker.BrokerInput;
import io.tidemark.core.controller.ControllerResponse;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The actions of module Controller that a broker takes: answers to its registration and its heartbeats. */
final class BrokerAdapters {
    private BrokerAdapters() {}

    static List<Adapter> all() {
        return List.of(
                new Answered(SpecAction.HandleBrokerRegistrationResponse),
                new Answered(SpecAction.HandleBrokerHeartbeatResponse));
    }

    /** What is committed of the broker: an answer rests on no more. */
    private static Val committed(SpecState state, String broker) {
        return state.get("metaLog").at(state.get("metaHw").integer()).at("reg").at(broker);
    }

    private static final class Answered implements Adapter {
        private final SpecAction action;

        Answered(SpecAction action) {
            this.action = action;
        }

        @Override
        public SpecAction action() {
            return action;
        }

        @Override
        public String instance() {
            return action.name();
        }

        @Override
        public @Nullable Trial trial(SpecState state, SpecModel.Instance instance) {
            String broker = instance.arg("b").text();
            String up = state.get("up", broker).text();
            Val reg = committed(state, broker);
            if (up.equals("down")) {
                return null;
            }
            boolean sameLife = reg.at("incarnation").integer()
                    == state.get("incarnation", broker).integer();
            if (action == SpecAction.HandleBrokerRegistrationResponse) {
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

    /** A broker that is brought into its state by inputs alone. */
    private static final class BrokerTrial implements Trial {
        private final SpecState state;
        private final String broker;
        private final BrokerInput input;
        private final BrokerCore core;

        BrokerTrial(SpecState state, String broker, BrokerInput input) {
            this.state = state;
            this.broker = broker;
            this.input = input;
            int id = Brokers.id(broker);
            core = new BrokerCore(new BrokerConfig(
                    id,
                    ControllerTrial.CLUSTER,
                    ControllerTrial.incarnation(
                            id, state.get("incarnation", broker).integer()),
                    ControllerTrial.endpoints(id),
                    ControllerTrial.FEATURES,
                    null,
                    List.of(ControllerTrial.directory(id))));
            String up = state.get("up", broker).text();
            core.apply(new BrokerInput.StartRegistration(-1));
            if (up.equals("starting")) {
                return;
            }
            core.apply(new BrokerInput.HandleBrokerRegistrationResponse(new ControllerResponse.RegisteredBroker(
                    state.get("brokerEpoch", broker).integer())));
            if (up.equals("running")) {
                core.apply(new BrokerInput.HandleBrokerHeartbeatResponse(
                        new ControllerResponse.Heartbeat(true, false, false)));
                if (committed(state, broker).at("shuttingDown").bool()) {
                    core.apply(new BrokerInput.RequestShutdown());
                }
                core.apply(new BrokerInput.HeartbeatTimeout());
            }
        }

        @Override
        public Map<String, Object> expectedBefore() {
            return expected(state);
        }

        @Override
        public Map<String, Object> before() {
            Map<String, Object> all = new TreeMap<>();
            all.put(
                    "up",
                    switch (core.state()) {
                        case STARTING -> "starting";
                        case RECOVERY -> "recovery";
                        // In the specification it is the controller that knows who shuts down.
                        case RUNNING, PENDING_CONTROLLED_SHUTDOWN -> "running";
                        case NOT_RUNNING, SHUTTING_DOWN -> "down";
                    });
            all.put("brokerEpoch", core.brokerEpoch());
            return all;
        }

        @Override
        public Outcome apply() {
            Step<BrokerEffect> step = core.apply(input);
            return new Outcome(step.action(), before());
        }

        /** Before its registration a broker keeps the epoch of its clean stop on disk; the code does too, elsewhere. */
        @Override
        public Map<String, Object> expected(SpecState next) {
            Map<String, Object> all = new TreeMap<>();
            String up = next.get("up", broker).text();
            all.put("up", up);
            all.put(
                    "brokerEpoch",
                    up.equals("starting")
                            ? -1L
                            : (long) next.get("brokerEpoch", broker).integer());
            return all;
        }
    }
}
