package io.tidemark.conformance;

import io.tidemark.conformance.states.SpecModel;
import io.tidemark.conformance.states.SpecState;
import io.tidemark.conformance.states.Val;
import io.tidemark.core.Guards;
import io.tidemark.core.SpecAction;
import io.tidemark.core.controller.ControllerInput;
import io.tidemark.core.controller.ControllerRequest;
import io.tidemark.core.metadata.LeaderRecovery;
import io.tidemark.core.metadata.MetadataRecord;
import io.tidemark.core.partition.AlterPartitionAsked;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The actions of module Controller that the active controller takes. */
final class ControllerAdapters {
    private final boolean elr;
    private final boolean unclean;
    private final boolean timer;
    private final Guards guards;

    /**
     * @param elr the model's ElrEnabled
     * @param unclean whether its UncleanElection is TRUE
     * @param timer whether it lets the timer make unclean elections
     */
    ControllerAdapters(boolean elr, boolean unclean, boolean timer, Guards guards) {
        this.elr = elr;
        this.unclean = unclean;
        this.timer = timer;
        this.guards = guards;
    }

    /** The input that an instance stands for; null where the world offers none, or a bound of the model forbids it. */
    @FunctionalInterface
    private interface Inputs {
        @Nullable
        ControllerInput of(SpecState state, SpecModel.Instance instance);
    }

    List<Adapter> all() {
        return List.of(
                new Simple(SpecAction.HandleBrokerRegistration, this::registration),
                new Simple(SpecAction.HandleBrokerHeartbeat, this::heartbeat),
                new Simple(SpecAction.BrokerSessionTimeout, this::sessionTimeout),
                new HandleAlterPartition(),
                new LateAlterPartition(),
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
                                ControllerTrial.BASE + state.get("metaLog").size() + 1)));
    }

    private static boolean has(SpecState state, String budget) {
        return state.get("budget", budget).integer() > 0;
    }

    private static Val reg(SpecState state, String broker) {
        Val metaLog = state.get("metaLog");
        return metaLog.at(metaLog.size()).at("reg").at(broker);
    }

    private @Nullable ControllerInput registration(SpecState state, SpecModel.Instance instance) {
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
                        ControllerTrial.CLUSTER,
                        ControllerTrial.incarnation(id, life),
                        ControllerTrial.endpoints(id),
                        ControllerTrial.FEATURES,
                        null,
                        List.of(ControllerTrial.directory(id)),
                        clean.isNil() ? -1 : ControllerTrial.BASE + clean.integer()),
                ControllerTrial.TOKEN);
    }

    private @Nullable ControllerInput heartbeat(SpecState state, SpecModel.Instance instance) {
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
                        ControllerTrial.BASE + state.get("brokerEpoch", broker).integer(),
                        ControllerTrial.offset(state.get("applied", broker).integer()),
                        false,
                        stops),
                ControllerTrial.TOKEN);
    }

    private @Nullable ControllerInput sessionTimeout(SpecState state, SpecModel.Instance instance) {
        String broker = instance.arg("b").text();
        boolean lives = Brokers.alive(state, broker)
                && state.get("brokerEpoch", broker).equals(reg(state, broker).at("epoch"));
        return lives && !has(state, "fences") ? null : new ControllerInput.BrokerSessionTimeout(Brokers.id(broker));
    }

    private @Nullable ControllerInput elect(SpecState state, SpecModel.Instance instance) {
        return has(state, "elections")
                ? new ControllerInput.HandleElectLeaders(
                        new ControllerRequest.ElectLeaders(
                                instance.arg("mode").text().equals("UNCLEAN"),
                                List.of(new ControllerRequest.TopicAndPartition(ControllerTrial.TOPIC, 0))),
                        ControllerTrial.TOKEN)
                : null;
    }

    private @Nullable ControllerInput minIsr(SpecState state, SpecModel.Instance instance) {
        Val metaLog = state.get("metaLog");
        int n = instance.arg("n").integer();
        if (!has(state, "minIsrChanges")
                || metaLog.at(metaLog.size()).at("minIsr").integer() == n) {
            return null;
        }
        return new ControllerInput.HandleAlterMinIsr(
                new ControllerRequest.AlterConfigs(
                        List.of(new ControllerRequest.ConfigChange(
                                MetadataRecord.Config.TOPIC,
                                ControllerTrial.TOPIC,
                                List.of(new ControllerRequest.ConfigOp(
                                        "min.insync.replicas", ControllerRequest.ConfigOp.Op.SET, String.valueOf(n))))),
                        false),
                ControllerTrial.TOKEN);
    }

    private class Simple implements Adapter {
        private final SpecAction action;
        private final Inputs inputs;

        Simple(SpecAction action, Inputs inputs) {
            this.action = action;
            this.inputs = inputs;
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
            ControllerInput input = inputs.of(state, instance);
            boolean allowed = action == SpecAction.UncleanElectionTimeout ? timer : unclean;
            return input == null ? null : new ControllerTrial(state, elr, allowed, guards).input(input);
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
                    member.brokerId(), member.brokerEpoch() < 0 ? -1 : ControllerTrial.BASE + member.brokerEpoch()));
        }
        return new ControllerInput.HandleAlterPartition(
                new ControllerRequest.AlterPartition(
                        Brokers.id(from),
                        ControllerTrial.BASE + brokerEpoch,
                        List.of(new ControllerRequest.AlterPartition.PartitionItem(
                                ControllerTrial.PARTITION.topicId(),
                                0,
                                new AlterPartitionAsked(leaderEpoch, partitionEpoch, at, LeaderRecovery.RECOVERED)))),
                ControllerTrial.TOKEN);
    }

    private final class HandleAlterPartition extends Simple {
        HandleAlterPartition() {
            super(SpecAction.HandleAlterPartition, (state, instance) -> {
                String leader = instance.arg("l").text();
                ReplicaVariables sender = new ReplicaVariables(state, leader);
                List<AlterPartitionAsked.Member> members = sender.pending();
                return members == null || !state.get("apResp", leader).isNil()
                        ? null
                        : alter(
                                leader,
                                state.get("brokerEpoch", leader).integer(),
                                sender.part().at("leaderEpoch").integer(),
                                sender.partitionEpoch(),
                                members);
            });
        }

        @Override
        public @Nullable Trial trial(SpecState state, SpecModel.Instance instance) {
            Trial trial = super.trial(state, instance);
            return trial instanceof ControllerTrial asked
                    ? asked.answers(instance.arg("l").text())
                    : null;
        }
    }

    /** Of the environment's DeliverGhost: an AlterPartition whose sender no longer waits. */
    private final class LateAlterPartition extends Simple {
        LateAlterPartition() {
            super(SpecAction.HandleAlterPartition, (state, instance) -> {
                List<Val> ghosts = state.get("ghosts").list();
                if (ghosts.isEmpty() || !ghosts.get(0).at("type").text().equals("alterPartition")) {
                    return null;
                }
                Val ghost = ghosts.get(0);
                return alter(
                        ghost.at("from").text(),
                        ghost.at("brokerEpoch").integer(),
                        ghost.at("leaderEpoch").integer(),
                        ghost.at("partitionEpoch").integer(),
                        ReplicaVariables.members(state, ghost.at("isr"), ghost.at("epochs")));
            });
        }

        @Override
        public String instance() {
            return "DeliverGhost";
        }
    }
}
