package io.tidemark.conformance.partition;

import io.tidemark.conformance.states.State;
import io.tidemark.conformance.states.Val;
import io.tidemark.core.Guards;
import io.tidemark.core.Step;
import io.tidemark.core.broker.BrokerInput;
import io.tidemark.core.controller.ControllerCore;
import io.tidemark.core.controller.ControllerInput;
import io.tidemark.core.partition.PartitionCore;
import io.tidemark.core.partition.PartitionEffect;
import io.tidemark.core.partition.PartitionInput;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Each core started in the state in which it is asked for. A core is a pure function of what it is started from and of its
 * input, so that what came of both is remembered: a replica's part of many states of the whole is the same.
 */
final class AnewPartitionCores implements PartitionCores {
    /** What one replica is started from. */
    private static final List<String> OWN = List.of(
            "brokerEpoch",
            "applied",
            "log",
            "logStart",
            "flushed",
            "hw",
            "epochStart",
            "follower",
            "isrState",
            "pendingAcks");

    /** Its hash is of what is quick to hash: inputs of one kind are few. */
    private record Asked(List<Object> from, Object input) {
        @Override
        public int hashCode() {
            return 31 * from.hashCode() + input.getClass().getName().hashCode();
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Asked asked && from.equals(asked.from) && input.equals(asked.input);
        }
    }

    private final PartitionConstants constants;
    private final Guards guards;
    private final Map<Asked, ReplicaStep> replicas = new HashMap<>();
    private final Map<Asked, ControllerStep> controllers = new HashMap<>();

    AnewPartitionCores(PartitionConstants constants, Guards guards) {
        this.constants = constants;
        this.guards = guards;
    }

    @Override
    public Guards guards() {
        return guards;
    }

    @Override
    public ReplicaStep replica(State state, String broker, PartitionInput input) {
        return replicas.computeIfAbsent(new Asked(own(state, broker), input), asked -> {
            PartitionCore core = ReplicaStart.of(state, broker, constants.flushes(), guards);
            Step<PartitionEffect> step = core.apply(input);
            Val log = ReplicaStep.written(state.get("log", broker), step.effects());
            return new ReplicaStep(step.action(), step.effects(), core.view().copy(), log);
        });
    }

    private static List<Object> own(State state, String broker) {
        List<Object> own = new ArrayList<>(OWN.size() + 2);
        own.add(broker);
        own.add(state.get("metaLog"));
        for (String variable : OWN) {
            own.add(state.get(variable, broker));
        }
        return own;
    }

    @Override
    public ReplicaStep standing(State state, String broker) {
        return new ReplicaStep(
                null,
                List.of(),
                ReplicaStart.shown(state, broker, constants.flushes(), guards),
                state.get("log", broker));
    }

    @Override
    public ControllerStep controller(State state, boolean unclean, ControllerInput input) {
        List<Object> from = List.of(unclean, state.get("metaLog"), state.get("metaHw"), state.get("applied"));
        return controllers.computeIfAbsent(new Asked(from, input), asked -> {
            ControllerCore core = ControllerStart.of(state, constants.elr(), unclean, guards);
            return ControllerCores.step(state, constants, unclean, core, input);
        });
    }

    @Override
    public ControllerStep controllerStands(State state, boolean unclean) {
        return ControllerCores.standing(ControllerStart.of(state, constants.elr(), unclean, guards));
    }

    @Override
    public BrokerStep broker(State state, String broker, List<BrokerInput> inputs) {
        var core = BrokerStart.of(state, broker);
        inputs.forEach(core::apply);
        return new BrokerStep(core.state(), core.brokerEpoch());
    }
}
