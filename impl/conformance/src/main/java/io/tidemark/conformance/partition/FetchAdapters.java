package io.tidemark.conformance.partition;

import io.tidemark.conformance.states.Call;
import io.tidemark.conformance.states.State;
import io.tidemark.conformance.states.Val;
import io.tidemark.conformance.world.Adapter;
import io.tidemark.conformance.world.Trial;
import io.tidemark.core.ErrorCode;
import io.tidemark.core.SpecAction;
import io.tidemark.core.log.BatchHeader;
import io.tidemark.core.log.OffsetAndEpoch;
import io.tidemark.core.log.RecordBytes;
import io.tidemark.core.partition.FetchAnswer;
import io.tidemark.core.partition.FetchAsked;
import io.tidemark.core.partition.PartitionEffect;
import io.tidemark.core.partition.PartitionInput;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Fetches between replicas, in time and late. */
final class FetchAdapters {
    private final Replicas replicas;

    private FetchAdapters(Replicas replicas) {
        this.replicas = replicas;
    }

    static List<Adapter> all(Replicas replicas) {
        FetchAdapters own = new FetchAdapters(replicas);
        return List.of(
                own.new HandleFetch(), own.new LateFetch(), own.new HandleFetchResponse(), own.new LateFetchResponse());
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

    private final class HandleFetch extends Adapter {
        HandleFetch() {
            super(SpecAction.HandleFetch);
        }

        @Override
        public @Nullable Trial trial(State state, Call instance) {
            String leader = instance.arg("l").text();
            String follower = instance.arg("f").text();
            ReplicaVariables sender = new ReplicaVariables(state, follower);
            if (!Brokers.alive(state, follower)
                    || !sender.follows()
                    || sender.leads()
                    || !sender.part().at("leader").text().equals(leader)
                    || !state.get("fetchResp", follower).isNil()
                    || (replicas.settings().flushes()
                            && state.get("flushed", follower).integer()
                                    < sender.log().size())) {
                return null;
            }
            ReplicaTrial trial = replicas.acting(state, leader);
            if (trial == null) {
                return null;
            }
            FetchAsked asked =
                    (FetchAsked) Objects.requireNonNull(sender.specified().get("asked"));
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
            return told(
                    answer.at("error").text(),
                    diverging.isNil() ? null : end(diverging),
                    answer.at("upTo").integer(),
                    answer.at("hw").integer(),
                    answer.at("logStart").integer());
        }

        private @Nullable Object sent(PartitionEffect effect) {
            if (!(effect instanceof PartitionEffect.ReplyFetch reply)) {
                return null;
            }
            FetchAnswer answer = reply.answer();
            boolean refused = answer.error() != ErrorCode.NONE && answer.error() != ErrorCode.OFFSET_OUT_OF_RANGE;
            return refused
                    ? "refused"
                    : told(answer.error().name(), answer.diverging(), answer.upTo(), answer.hw(), answer.logStart());
        }

        private static String told(
                String error, @Nullable OffsetAndEpoch diverging, long upTo, long hw, long logStart) {
            boolean fits = diverging == null && error.equals("NONE");
            return error + " diverging "
                    + (diverging == null ? "-" : diverging.epoch() + " at " + diverging.offset())
                    + (fits ? " up to " + upTo : "")
                    + " hw " + hw + " from " + logStart;
        }
    }

    private static OffsetAndEpoch end(Val diverging) {
        return new OffsetAndEpoch(
                diverging.at("offset").integer(), diverging.at("epoch").integer());
    }

    /** Of the environment's DeliverGhost: a fetch of which nobody awaits the answer. */
    private final class LateFetch extends Adapter {
        LateFetch() {
            super(SpecAction.HandleFetch, "DeliverGhost");
        }

        @Override
        public @Nullable Trial trial(State state, Call instance) {
            Val request = Replicas.ghost(state, "fetch");
            if (request == null) {
                return null;
            }
            ReplicaTrial trial = replicas.acting(state, request.at("to").text());
            return trial == null ? null : trial.input(fetch(request));
        }
    }

    private @Nullable Trial answered(State state, String follower, Val answer) {
        ReplicaTrial trial = replicas.acting(state, follower);
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
        for (Val record : records(state, answer)) {
            batches.add(ReplicaTrial.batch(record.at("id").integer())
                    .assigned(
                            asked.offset() + batches.size(), record.at("epoch").integer()));
        }
        Val diverging = answer.at("diverging");
        return trial.input(new PartitionInput.HandleFetchResponse(
                asked,
                ErrorCode.valueOf(answer.at("error").text()),
                diverging.isNil() ? null : end(diverging),
                batches,
                RecordBytes.EMPTY,
                answer.at("hw").integer(),
                answer.at("logStart").integer()));
    }

    /** With LateReads the bytes are those that the leader's log holds when they leave. */
    private List<Val> records(State state, Val answer) {
        if (!replicas.settings().lateReads()) {
            return answer.at("records").list();
        }
        Val request = answer.at("asked");
        List<Val> log = state.get("log", request.at("to").text()).list();
        int from = request.at("offset").integer();
        int to = Math.min(answer.at("upTo").integer(), log.size());
        return from < to ? log.subList(from, to) : List.of();
    }

    private final class HandleFetchResponse extends Adapter {
        HandleFetchResponse() {
            super(SpecAction.HandleFetchResponse);
        }

        @Override
        public @Nullable Trial trial(State state, Call instance) {
            String follower = instance.arg("f").text();
            Val answer = state.get("fetchResp", follower);
            return answer.isNil() ? stale(state, follower) : answered(state, follower, answer);
        }

        /** No answer is on its way: one to a fetch of an earlier leader epoch comes all the same. */
        private @Nullable Trial stale(State state, String follower) {
            ReplicaTrial trial = replicas.acting(state, follower);
            FetchAsked live = trial == null ? null : trial.view().asked();
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
    private final class LateFetchResponse extends Adapter {
        LateFetchResponse() {
            super(SpecAction.HandleFetchResponse, "DeliverGhost");
        }

        @Override
        public @Nullable Trial trial(State state, Call instance) {
            Val answer = Replicas.ghost(state, "fetchAnswer");
            return answer == null ? null : answered(state, answer.at("to").text(), answer);
        }
    }
}
