package io.tidemark.conformance.partition;

import io.tidemark.conformance.states.State;
import io.tidemark.conformance.states.Val;
import io.tidemark.core.Guards;
import io.tidemark.core.Step;
import io.tidemark.core.broker.BrokerCore;
import io.tidemark.core.broker.BrokerInput;
import io.tidemark.core.controller.ControllerCore;
import io.tidemark.core.controller.ControllerInput;
import io.tidemark.core.controller.ControllerRequest;
import io.tidemark.core.partition.PartitionCore;
import io.tidemark.core.partition.PartitionEffect;
import io.tidemark.core.partition.PartitionInput;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Each core started once, in the state in which it is asked for first, and kept until its process is gone. */
final class KeptPartitionCores implements PartitionCores {
    private static final class Replica {
        final PartitionCore core;
        final ReplicaDisk disk;

        Replica(PartitionCore core, ReplicaDisk disk) {
            this.core = core;
            this.disk = disk;
        }
    }

    private final PartitionConstants constants;
    private final Guards guards;
    private final ReplicaDisks disks;
    private final Map<String, Replica> replicas = new HashMap<>();
    private final Map<String, BrokerCore> brokers = new HashMap<>();
    private @Nullable ControllerCore controller;
    private boolean uncleanThere;

    KeptPartitionCores(PartitionConstants constants, Guards guards, ReplicaDisks disks) {
        this.constants = constants;
        this.guards = guards;
        this.disks = disks;
    }

    @Override
    public Guards guards() {
        return guards;
    }

    private Replica replica(State state, String broker) {
        return replicas.computeIfAbsent(
                broker,
                name -> new Replica(
                        ReplicaStart.of(state, name, constants.flushes(), guards),
                        disks.of(name, state.get("log", name))));
    }

    @Override
    public ReplicaStep replica(State state, String broker, PartitionInput input) {
        Replica replica = replica(state, broker);
        Step<PartitionEffect> step = replica.core.apply(input);
        replica.disk.write(step.effects());
        if (step.effects().stream().anyMatch(KeptPartitionCores::cuts)) {
            replica.core.apply(new PartitionInput.ReloadProducers(ReplicaStart.producers(
                    replica.disk.records(), (int) replica.core.view().logStart())));
        }
        if (input instanceof PartitionInput.PersistLog) {
            replica.disk.flush();
        }
        return new ReplicaStep(
                step.action(), step.effects(), replica.core.view().copy(), Val.sequence(replica.disk.records()));
    }

    private static boolean cuts(PartitionEffect effect) {
        return effect instanceof PartitionEffect.Truncate || effect instanceof PartitionEffect.TruncateFully;
    }

    @Override
    public ReplicaStep standing(State state, String broker) {
        Replica replica = replica(state, broker);
        return new ReplicaStep(null, List.of(), replica.core.view().copy(), Val.sequence(replica.disk.records()));
    }

    @Override
    public ControllerStep controller(State state, boolean unclean, ControllerInput input) {
        ControllerCore core = controllerOf(state, unclean);
        if (input instanceof ControllerInput.HandleBrokerHeartbeat) {
            hears(state, core);
        } else if (input instanceof ControllerInput.HandleBrokerRegistration asks) {
            forgets(state, core, asks.request().brokerId());
        }
        long before = core.view().metaLogEnd();
        ControllerStep step = ControllerCores.step(state, constants, unclean, core, input);
        if (core.view().metaLogEnd() != before + step.appended().size()) {
            // A record that the specification leaves out: offsets would be others from here on.
            controller = null;
        }
        return step;
    }

    /** The session of a broker that is fenced runs out; in the specification it is over when it is fenced. */
    private static void forgets(State state, ControllerCore core, int broker) {
        Val metaLog = state.get("metaLog");
        if (metaLog.at(metaLog.size()).at("reg").at("b" + broker).at("fenced").bool()) {
            core.apply(new ControllerInput.BrokerSessionTimeout(broker));
        }
    }

    /** Brokers that run tell what they have applied all the time; in the specification it is known at once. */
    private static void hears(State state, ControllerCore core) {
        Val metaLog = state.get("metaLog");
        for (String broker : Brokers.all(state)) {
            Val reg = metaLog.at(metaLog.size()).at("reg").at(broker);
            boolean present = Brokers.alive(state, broker) && reg.at("epoch").equals(state.get("brokerEpoch", broker));
            if (present && !reg.at("fenced").bool() && !reg.at("shuttingDown").bool()) {
                core.apply(new ControllerInput.HandleBrokerHeartbeat(
                        new ControllerRequest.BrokerHeartbeat(
                                Brokers.id(broker),
                                ControllerNames.BASE + reg.at("epoch").integer(),
                                ControllerNames.offset(
                                        state.get("applied", broker).integer()),
                                false,
                                false),
                        ControllerNames.TOKEN));
            }
        }
    }

    @Override
    public ControllerStep controllerStands(State state, boolean unclean) {
        return ControllerCores.standing(controllerOf(state, unclean));
    }

    /** A setting that the specification changes without an action is changed by a restart. */
    private ControllerCore controllerOf(State state, boolean unclean) {
        ControllerCore known = controller;
        if (known == null || unclean != uncleanThere) {
            known = ControllerStart.of(state, constants.elr(), unclean, guards);
            controller = known;
            uncleanThere = unclean;
        }
        return known;
    }

    @Override
    public BrokerStep broker(State state, String broker, List<BrokerInput> inputs) {
        BrokerCore core = brokers.computeIfAbsent(broker, name -> BrokerStart.of(state, name));
        inputs.forEach(core::apply);
        return new BrokerStep(core.state(), core.brokerEpoch());
    }

    @Override
    public void gone(String broker) {
        replicas.remove(broker);
        brokers.remove(broker);
    }

    @Override
    public void deposed() {
        controller = null;
    }
}
