package io.tidemark.conformance.partition;

import io.tidemark.conformance.states.Call;
import io.tidemark.conformance.states.Val;
import io.tidemark.conformance.states.Values;
import io.tidemark.conformance.world.Adapter;
import io.tidemark.conformance.world.Change;
import io.tidemark.conformance.world.CoreWorld;
import io.tidemark.core.Guard;
import io.tidemark.core.Guards;
import io.tidemark.core.broker.BrokerInput;
import io.tidemark.core.controller.ControllerResponse;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The code in the place of modules Controller and Partition: which actions there are, and who takes them. Replicas act by
 * {@link ReplicaWays}, the controller by {@link ControllerWays}, the environment by {@link PartitionFaults}; the lives of brokers
 * are here.
 */
public final class PartitionWorld implements CoreWorld<PartitionCores> {
    /** Of the module's states. */
    public static final List<String> VARIABLES = List.of(
            "metaLog",
            "metaHw",
            "up",
            "incarnation",
            "brokerEpoch",
            "applied",
            "log",
            "logStart",
            "flushed",
            "hw",
            "epochStart",
            "follower",
            "isrState",
            "pendingAcks",
            "fetchResp",
            "apResp",
            "ghosts",
            "acked",
            "exposed",
            "committed",
            "budget");

    /** Not in the code yet. */
    private static final Set<String> ABSENT = Set.of("DeleteRecords", "RetentionTimeout");

    private final PartitionConstants constants;
    private final Guards guards;
    private final ReplicaDisks disks;
    private final ReplicaWays replicas;
    private final ControllerWays controller;
    private final PartitionFaults faults;
    private final Map<String, Adapter> adapters = new LinkedHashMap<>();
    private final AnewPartitionCores anew;

    PartitionWorld(PartitionConstants constants, Guards guards, ReplicaDisks disks) {
        this.constants = constants;
        this.guards = guards;
        this.disks = disks;
        this.anew = new AnewPartitionCores(constants, guards);
        this.replicas = new ReplicaWays(constants, guards);
        this.controller = new ControllerWays(constants, guards);
        this.faults = new PartitionFaults(constants, replicas, controller);
        replicas.adapters().forEach(adapter -> adapters.put(adapter.instance(), adapter));
        controller.adapters().forEach(adapter -> adapters.put(adapter.instance(), adapter));
    }

    @Override
    public List<String> variables() {
        return VARIABLES;
    }

    @Override
    public PartitionCores anew() {
        return anew;
    }

    @Override
    public PartitionCores kept() {
        return new KeptPartitionCores(constants, guards, disks);
    }

    @Override
    public List<Way<PartitionCores>> ways(Values state, Call call) {
        if (ABSENT.contains(call.name())) {
            return List.of();
        }
        switch (call.name()) {
            case "HandleBrokerRegistrationResponse" -> {
                return registered(state, call.arg("b").text());
            }
            case "HandleBrokerHeartbeatResponse" -> {
                return heard(state, call.arg("b").text());
            }
            default -> {
                if (faults.has(call.name())) {
                    return faults.ways(state, call);
                }
                Adapter adapter = adapters.get(call.name());
                if (adapter == null) {
                    throw new IllegalArgumentException("no action " + call.name() + " in module Partition");
                }
                return controller.has(call.name())
                        ? controller.ways(state, call, adapter)
                        : replicas.ways(state, call, adapter);
            }
        }
    }

    // ---- lives of brokers

    /** What an answer of the controller may rest on. */
    private Val known(Values state, String broker) {
        Val metaLog = state.get("metaLog");
        int upTo = guards.on(Guard.CONTROLLER_COMMITTED_ANSWERS)
                ? state.get("metaHw").integer()
                : metaLog.size();
        return metaLog.at(upTo).at("reg").at(broker);
    }

    private List<Way<PartitionCores>> registered(Values state, String broker) {
        Val reg = known(state, broker);
        if (!state.get("up", broker).text().equals("starting")
                || !reg.at("incarnation").equals(state.get("incarnation", broker))) {
            return List.of();
        }
        BrokerInput input = new BrokerInput.HandleBrokerRegistrationResponse(
                new ControllerResponse.RegisteredBroker(reg.at("epoch").integer()));
        return List.of(cores -> {
            Change change = new Change(state);
            lives(change, broker, cores.broker(state, broker, List.of(input)));
            return change.changed() ? change.done() : null;
        });
    }

    /** A wish to stop reaches the broker when its answer is that it may; until then it is the controller that knows. */
    private List<Way<PartitionCores>> heard(Values state, String broker) {
        Val reg = known(state, broker);
        if (!Brokers.alive(state, broker) || !reg.at("epoch").equals(state.get("brokerEpoch", broker))) {
            return List.of();
        }
        boolean fenced = reg.at("fenced").bool();
        boolean leaves = fenced && reg.at("shuttingDown").bool();
        List<BrokerInput> inputs = new ArrayList<>();
        if (leaves) {
            inputs.add(new BrokerInput.RequestShutdown());
        }
        inputs.add(new BrokerInput.HeartbeatTimeout());
        inputs.add(
                new BrokerInput.HandleBrokerHeartbeatResponse(new ControllerResponse.Heartbeat(true, fenced, leaves)));
        return List.of(cores -> {
            Change change = new Change(state);
            lives(change, broker, cores.broker(state, broker, inputs));
            if (change.get("up", broker).text().equals("down")) {
                // In order: everything is fsynced, and the checkpoint of the high watermark with it.
                cores.gone(broker);
                change.put("flushed", broker, Val.of(state.get("log", broker).size()));
                PartitionFaults.forget(change, broker, state.get("hw", broker));
            }
            return change.changed() ? change.done() : null;
        });
    }

    /** Before its registration a broker keeps the epoch of its clean stop on disk, as after it. */
    private static void lives(Change change, String broker, BrokerStep step) {
        String up = switch (step.state()) {
            case STARTING -> "starting";
            case RECOVERY -> "recovery";
            case RUNNING, PENDING_CONTROLLED_SHUTDOWN -> "running";
            case NOT_RUNNING, SHUTTING_DOWN -> "down";
        };
        change.put("up", broker, Val.of(up));
        if (up.equals("recovery") || up.equals("running")) {
            change.put("brokerEpoch", broker, Val.of((int) step.brokerEpoch()));
        }
    }

    // ---- what the cores show

    @Override
    public Values observed(Values state, PartitionCores cores) {
        Change change = new Change(state);
        Map<String, Val> derived = new TreeMap<>();
        for (String broker : Brokers.all(state)) {
            if (!state.get("up", broker).text().equals("down")) {
                lives(change, broker, cores.broker(state, broker, List.of()));
            }
            if (Brokers.alive(state, broker)) {
                ReplicaStep standing = cores.standing(state, broker);
                replicas.observe(change, broker, standing);
                String wrong = replicas.derived(state, broker, standing.after());
                if (wrong != null) {
                    derived.put(broker, Val.of(wrong));
                }
            }
        }
        controller.observe(change, cores.controllerStands(state, constants.unclean()));
        Values shown = change.done();
        return derived.isEmpty() ? shown : shown.with(Map.of("derived", Val.function(derived)));
    }
}
