package io.tidemark.conformance.partition;

import io.tidemark.conformance.states.Call;
import io.tidemark.conformance.states.SpecModel;
import io.tidemark.conformance.states.SpecState;
import io.tidemark.conformance.states.State;
import io.tidemark.conformance.states.Val;
import io.tidemark.conformance.states.Visit;
import io.tidemark.conformance.world.Adapter;
import io.tidemark.conformance.world.Trial;
import io.tidemark.core.ErrorCode;
import io.tidemark.core.Guard;
import io.tidemark.core.SpecAction;
import io.tidemark.core.metadata.LeaderRecovery;
import io.tidemark.core.partition.AlterPartitionAnswer;
import io.tidemark.core.partition.AlterPartitionAsked;
import io.tidemark.core.partition.PartitionInput;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** What a leader does about its ISR. */
final class IsrAdapters {
    private final Replicas replicas;

    private IsrAdapters(Replicas replicas) {
        this.replicas = replicas;
    }

    static List<Adapter> all(Replicas replicas) {
        IsrAdapters own = new IsrAdapters(replicas);
        return List.of(own.new ProposeExpandIsr(), own.new ReplicaLagTimeout(), own.new HandleAlterPartitionResponse());
    }

    private final class ProposeExpandIsr extends Adapter {
        ProposeExpandIsr() {
            super(SpecAction.ProposeExpandIsr);
        }

        @Override
        public @Nullable Trial trial(State state, Call instance) {
            String leader = instance.arg("l").text();
            String follower = instance.arg("f").text();
            Val known = state.get("follower", leader);
            if (leader.equals(follower)
                    || (!known.isNil() && known.at(follower).at("offset").integer() < 0)) {
                return null;
            }
            ReplicaTrial trial = replicas.acting(state, leader);
            return trial == null
                    ? null
                    : trial.input(new PartitionInput.ProposeExpandIsr(
                            Brokers.id(follower),
                            known.isNil()
                                    ? 1
                                    : known.at(follower).at("brokerEpoch").integer(),
                            known.isNil() ? 0 : known.at(follower).at("offset").integer()));
        }
    }

    private final class ReplicaLagTimeout extends Adapter {
        ReplicaLagTimeout() {
            super(SpecAction.ReplicaLagTimeout);
        }

        @Override
        public @Nullable Trial trial(State state, Call instance) {
            String leader = instance.arg("l").text();
            Val laggards = instance.arg("S");
            Val isrState = state.get("isrState", leader);
            if (laggards.size() == 0 || laggards.has(leader)) {
                return null;
            }
            boolean shrinks = !isrState.isNil()
                    && isrState.at("pending").isNil()
                    && laggards.list().stream().anyMatch(f -> isrState.at("isr").has(f.text()));
            ReplicaTrial trial =
                    shrinks && Replicas.budget(state, "shrinks") == 0 ? null : replicas.acting(state, leader);
            TreeSet<Integer> ids = new TreeSet<>(Brokers.ids(state, laggards));
            return trial == null ? null : trial.input(new PartitionInput.ReplicaLagTimeout(ids));
        }

        /** The specification names those alone whom it concerns; the code is told of all and leaves out who has caught up. */
        @Override
        public List<SpecState> successors(Visit visit, SpecModel.Instance instance) {
            List<SpecState> widest = List.of();
            int size = 0;
            for (SpecModel.Instance other : visit.instances(instance())) {
                Val set = other.arg("S");
                if (set.size() > size
                        && other.arg("l").equals(instance.arg("l"))
                        && instance.arg("S").list().containsAll(set.list())
                        && !visit.successors(other).isEmpty()) {
                    widest = visit.successors(other);
                    size = set.size();
                }
            }
            return widest;
        }
    }

    private final class HandleAlterPartitionResponse extends Adapter {
        HandleAlterPartitionResponse() {
            super(SpecAction.HandleAlterPartitionResponse);
        }

        @Override
        public @Nullable Trial trial(State state, Call instance) {
            String leader = instance.arg("l").text();
            Val answer = state.get("apResp", leader);
            ReplicaTrial trial = replicas.acting(state, leader);
            if (trial == null
                    || (!answer.isNil()
                            && replicas.guards().on(Guard.CONTROLLER_COMMITTED_ANSWERS)
                            && answer.at("offset").integer()
                                    > state.get("metaHw").integer())) {
                return null;
            }
            AlterPartitionAsked asked = new ReplicaVariables(state, leader).asked();
            if (answer.isNil()) {
                return stale(trial, asked);
            }
            return asked == null
                    ? null
                    : trial.input(new PartitionInput.HandleAlterPartitionResponse(
                            asked,
                            new AlterPartitionAnswer(
                                    ErrorCode.valueOf(answer.at("error").text()),
                                    Brokers.id(leader),
                                    answer.at("leaderEpoch").integer(),
                                    answer.at("partitionEpoch").integer(),
                                    Brokers.ids(state, answer.at("isr")),
                                    LeaderRecovery.RECOVERED),
                            isLate(state, leader, asked)));
        }

        /** An earlier attempt of the same change may still arrive. */
        private boolean isLate(State state, String leader, AlterPartitionAsked asked) {
            Val late = Replicas.ghost(state, "alterPartition");
            return late != null
                    && late.at("from").text().equals(leader)
                    && late.at("brokerEpoch").equals(state.get("brokerEpoch", leader))
                    && new AlterPartitionAsked(
                                    late.at("leaderEpoch").integer(),
                                    late.at("partitionEpoch").integer(),
                                    ReplicaVariables.members(state, late.at("isr"), late.at("epochs")),
                                    LeaderRecovery.RECOVERED)
                            .equals(asked);
        }
    }

    /** No answer is on its way: one to a change that is not, or no longer, under way comes all the same. */
    private static Trial stale(ReplicaTrial trial, @Nullable AlterPartitionAsked live) {
        int partitionEpoch = live == null ? 0 : live.partitionEpoch() - 1;
        return trial.input(new PartitionInput.HandleAlterPartitionResponse(
                new AlterPartitionAsked(0, partitionEpoch, List.of(), LeaderRecovery.RECOVERED),
                new AlterPartitionAnswer(
                        ErrorCode.NONE, 1, 0, partitionEpoch + 1, List.of(1), LeaderRecovery.RECOVERED),
                false));
    }
}
