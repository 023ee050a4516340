package io.tidemark.conformance.partition;

import io.tidemark.conformance.states.Call;
import io.tidemark.conformance.states.State;
import io.tidemark.conformance.states.Val;
import io.tidemark.conformance.states.Values;
import io.tidemark.conformance.world.Change;
import io.tidemark.conformance.world.CoreWorld;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What the environment does to a partition's brokers, disks and messages, and to its controller. */
final class PartitionFaults {
    private static final Set<String> ACTIONS = Set.of(
            "KillProcess", "PowerLoss", "WipeDisk", "RestartBroker", "LoseMessage", "DeliverGhost", "LoseUncommitted");

    private final PartitionConstants constants;
    private final ReplicaWays replicas;
    private final ControllerWays controller;

    PartitionFaults(PartitionConstants constants, ReplicaWays replicas, ControllerWays controller) {
        this.constants = constants;
        this.replicas = replicas;
        this.controller = controller;
    }

    boolean has(String action) {
        return ACTIONS.contains(action);
    }

    List<CoreWorld.Way<PartitionCores>> ways(Values state, Call call) {
        return switch (call.name()) {
            case "KillProcess" -> kills(state, call.arg("b").text());
            case "PowerLoss" ->
                powerLosses(state, call.arg("b").text(), call.arg("k").integer());
            case "WipeDisk" -> wipes(state, call.arg("b").text());
            case "RestartBroker" -> restarts(state, call.arg("b").text());
            case "LoseMessage" ->
                losses(state, call.arg("b").text(), call.arg("kind").text());
            case "DeliverGhost" -> arrives(state, call);
            default -> fails(state);
        };
    }

    private static boolean has(State state, String budget) {
        return Replicas.budget(state, budget) > 0;
    }

    // ---- processes and disks

    private boolean mayStop(State state, String broker, String budget) {
        return constants.mayCrash(broker) && !state.get("up", broker).text().equals("down") && has(state, budget);
    }

    private List<CoreWorld.Way<PartitionCores>> kills(Values state, String broker) {
        return mayStop(state, broker, "kills") ? stops(state, broker, "kills", change -> {}) : List.of();
    }

    private List<CoreWorld.Way<PartitionCores>> powerLosses(Values state, String broker, int lost) {
        Val log = state.get("log", broker);
        int end = log.size() - lost;
        if (!mayStop(state, broker, "powerLosses")
                || end < state.get("flushed", broker).integer()) {
            return List.of();
        }
        int start = state.get("logStart", broker).integer();
        List<Val> left = new ArrayList<>(log.list().subList(0, Math.max(0, end)));
        if (end < start) {
            left.clear();
            ReplicaStep.pad(left, start);
        }
        return stops(state, broker, "powerLosses", change -> {
            change.put("log", broker, Val.sequence(left));
            change.put("flushed", broker, Val.of(Math.max(end, start)));
        });
    }

    /** The process is gone; one of the messages that it has on its way may still arrive. */
    private List<CoreWorld.Way<PartitionCores>> stops(
            Values state, String broker, String budget, Consumer<Change> disk) {
        List<CoreWorld.Way<PartitionCores>> ways = new ArrayList<>();
        ways.add(cores -> stopped(state, broker, budget, disk, null, cores));
        for (Val ghost : replicas.mayStay(state, broker)) {
            ways.add(cores -> stopped(state, broker, budget, disk, ghost, cores));
        }
        return ways;
    }

    private static Values stopped(
            Values state,
            String broker,
            String budget,
            Consumer<Change> disk,
            @Nullable Val ghost,
            PartitionCores cores) {
        cores.gone(broker);
        Change change = new Change(state);
        change.spend(budget);
        if (ghost != null) {
            change.put("ghosts", Val.set(List.of(ghost)));
            change.spend("ghosts");
        }
        change.put("up", broker, Val.of("down"));
        change.put("brokerEpoch", broker, Val.nil());
        disk.accept(change);
        forget(change, broker, state.get("logStart", broker));
        return change.done();
    }

    /** The process of a broker is gone: what it had not written down, and what was on its way to it. */
    static void forget(Change change, String broker, Val hw) {
        change.put("applied", broker, Val.of(0));
        change.put("hw", broker, hw);
        for (String variable : List.of("epochStart", "follower", "isrState", "fetchResp", "apResp")) {
            change.put(variable, broker, Val.nil());
        }
        change.put("pendingAcks", broker, Val.set(List.of()));
    }

    private static List<CoreWorld.Way<PartitionCores>> wipes(Values state, String broker) {
        if (!state.get("up", broker).text().equals("down") || !has(state, "wipes")) {
            return List.of();
        }
        return List.of(cores -> {
            Change change = new Change(state);
            change.spend("wipes");
            change.put("log", broker, Val.sequence(List.of()));
            for (String offset : List.of("logStart", "flushed", "hw")) {
                change.put(offset, broker, Val.of(0));
            }
            change.put("brokerEpoch", broker, Val.nil());
            return change.done();
        });
    }

    private static List<CoreWorld.Way<PartitionCores>> restarts(Values state, String broker) {
        if (!state.get("up", broker).text().equals("down")) {
            return List.of();
        }
        return List.of(cores -> {
            Change change = new Change(state);
            change.put("up", broker, Val.of("starting"));
            change.put(
                    "incarnation",
                    broker,
                    Val.of(state.get("incarnation", broker).integer() + 1));
            return change.done();
        });
    }

    // ---- messages

    private static List<CoreWorld.Way<PartitionCores>> losses(Values state, String broker, String kind) {
        if (!has(state, "losses")) {
            return List.of();
        }
        boolean answered = !state.get("apResp", broker).isNil();
        return switch (kind) {
            case "fetch" ->
                state.get("fetchResp", broker).isNil()
                        ? List.of()
                        : lost(state, change -> change.put("fetchResp", broker, Val.nil()));
            case "alterPartition" ->
                answered ? lost(state, change -> change.put("apResp", broker, Val.nil())) : List.of();
            default ->
                !PartitionValues.pends(state, broker)
                                || answered
                                || state.get("ghosts").size() > 0
                        ? List.of()
                        : lost(
                                state,
                                change -> change.put(
                                        "ghosts",
                                        Val.set(List.of(PartitionValues.alterPartitionRequest(state, broker)))));
        };
    }

    private static List<CoreWorld.Way<PartitionCores>> lost(Values state, Consumer<Change> loss) {
        return List.of(cores -> {
            Change change = new Change(state);
            change.spend("losses");
            loss.accept(change);
            return change.done();
        });
    }

    private List<CoreWorld.Way<PartitionCores>> arrives(Values state, Call call) {
        if (state.get("ghosts").size() == 0) {
            return List.of();
        }
        return List.of(cores -> {
            Values next = controller.late(state, call, cores);
            if (next == null) {
                next = replicas.late(state, call, cores);
            }
            return next.with(Map.of("ghosts", Val.set(List.of())));
        });
    }

    // ---- the controller

    private static List<CoreWorld.Way<PartitionCores>> fails(Values state) {
        List<CoreWorld.Way<PartitionCores>> ways = new ArrayList<>();
        List<Val> metaLog = state.get("metaLog").list();
        for (int n = state.get("metaHw").integer(); n < metaLog.size() && has(state, "failovers"); n++) {
            int end = n;
            if (metaLog.get(n - 1).at("last").bool()) {
                ways.add(cores -> {
                    cores.deposed();
                    Change change = new Change(state);
                    change.spend("failovers");
                    change.put("metaLog", Val.sequence(metaLog.subList(0, end)));
                    for (String leader : Brokers.all(state)) {
                        Val answer = state.get("apResp", leader);
                        if (!answer.isNil() && answer.at("offset").integer() > end) {
                            change.put("apResp", leader, Val.nil());
                        }
                    }
                    return change.done();
                });
            }
        }
        return ways;
    }
}
