package io.tidemark.conformance.partition;

import io.tidemark.conformance.states.State;
import io.tidemark.conformance.world.Trial;
import io.tidemark.core.Step;
import io.tidemark.core.broker.BrokerCore;
import io.tidemark.core.broker.BrokerEffect;
import io.tidemark.core.broker.BrokerInput;
import java.util.Map;
import java.util.TreeMap;

/** One answer of the controller to a broker. */
final class BrokerTrial implements Trial {
    private final State state;
    private final String broker;
    private final BrokerInput input;
    private final BrokerCore core;

    BrokerTrial(State state, String broker, BrokerInput input) {
        this.state = state;
        this.broker = broker;
        this.input = input;
        this.core = BrokerStart.of(state, broker);
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
    public Map<String, Object> expected(State next) {
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
