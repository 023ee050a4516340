package io.tidemark.conformance.partition;

import io.tidemark.conformance.states.Call;
import io.tidemark.conformance.states.State;
import io.tidemark.conformance.states.Val;
import io.tidemark.conformance.world.Adapter;
import io.tidemark.conformance.world.Trial;
import io.tidemark.core.Guards;
import io.tidemark.core.SpecAction;
import io.tidemark.core.controller.ControllerInput;
import io.tidemark.core.controller.ControllerRequest;
import io.tidemark.core.metadata.LeaderRecovery;
import io.tidemark.core.metadata.MetadataRecord;
import io.tidemark.core.metadata.TopicConfigs;
import io.tidemark.core.partition.AlterPartitionAsked;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The actions of module Controller that the active controller takes. */
public final class ControllerAdapters {
    private final boolean elr;
    private final boolean unclean;
    private final boolean timer;
    private final Guards guards;

    /**
     * @param elr the model's ElrEnabled
     * @param unclean whether its UncleanElection is TRUE
     * @param timer whether it lets the timer make unclean elections
     */
    private ControllerAdapters(boolean elr, boolean unclean, boolean timer, Guards guards) {
        this.elr = elr;
        this.unclean = unclean;
        this.timer = timer;
        this.guards = guards;
    }

    /**
     * The adapters of the controller's actions.
     *
     * @param elr ElrEnabled
     * @param unclean whether an unclean leader may be elected
     * @param timer whether a timer elects one
     */
    public static List<Adapter> all(boolean elr, boolean unclean, boolean timer, Guards guards) {
        return new ControllerAdapters(elr, unclean, timer, guards).own();
    }

    /** The input that an instance stands for; null where the world offers none, or a bound of the model forbids it. */
    @FunctionalInterface
    private interface Inputs {
        @Nullable
        ControllerInput of(State state, Call instance);
    }

    private List<Adapter> own() {
        return List.of(
                new Simple(SpecAction.HandleBrokerRegistration, this::registration),
                new Simple(SpecAction.HandleBrokerHeartbeat, this::heartbeat),
                new Simple(SpecAction.BrokerSessionTimeout, this::sessionTimeout),
                new HandleAlterPartition(),
                new Simple(SpecAction.HandleAlterPartition, "DeliverGhost", ControllerAdapters::late),
                new Simple(SpecAction.HandleElectLeaders, this::elect),
                new Simple(
                        SpecAction.PreferredLeaderTimeout,
                        (state, instance) ->
                                has(state, "elections") ? new ControllerInput.PreferredLeaderTimeout() : null),
                new Simple(
                        SpecAction.UncleanElectionTimeout,
                        (state, instance) -> new ControllerInput.UncleanElectionTimeout()),
                new Simple(SpecAction.HandleAlterMinIsr, this::minIsr),
                new Simple(
                        SpecAction.CommitMetadata,
                        (state, instance) -> new ControllerInput.CommitMetadata(
                                ControllerNames.BASE + state.get("metaLog").size() + 1)));
    }

    private static boolean has(State state, String budget) {
        return Replicas.budget(state, budget) > 0;
    }

    private static Val reg(State state, String broker) {
        Val metaLog = state.get("metaLog");
        return metaLog.at(metaLog.size()).at("reg").at(broker);
    }

    private @Nullable ControllerInput registration(State state, Call instance) {
        String broker = instance.arg("b").text();
        int life = state.get("incarnation", broker).integer();
        // One that is registered already reads its answer from the log in the specification.
        if (!state.get("up", broker).text().equals("starting")
                || reg(state, broker).at("incarnation").integer() == life) {
            return null;
        }
        int id = Brokers.id(broker);
        Val clean = state.get("brokerEpoch", broker);
        return new ControllerInput.HandleBrokerRegistration(
                new ControllerRequest.RegisterBroker(
                        id,
                        ControllerNames.CLUSTER,
                        ControllerNames.incarnation(id, life),
                        ControllerNames.endpoints(id),
                        ControllerNames.FEATURES,
                        null,
                        List.of(ControllerNames.directory(id)),
                        clean.isNil() ? -1 : ControllerNames.BASE + clean.integer()),
                ControllerNames.TOKEN);
    }

    private @Nullable ControllerInput heartbeat(State state, Call instance) {
        String broker = instance.arg("b").text();
        boolean stops = instance.arg("want").text().equals("shutdown");
        Val reg = reg(state, broker);
        boolean leaving = reg.at("shuttingDown").bool();
        // Who shuts down goes on shutting down, whatever it wants.
        if (!Brokers.alive(state, broker) || (leaving && !stops) || (stops && !leaving && !has(state, "shutdowns"))) {
            return null;
        }
        return new ControllerInput.HandleBrokerHeartbeat(
                new ControllerRequest.BrokerHeartbeat(
                        Brokers.id(broker),
                        ControllerNames.BASE + state.get("brokerEpoch", broker).integer(),
                        ControllerNames.offset(state.get("applied", broker).integer()),
                        false,
                        stops),
                ControllerNames.TOKEN);
    }

    private @Nullable ControllerInput sessionTimeout(State state, Call instance) {
        String broker = instance.arg("b").text();
        boolean lives = Brokers.alive(state, broker)
                && state.get("brokerEpoch", broker).equals(reg(state, broker).at("epoch"));
        return lives && !has(state, "fences") ? null : new ControllerInput.BrokerSessionTimeout(Brokers.id(broker));
    }

    private @Nullable ControllerInput elect(State state, Call instance) {
        return has(state, "elections")
                ? new ControllerInput.HandleElectLeaders(
                        new ControllerRequest.ElectLeaders(
                                instance.arg("mode").text().equals("UNCLEAN"),
                                List.of(new ControllerRequest.TopicAndPartition(ControllerNames.TOPIC, 0))),
                        ControllerNames.TOKEN)
                : null;
    }

    private @Nullable ControllerInput minIsr(State state, Call instance) {
        Val metaLog = state.get("metaLog");
        int n = instance.arg("n").integer();
        boolean changes = metaLog.at(metaLog.size()).at("minIsr").integer() != n;
        if (changes && !has(state, "minIsrChanges")) {
            return null;
        }
        return new ControllerInput.HandleAlterMinIsr(
                new ControllerRequest.AlterConfigs(
                        List.of(new ControllerRequest.ConfigChange(
                                MetadataRecord.Config.TOPIC,
                                ControllerNames.TOPIC,
                                List.of(new ControllerRequest.ConfigOp(
                                        TopicConfigs.MIN_INSYNC_REPLICAS,
                                        ControllerRequest.ConfigOp.Op.SET,
                                        String.valueOf(n))))),
                        false),
                ControllerNames.TOKEN);
    }

    private class Simple extends Adapter {
        private final Inputs inputs;

        Simple(SpecAction action, Inputs inputs) {
            this(action, action.name(), inputs);
        }

        Simple(SpecAction action, String instance, Inputs inputs) {
            super(action, instance);
            this.inputs = inputs;
        }

        @Override
        public @Nullable Trial trial(State state, Call instance) {
            ControllerInput input = inputs.of(state, instance);
            return input == null ? null : started(state).input(input);
        }

        final ControllerTrial started(State state) {
            boolean allowed = action() == SpecAction.UncleanElectionTimeout ? timer : unclean;
            return new ControllerTrial(state, elr, allowed, guards);
        }
    }

    private static ControllerInput alter(
            String from,
            int brokerEpoch,
            int leaderEpoch,
            int partitionEpoch,
            List<AlterPartitionAsked.Member> members) {
        List<AlterPartitionAsked.Member> at = new ArrayList<>();
        for (AlterPartitionAsked.Member member : members) {
            at.add(new AlterPartitionAsked.Member(
                    member.brokerId(), member.brokerEpoch() < 0 ? -1 : ControllerNames.BASE + member.brokerEpoch()));
        }
        return new ControllerInput.HandleAlterPartition(
                new ControllerRequest.AlterPartition(
                        Brokers.id(from),
                        ControllerNames.BASE + brokerEpoch,
                        List.of(new ControllerRequest.AlterPartition.PartitionItem(
                                ControllerNames.PARTITION.topicId(),
                                0,
                                new AlterPartitionAsked(leaderEpoch, partitionEpoch, at, LeaderRecovery.RECOVERED)))),
                ControllerNames.TOKEN);
    }

    private final class HandleAlterPartition extends Simple {
        HandleAlterPartition() {
            super(SpecAction.HandleAlterPartition, ControllerAdapters::stale);
        }

        @Override
        public @Nullable Trial trial(State state, Call instance) {
            String leader = instance.arg("l").text();
            if (!state.get("apResp", leader).isNil()) {
                return null;
            }
            ReplicaVariables sender = new ReplicaVariables(state, leader);
            List<AlterPartitionAsked.Member> members = sender.pending();
            return members == null
                    ? super.trial(state, instance)
                    : started(state)
                            .input(alter(
                                    leader,
                                    state.get("brokerEpoch", leader).integer(),
                                    sender.part().at("leaderEpoch").integer(),
                                    sender.partitionEpoch(),
                                    members))
                            .answers(leader);
        }
    }

    /** No change is under way: one that was decided on an earlier partition epoch comes all the same. */
    private static @Nullable ControllerInput stale(State state, Call instance) {
        String broker = instance.arg("l").text();
        ReplicaVariables sender = new ReplicaVariables(state, broker);
        if (!Brokers.alive(state, broker) || sender.applied == 0) {
            return null;
        }
        List<AlterPartitionAsked.Member> alone = List.of(new AlterPartitionAsked.Member(Brokers.id(broker), -1));
        return alter(
                broker,
                state.get("brokerEpoch", broker).integer(),
                sender.part().at("leaderEpoch").integer(),
                sender.partitionEpoch() - 1,
                alone);
    }

    /** Of the environment's DeliverGhost: an AlterPartition whose sender no longer waits; null if there is none. */
    private static @Nullable ControllerInput late(State state, Call instance) {
        Val ghost = Replicas.ghost(state, "alterPartition");
        return ghost == null
                ? null
                : alter(
                        ghost.at("from").text(),
                        ghost.at("brokerEpoch").integer(),
                        ghost.at("leaderEpoch").integer(),
                        ghost.at("partitionEpoch").integer(),
                        ReplicaVariables.members(state, ghost.at("isr"), ghost.at("epochs")));
    }
}
