package io.tidemark.conformance.partition;

import io.tidemark.conformance.states.Call;
import io.tidemark.conformance.states.State;
import io.tidemark.conformance.states.Val;
import io.tidemark.conformance.states.Values;
import io.tidemark.conformance.world.Adapter;
import io.tidemark.conformance.world.Change;
import io.tidemark.conformance.world.CoreWorld;
import io.tidemark.core.Guard;
import io.tidemark.core.Guards;
import io.tidemark.core.partition.PartitionInput;
import io.tidemark.core.partition.PartitionState;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** How inputs come to replicas. What comes of them is {@link ReplicaAftermath}'s. */
final class ReplicaWays {
    private final PartitionConstants constants;
    private final Guards guards;
    private final List<Adapter> adapters;

    ReplicaWays(PartitionConstants constants, Guards guards) {
        this.constants = constants;
        this.guards = guards;
        this.adapters = PartitionAdapters.all(new Replicas(constants.replicas(), guards));
    }

    /** Those that {@code Next} names by themselves; what is late comes by {@link #late}. */
    List<Adapter> adapters() {
        return adapters.stream().filter(adapter -> !adapter.environment()).toList();
    }

    List<CoreWorld.Way<PartitionCores>> ways(Values state, Call call, Adapter adapter) {
        if (!offered(state, call)) {
            return List.of();
        }
        ReplicaTrial trial = (ReplicaTrial) adapter.trial(state, call);
        if (trial == null) {
            return List.of();
        }
        String broker = trial.broker();
        PartitionInput input = trial.input();
        List<CoreWorld.Way<PartitionCores>> ways = new ArrayList<>();
        ways.add(cores -> stepped(state, call, broker, input, null, cores));
        if (call.name().equals("ApplyPartitionChange")) {
            for (Val ghost : mayStay(state, broker)) {
                ways.add(cores -> stepped(state, call, broker, input, ghost, cores));
            }
        }
        return ways;
    }

    private @Nullable Values stepped(
            Values state, Call call, String broker, PartitionInput input, @Nullable Val ghost, PartitionCores cores) {
        ReplicaAftermath aftermath = new ReplicaAftermath(state, broker, this, cores.replica(state, broker, input));
        return aftermath.of(call, input, ghost);
    }

    /** Answers that are not on their way come to nobody; records of the metadata log come in order. */
    private static boolean offered(State state, Call call) {
        return switch (call.name()) {
            case "HandleFetchResponse" ->
                !state.get("fetchResp", call.arg("f").text()).isNil();
            case "HandleAlterPartitionResponse" ->
                !state.get("apResp", call.arg("l").text()).isNil();
            case "ApplyPartitionChange", "ApplyBrokerChange", "ApplyMinIsrChange" ->
                comes(state, call.arg("b").text(), call.name());
            default -> true;
        };
    }

    private static boolean comes(State state, String broker, String action) {
        int applied = state.get("applied", broker).integer();
        if (applied == 0) {
            return action.equals("ApplyPartitionChange");
        }
        if (applied >= state.get("metaHw").integer()) {
            return false;
        }
        String type = state.get("metaLog").at(applied + 1).at("type").text();
        return action.equals(
                switch (type) {
                    case "partition" -> "ApplyPartitionChange";
                    case "broker" -> "ApplyBrokerChange";
                    default -> "ApplyMinIsrChange";
                });
    }

    /** What a broker has on its way, and would abandon: one of it may still arrive, if the budget allows. */
    List<Val> mayStay(State state, String broker) {
        List<Val> messages = new ArrayList<>();
        if (Replicas.budget(state, "ghosts") == 0 || state.get("ghosts").size() > 0) {
            return messages;
        }
        if (Brokers.alive(state, broker) && PartitionValues.follows(state, broker)) {
            messages.add(PartitionValues.fetchRequest(state, broker));
        }
        if (constants.lateAnswers() && !state.get("fetchResp", broker).isNil()) {
            messages.add(state.get("fetchResp", broker));
        }
        if (PartitionValues.pends(state, broker)) {
            messages.add(PartitionValues.alterPartitionRequest(state, broker));
        }
        return messages;
    }

    /** A message that was abandoned arrives at a replica: nobody waits for its answer. */
    Values late(Values state, Call call, PartitionCores cores) {
        for (Adapter adapter : adapters) {
            ReplicaTrial trial = adapter.environment() ? (ReplicaTrial) adapter.trial(state, call) : null;
            if (trial != null) {
                Values next = stepped(state, call, trial.broker(), trial.input(), null, cores);
                return next == null ? state : next;
            }
        }
        return state;
    }

    // ---- what a replica shows

    PartitionConstants constants() {
        return constants;
    }

    /** Writes what the replica shows under the specification's names. */
    void observe(Change change, String broker, ReplicaStep step) {
        PartitionState shown = step.after();
        change.put("applied", broker, Val.of((int) Math.max(0, shown.applied())));
        change.put("log", broker, step.log());
        change.put("logStart", broker, Val.of((int) shown.logStart()));
        change.put("flushed", broker, Val.of((int) shown.flushed()));
        change.put("hw", broker, Val.of((int) shown.hw()));
        boolean leads = shown.isrState() != null;
        change.put("epochStart", broker, leads ? Val.of((int) shown.epochStart()) : Val.nil());
        change.put(
                "follower",
                broker,
                PartitionValues.follower(shown, Brokers.all(change.before()), constants.trackLag()));
        change.put("isrState", broker, PartitionValues.isrState(shown));
    }

    /**
     * What the replica holds beside the specification's variables must follow from them: it is as in one that is started from
     * them.
     *
     * @return the first difference; null if there is none
     */
    @Nullable
    String derived(State state, String broker, PartitionState shown) {
        PartitionState derived = ReplicaStart.shown(state, broker, constants.flushes(), guards);
        Set<Integer> waits = Set.copyOf(shown.departed());
        if (!shown.log().equals(derived.log())) {
            return "epochs " + shown.log() + " instead of " + derived.log();
        }
        if (shown.logEnd() != derived.logEnd()) {
            return "log end " + shown.logEnd() + " instead of " + derived.logEnd();
        }
        if (shown.minIsr() != derived.minIsr() || !shown.reg().equals(derived.reg())) {
            return "metadata " + shown.reg() + ", " + shown.minIsr();
        }
        // An answer that is not committed may be of what is lost with its controller.
        boolean rests = guards.on(Guard.CONTROLLER_COMMITTED_ANSWERS);
        if (rests && !waits.equals(Set.copyOf(derived.departed()))) {
            return "departed " + shown.departed() + " instead of " + derived.departed();
        }
        if (!shown.producers().equals(derived.producers())) {
            return "producers " + shown.producers() + " instead of " + derived.producers();
        }
        boolean asksOnce = guards.on(Guard.APPLY_DROPS_FETCH);
        return asksOnce && shown.asked() != null && !shown.asked().equals(derived.asked())
                ? "asks " + shown.asked() + " instead of " + derived.asked()
                : null;
    }
}
