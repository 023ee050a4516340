package io.tidemark.conformance.partition;

import io.tidemark.conformance.states.Call;
import io.tidemark.conformance.states.Val;
import io.tidemark.conformance.states.Values;
import io.tidemark.conformance.world.Adapter;
import io.tidemark.conformance.world.Change;
import io.tidemark.conformance.world.CoreWorld;
import io.tidemark.core.ErrorCode;
import io.tidemark.core.Guard;
import io.tidemark.core.Guards;
import io.tidemark.core.Requires;
import io.tidemark.core.controller.ControllerEffect;
import io.tidemark.core.controller.ControllerInput;
import io.tidemark.core.controller.ControllerResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** How inputs come to the active controller, and what comes of them. */
final class ControllerWays {
    /** What bounds an action wherever it is taken. */
    private static final Map<String, String> BUDGETS = Map.of(
            "HandleElectLeaders", "elections",
            "PreferredLeaderTimeout", "elections",
            "HandleAlterMinIsr", "minIsrChanges");

    private final Guards guards;
    private final List<Adapter> adapters;
    private final Set<String> names;

    ControllerWays(PartitionConstants constants, Guards guards) {
        this.guards = guards;
        this.adapters = ControllerAdapters.all(constants.elr(), constants.unclean(), constants.uncleanTimer(), guards);
        this.names = Set.copyOf(adapters().stream().map(Adapter::instance).toList());
    }

    /** Those that {@code Next} names by themselves; what is late comes by {@link #late}. */
    List<Adapter> adapters() {
        return adapters.stream().filter(adapter -> !adapter.environment()).toList();
    }

    boolean has(String action) {
        return names.contains(action);
    }

    List<CoreWorld.Way<PartitionCores>> ways(Values state, Call call, Adapter adapter) {
        if (call.name().equals("CommitMetadata")) {
            return commits(state);
        }
        if (call.name().equals("HandleAlterPartition")
                && !PartitionValues.pends(state, call.arg("l").text())) {
            return List.of();
        }
        ControllerTrial trial = (ControllerTrial) adapter.trial(state, call);
        if (trial == null) {
            return List.of();
        }
        return List.of(cores -> stepped(state, call, trial, cores));
    }

    private static List<CoreWorld.Way<PartitionCores>> commits(Values state) {
        List<CoreWorld.Way<PartitionCores>> ways = new ArrayList<>();
        Val metaLog = state.get("metaLog");
        for (int n = state.get("metaHw").integer() + 1; n <= metaLog.size(); n++) {
            if (metaLog.at(n).at("last").bool()) {
                ControllerInput input = new ControllerInput.CommitMetadata(ControllerNames.BASE + n + 1);
                ways.add(cores -> {
                    ControllerStep step = cores.controller(state, false, input);
                    return step.action() == null ? null : state.with(Map.of("metaHw", Val.of(step.metaHw())));
                });
            }
        }
        return ways;
    }

    private @Nullable Values stepped(Values state, Call call, ControllerTrial trial, PartitionCores cores) {
        ControllerStep step = cores.controller(state, trial.unclean(), trial.input());
        boolean asked = call.name().equals("HandleAlterPartition");
        if (step.action() == null && !asked) {
            return null;
        }
        Change change = new Change(state);
        append(change, step);
        if (asked) {
            String leader = call.arg("l").text();
            change.put("apResp", leader, answer(change, step));
        }
        spend(change, state, call);
        return change.done();
    }

    private static void append(Change change, ControllerStep step) {
        if (!step.appended().isEmpty()) {
            List<Val> metaLog = new ArrayList<>(change.get("metaLog").list());
            metaLog.addAll(step.appended());
            change.put("metaLog", Val.sequence(metaLog));
        }
        change.put("metaHw", Val.of(step.metaHw()));
    }

    /**
     * The answer to AlterPartition. With an error it tells nothing else: the specification has the partition there, and nobody
     * reads it. What it rests on is what the gate waits for.
     */
    private Val answer(Change change, ControllerStep step) {
        ControllerEffect.Reply reply = step.reply();
        if (reply == null) {
            throw new IllegalStateException("the controller leaves an AlterPartition without an answer");
        }
        Val metaLog = change.get("metaLog");
        Val part = metaLog.at(metaLog.size()).at("part");
        Map<String, Val> answer = new TreeMap<>();
        answer.put("leaderEpoch", part.at("leaderEpoch"));
        answer.put("partitionEpoch", part.at("partitionEpoch"));
        answer.put("isr", part.at("isr"));
        answer.put("offset", Val.of(restsOn(reply, metaLog.size())));
        if (reply.response() instanceof ControllerResponse.Refused refused) {
            answer.put("error", Val.of(refused.error().name()));
        } else {
            var told = ((ControllerResponse.AlteredPartitions) reply.response())
                    .partitions()
                    .get(0)
                    .answer();
            answer.put("error", Val.of(told.error().name()));
            if (told.error() == ErrorCode.NONE) {
                answer.put("leaderEpoch", Val.of(told.leaderEpoch()));
                answer.put("partitionEpoch", Val.of(told.partitionEpoch()));
                answer.put("isr", PartitionValues.names(told.isr()));
            }
        }
        return Val.function(answer);
    }

    /** Without the guard the gate waits for nothing; the specification tells the end of the log all the same. */
    private int restsOn(ControllerEffect.Reply reply, int end) {
        if (reply.requires() instanceof Requires.Committed committed) {
            return (int) (committed.endOffset() - ControllerNames.BASE - 1);
        }
        return guards.on(Guard.CONTROLLER_COMMITTED_ANSWERS) ? 0 : end;
    }

    private static void spend(Change change, Values state, Call call) {
        String budget = BUDGETS.get(call.name());
        if (budget != null) {
            change.spend(budget);
        }
        Val metaLog = state.get("metaLog");
        if (call.name().equals("BrokerSessionTimeout")) {
            // Of a process that lives it disturbs, of another it heals.
            String broker = call.arg("b").text();
            Val reg = metaLog.at(metaLog.size()).at("reg").at(broker);
            if (Brokers.alive(state, broker) && reg.at("epoch").equals(state.get("brokerEpoch", broker))) {
                change.spend("fences");
            }
        } else if (call.name().equals("HandleBrokerHeartbeat")
                && call.arg("want").text().equals("shutdown")
                && !metaLog.at(metaLog.size())
                        .at("reg")
                        .at(call.arg("b").text())
                        .at("shuttingDown")
                        .bool()) {
            change.spend("shutdowns");
        }
    }

    /** An AlterPartition whose sender no longer waits arrives; null where there is none. */
    @Nullable
    Values late(Values state, Call call, PartitionCores cores) {
        for (Adapter adapter : adapters) {
            ControllerTrial trial = adapter.environment() ? (ControllerTrial) adapter.trial(state, call) : null;
            if (trial != null) {
                Change change = new Change(state);
                append(change, cores.controller(state, trial.unclean(), trial.input()));
                change.put("ghosts", Val.set(List.of()));
                return change.done();
            }
        }
        return null;
    }

    /** Writes what the controller shows: its image is that of the last entry. */
    void observe(Change change, ControllerStep standing) {
        Map<String, Val> image = new TreeMap<>(standing.appended().get(0).map());
        Val end = image.remove("end");
        List<Val> metaLog = new ArrayList<>(change.get("metaLog").list());
        Map<String, Val> last = new TreeMap<>(metaLog.get(metaLog.size() - 1).map());
        last.putAll(image);
        if (end != null && end.integer() != metaLog.size()) {
            last.put("type", Val.of("the controller's log ends at " + end));
        }
        metaLog.set(metaLog.size() - 1, Val.function(last));
        change.put("metaLog", Val.sequence(metaLog));
        change.put("metaHw", Val.of(standing.metaHw()));
    }
}
