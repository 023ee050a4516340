package io.tidemark.conformance;

import io.tidemark.conformance.states.SpecModel;
import io.tidemark.conformance.states.SpecState;
import io.tidemark.conformance.states.Val;
import io.tidemark.conformance.states.Walk;
import io.tidemark.core.ErrorCode;
import io.tidemark.core.Guards;
import io.tidemark.core.SpecAction;
import io.tidemark.core.log.BatchHeader;
import io.tidemark.core.log.OffsetAndEpoch;
import io.tidemark.core.log.RecordBytes;
import io.tidemark.core.metadata.LeaderRecovery;
import io.tidemark.core.partition.AlterPartitionAnswer;
import io.tidemark.core.partition.AlterPartitionAsked;
import io.tidemark.core.partition.FetchAnswer;
import io.tidemark.core.partition.FetchAsked;
import io.tidemark.core.partition.IsrState;
import io.tidemark.core.partition.PartitionEffect;
import io.tidemark.core.partition.PartitionInput;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The actions of module Partition. */
final class PartitionAdapters {
    private final boolean flushes;
    private final boolean background;
    private final int totalRecords;
    private final Guards guards;

    /**
     * @param flushes the model's FlushEveryMessage
     * @param background its BackgroundFlush
     * @param records those at first and those that producers may send
     */
    PartitionAdapters(boolean flushes, boolean background, int records, Guards guards) {
        this.flushes = flushes;
        this.background = background;
        this.totalRecords = records;
        this.guards = guards;
    }

    List<Adapter> all() {
        return List.of(
                new HandleProduce(),
                new PersistLog(),
                new HandleFetch(),
                new LateFetch(),
                new HandleFetchResponse(),
                new LateFetchResponse(),
                new ProposeExpandIsr(),
                new ReplicaLagTimeout(),
                new HandleAlterPartitionResponse(),
                new Apply(SpecAction.ApplyPartitionChange, "partition"),
                new Apply(SpecAction.ApplyBrokerChange, "broker"),
                new Apply(SpecAction.ApplyMinIsrChange, "minIsr"),
                new ConsumerRead());
    }

    /** A replica that acts on metadata, started in the state; null where there is none. */
    private @Nullable ReplicaTrial replica(SpecState state, String broker) {
        return acts(state, broker) ? new ReplicaTrial(state, broker, flushes, guards) : null;
    }

    private static boolean acts(SpecState state, String broker) {
        return Brokers.alive(state, broker) && state.get("applied", broker).integer() > 0;
    }

    private static int budget(SpecState state, String kind) {
        return state.get("budget", kind).integer();
    }

    private abstract static class Named implements Adapter {
        private final SpecAction action;
        private final String instance;

        Named(SpecAction action) {
            this(action, action.name());
        }

        Named(SpecAction action, String instance) {
            this.action = action;
            this.instance = instance;
        }

        @Override
        public SpecAction action() {
            return action;
        }

        @Override
        public String instance() {
            return instance;
        }
    }

    private final class HandleProduce extends Named {
        HandleProduce() {
            super(SpecAction.HandleProduce);
        }

        @Override
        public @Nullable Trial trial(SpecState state, SpecModel.Instance instance) {
            String leader = instance.arg("l").text();
            int id = instance.arg("id").integer();
            boolean known = knows(state, leader, id);
            boolean next = state.get("log").toString().contains("id=" + id + "}");
            if (known
                    ? budget(state, "duplicates") == 0
                    : next || budget(state, "records") == 0 || !isNext(state, id)) {
                return null;
            }
            ReplicaTrial trial = replica(state, leader);
            short acks = switch (instance.arg("acks").text()) {
                case "all" -> -1;
                case "1" -> 1;
                default -> 0;
            };
            return trial == null
                    ? null
                    : trial.input(new PartitionInput.HandleProduce(
                            acks, ReplicaTrial.batch(id), RecordBytes.EMPTY, ReplicaTrial.ASKED));
        }

        private boolean knows(SpecState state, String leader, int id) {
            List<Val> log = state.get("log", leader).list();
            int start = state.get("logStart", leader).integer();
            return log.subList(start, log.size()).stream()
                    .anyMatch(record -> record.at("id").integer() == id);
        }

        /** A record that no producer has sent yet: they are sent in order. */
        private boolean isNext(SpecState state, int id) {
            return id == totalRecords - budget(state, "records") + 1;
        }
    }

    private final class PersistLog extends Named {
        PersistLog() {
            super(SpecAction.PersistLog);
        }

        @Override
        public @Nullable Trial trial(SpecState state, SpecModel.Instance instance) {
            ReplicaTrial trial =
                    flushes || background ? replica(state, instance.arg("b").text()) : null;
            return trial == null
                    ? null
                    : trial.input(
                            new PartitionInput.PersistLog(trial.core().view().logEnd()));
        }
    }

    private static PartitionInput.HandleFetch fetch(Val request) {
        return new PartitionInput.HandleFetch(
                Brokers.id(request.at("from").text()),
                request.at("brokerEpoch").integer(),
                request.at("leaderEpoch").integer(),
                request.at("offset").integer(),
                request.at("lastEpoch").integer(),
                ReplicaTrial.ASKED);
    }

    private final class HandleFetch extends Named {
        HandleFetch() {
            super(SpecAction.HandleFetch);
        }

        @Override
        public @Nullable Trial trial(SpecState state, SpecModel.Instance instance) {
            String leader = instance.arg("l").text();
            String follower = instance.arg("f").text();
            ReplicaVariables sender = new ReplicaVariables(state, follower);
            if (!Brokers.alive(state, follower)
                    || !sender.follows()
                    || sender.leads()
                    || !sender.part().at("leader").text().equals(leader)
                    || !state.get("fetchResp", follower).isNil()
                    || (flushes
                            && state.get("flushed", follower).integer()
                                    < sender.log().size())) {
                return null;
            }
            ReplicaTrial trial = replica(state, leader);
            if (trial == null) {
                return null;
            }
            FetchAsked asked = (FetchAsked) sender.specified().get("asked");
            return trial.input(new PartitionInput.HandleFetch(
                            Brokers.id(follower),
                            state.get("brokerEpoch", follower).integer(),
                            asked.leaderEpoch(),
                            asked.offset(),
                            asked.lastFetchedEpoch(),
                            ReplicaTrial.ASKED))
                    .message("answer", next -> specified(next.get("fetchResp", follower)), this::sent);
        }

        private Object specified(Val answer) {
            if (answer.isNil()) {
                return "refused";
            }
            Val diverging = answer.at("diverging");
            boolean fits = diverging.isNil() && answer.at("error").text().equals("NONE");
            return answer.at("error")
                    + " diverging "
                    + (diverging.isNil() ? "-" : diverging.at("epoch") + " at " + diverging.at("offset"))
                    + (fits ? " up to " + answer.at("upTo") : "")
                    + " hw " + answer.at("hw") + " from " + answer.at("logStart");
        }

        private @Nullable Object sent(PartitionEffect effect) {
            if (!(effect instanceof PartitionEffect.ReplyFetch reply)) {
                return null;
            }
            FetchAnswer answer = reply.answer();
            OffsetAndEpoch diverging = answer.diverging();
            boolean outOfRange = answer.error() == ErrorCode.OFFSET_OUT_OF_RANGE;
            if (answer.error() != ErrorCode.NONE && !outOfRange) {
                return "refused";
            }
            return answer.error()
                    + " diverging "
                    + (diverging == null ? "-" : diverging.epoch() + " at " + diverging.offset())
                    + (diverging == null && !outOfRange ? " up to " + answer.upTo() : "")
                    + " hw " + answer.hw() + " from " + answer.logStart();
        }
    }

    private static @Nullable Val ghost(SpecState state, String type) {
        List<Val> ghosts = state.get("ghosts").list();
        return ghosts.isEmpty() || !ghosts.get(0).at("type").text().equals(type) ? null : ghosts.get(0);
    }

    /** Of the environment's DeliverGhost: a fetch of which nobody awaits the answer. */
    private final class LateFetch extends Named {
        LateFetch() {
            super(SpecAction.HandleFetch, "DeliverGhost");
        }

        @Override
        public @Nullable Trial trial(SpecState state, SpecModel.Instance instance) {
            Val request = ghost(state, "fetch");
            ReplicaTrial trial =
                    request == null ? null : replica(state, request.at("to").text());
            return trial == null ? null : trial.input(fetch(java.util.Objects.requireNonNull(request)));
        }
    }

    private @Nullable Trial answered(SpecState state, String follower, Val answer) {
        ReplicaTrial trial = replica(state, follower);
        Val request = answer.at("asked");
        // An answer reaches the life that asked, or nobody: its connection is gone with the process.
        if (trial == null
                || request.at("brokerEpoch").integer()
                        != state.get("brokerEpoch", follower).integer()) {
            return null;
        }
        FetchAsked asked = new FetchAsked(
                Brokers.id(request.at("to").text()),
                request.at("leaderEpoch").integer(),
                request.at("offset").integer(),
                request.at("lastEpoch").integer(),
                state.get("logStart", follower).integer());
        List<BatchHeader> batches = new ArrayList<>();
        for (Val record : answer.at("records").list()) {
            batches.add(ReplicaTrial.batch(record.at("id").integer())
                    .assigned(
                            asked.offset() + batches.size(), record.at("epoch").integer()));
        }
        Val diverging = answer.at("diverging");
        return trial.input(new PartitionInput.HandleFetchResponse(
                asked,
                ErrorCode.valueOf(answer.at("error").text()),
                diverging.isNil()
                        ? null
                        : new OffsetAndEpoch(
                                diverging.at("offset").integer(),
                                diverging.at("epoch").integer()),
                batches,
                RecordBytes.EMPTY,
                answer.at("hw").integer(),
                answer.at("logStart").integer()));
    }

    private final class HandleFetchResponse extends Named {
        HandleFetchResponse() {
            super(SpecAction.HandleFetchResponse);
        }

        @Override
        public @Nullable Trial trial(SpecState state, SpecModel.Instance instance) {
            String follower = instance.arg("f").text();
            Val answer = state.get("fetchResp", follower);
            return answer.isNil() ? stale(state, follower) : answered(state, follower, answer);
        }

        /** No answer is on its way: one to a fetch of an earlier leader epoch comes all the same. */
        private @Nullable Trial stale(SpecState state, String follower) {
            ReplicaTrial trial = replica(state, follower);
            FetchAsked live = trial == null ? null : trial.core().view().asked();
            if (trial == null || live == null) {
                return null;
            }
            FetchAsked earlier = new FetchAsked(
                    live.leader(), live.leaderEpoch() - 1, live.offset(), live.lastFetchedEpoch(), live.logStart());
            return trial.input(new PartitionInput.HandleFetchResponse(
                    earlier, ErrorCode.NONE, null, List.of(), RecordBytes.EMPTY, live.offset(), 0));
        }
    }

    /** Of the environment's DeliverGhost: an answer to a fetch that was abandoned. */
    private final class LateFetchResponse extends Named {
        LateFetchResponse() {
            super(SpecAction.HandleFetchResponse, "DeliverGhost");
        }

        @Override
        public @Nullable Trial trial(SpecState state, SpecModel.Instance instance) {
            Val answer = ghost(state, "fetchAnswer");
            return answer == null ? null : answered(state, answer.at("to").text(), answer);
        }
    }

    private final class ProposeExpandIsr extends Named {
        ProposeExpandIsr() {
            super(SpecAction.ProposeExpandIsr);
        }

        @Override
        public @Nullable Trial trial(SpecState state, SpecModel.Instance instance) {
            String leader = instance.arg("l").text();
            String follower = instance.arg("f").text();
            Val known = state.get("follower", leader);
            if (leader.equals(follower)
                    || (!known.isNil() && known.at(follower).at("offset").integer() < 0)) {
                return null;
            }
            ReplicaTrial trial = replica(state, leader);
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

    private final class ReplicaLagTimeout extends Named {
        ReplicaLagTimeout() {
            super(SpecAction.ReplicaLagTimeout);
        }

        @Override
        public @Nullable Trial trial(SpecState state, SpecModel.Instance instance) {
            String leader = instance.arg("l").text();
            Val laggards = instance.arg("S");
            Val isrState = state.get("isrState", leader);
            if (laggards.size() == 0 || laggards.has(leader)) {
                return null;
            }
            boolean shrinks = !isrState.isNil()
                    && isrState.at("pending").isNil()
                    && laggards.list().stream().anyMatch(f -> isrState.at("isr").has(f.text()));
            ReplicaTrial trial = shrinks && budget(state, "shrinks") == 0 ? null : replica(state, leader);
            TreeSet<Integer> ids = new TreeSet<>(Brokers.ids(state, laggards));
            return trial == null ? null : trial.input(new PartitionInput.ReplicaLagTimeout(ids));
        }

        /** The specification names those alone whom it concerns; the code is told of all and leaves out who has caught up. */
        @Override
        public List<SpecState> successors(Walk.Visit visit, SpecModel.Instance instance) {
            List<SpecState> widest = List.of();
            int size = 0;
            for (var other : visit.successors().entrySet()) {
                SpecModel.Instance smaller = other.getKey();
                if (smaller.name().equals(instance())
                        && smaller.arg("l").equals(instance.arg("l"))
                        && smaller.arg("S").size() > size
                        && instance.arg("S").list().containsAll(smaller.arg("S").list())
                        && !other.getValue().isEmpty()) {
                    widest = other.getValue();
                    size = smaller.arg("S").size();
                }
            }
            return widest;
        }
    }

    private final class HandleAlterPartitionResponse extends Named {
        HandleAlterPartitionResponse() {
            super(SpecAction.HandleAlterPartitionResponse);
        }

        @Override
        public @Nullable Trial trial(SpecState state, SpecModel.Instance instance) {
            String leader = instance.arg("l").text();
            Val answer = state.get("apResp", leader);
            ReplicaTrial trial = replica(state, leader);
            if (trial == null
                    || (!answer.isNil()
                            && answer.at("offset").integer()
                                    > state.get("metaHw").integer())) {
                return null;
            }
            IsrState isrState = trial.core().view().isrState();
            AlterPartitionAsked asked = isrState == null ? null : isrState.asked();
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
        private boolean isLate(SpecState state, String leader, AlterPartitionAsked asked) {
            Val late = ghost(state, "alterPartition");
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

    /** The next committed record of a kind, or one that is applied already. */
    private final class Apply extends Named {
        private final String type;

        Apply(SpecAction action, String type) {
            super(action);
            this.type = type;
        }

        @Override
        public @Nullable Trial trial(SpecState state, SpecModel.Instance instance) {
            String broker = instance.arg("b").text();
            if (!Brokers.alive(state, broker)) {
                return null;
            }
            int applied = state.get("applied", broker).integer();
            int hw = state.get("metaHw").integer();
            if (applied == 0) {
                int last = state.get("brokerEpoch", broker).integer() - 1;
                return type.equals("partition") && last < hw
                        ? new ReplicaTrial(state, broker, flushes, guards).input(record(state, last))
                        : null;
            }
            Val metaLog = state.get("metaLog");
            boolean next =
                    applied < hw && metaLog.at(applied + 1).at("type").text().equals(type);
            int offset = next ? applied + 1 : applied - 1;
            if (offset < 1 || !metaLog.at(offset).at("type").text().equals(type)) {
                return null;
            }
            return new ReplicaTrial(state, broker, flushes, guards).input(record(state, offset));
        }

        private PartitionInput record(SpecState state, int offset) {
            Val entry = state.get("metaLog").at(offset);
            if (type.equals("partition")) {
                return new PartitionInput.ApplyPartitionChange(offset, Brokers.registration(state, entry.at("part")));
            }
            if (type.equals("minIsr")) {
                return new PartitionInput.ApplyMinIsrChange(
                        offset, entry.at("minIsr").integer());
            }
            String about = entry.at("broker").text();
            Val reg = entry.at("reg").at(about);
            return new PartitionInput.ApplyBrokerChange(
                    offset,
                    Brokers.id(about),
                    reg.at("epoch").integer(),
                    !reg.at("fenced").bool() && !reg.at("shuttingDown").bool());
        }
    }

    private final class ConsumerRead extends Named {
        ConsumerRead() {
            super(SpecAction.ConsumerRead);
        }

        @Override
        public @Nullable Trial trial(SpecState state, SpecModel.Instance instance) {
            String broker = instance.arg("b").text();
            ReplicaTrial trial = budget(state, "reads") > 0 ? replica(state, broker) : null;
            int start = state.get("logStart", broker).integer();
            return trial == null
                    ? null
                    : trial.input(new PartitionInput.ConsumerRead(-1, start, -1, ReplicaTrial.ASKED))
                            .message("reads", next -> exposed(state, next, broker, start), this::read);
        }

        /** With an earlier reader of the same records nothing is new, but all below the high watermark is read. */
        private Object exposed(SpecState state, SpecState next, String broker, int start) {
            boolean reads = budget(next, "reads") < budget(state, "reads");
            return reads ? start + " to " + state.get("hw", broker) : "nothing";
        }

        private @Nullable Object read(PartitionEffect effect) {
            if (!(effect instanceof PartitionEffect.ReplyFetch reply)) {
                return null;
            }
            FetchAnswer answer = reply.answer();
            return answer.error() == ErrorCode.NONE && answer.from() < answer.upTo()
                    ? answer.from() + " to " + answer.upTo()
                    : "nothing";
        }
    }
}
