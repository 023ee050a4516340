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
import io.tidemark.core.quorum.MetadataBatch;
import io.tidemark.core.quorum.QuorumEffect;
import io.tidemark.core.quorum.QuorumInput;
import io.tidemark.core.quorum.QuorumMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** The actions of module Quorum, for models whose voters stay the same and that make no snapshots. */
final class QuorumAdapters {
    private final Guards guards;

    QuorumAdapters(Guards guards) {
        this.guards = guards;
    }

    List<Adapter> all() {
        return List.of(
                new Alone(
                        SpecAction.ElectionTimeout,
                        "v",
                        "timeout",
                        (state, trial) -> new QuorumInput.ElectionTimeout()),
                new Alone(SpecAction.FetchTimeout, "v", "timeout", (state, trial) -> new QuorumInput.FetchTimeout()),
                new Alone(
                        SpecAction.CheckQuorumTimeout,
                        "l",
                        "resign",
                        (state, trial) -> new QuorumInput.CheckQuorumTimeout()),
                new Alone(SpecAction.Resign, "l", "resign", (state, trial) -> new QuorumInput.Resign()),
                new Alone(
                        SpecAction.AppendMetadata,
                        "l",
                        "append",
                        (state, trial) -> new QuorumInput.AppendMetadata(
                                trial.core().view().currentEpoch(),
                                trial.core().view().log().endOffset(),
                                1,
                                RecordBytes.EMPTY)),
                new Alone(
                        SpecAction.PersistMetadata,
                        "v",
                        null,
                        (state, trial) -> new QuorumInput.PersistMetadata(
                                trial.core().view().log().endOffset())),
                new HandleVoteRequest(),
                new HandleVoteResponse(),
                new News(SpecAction.HandleBeginQuorumEpoch, "Leader", "begin"),
                new News(SpecAction.HandleEndQuorumEpoch, "Resigned", "end"),
                new HandleMetadataFetch(),
                new HandleMetadataFetchResponse());
    }

    private @Nullable QuorumTrial replica(SpecState state, String node) {
        return state.get("role", node).text().equals("Down") ? null : new QuorumTrial(state, node, guards);
    }

    private static boolean has(SpecState state, String budget) {
        return state.get("budget", budget).integer() != 0;
    }

    private abstract static class Named implements Adapter {
        private final SpecAction action;

        Named(SpecAction action) {
            this.action = action;
        }

        @Override
        public SpecAction action() {
            return action;
        }

        @Override
        public String instance() {
            return action.name();
        }

        /** A round, or an announcement, that is repeated: the code takes it again, and nothing is new. */
        @Override
        public boolean repeats() {
            return true;
        }
    }

    /** An input that no other node sends. */
    private final class Alone extends Named {
        private final String parameter;
        private final @Nullable String budget;
        private final BiFunction<SpecState, QuorumTrial, QuorumInput> input;

        Alone(
                SpecAction action,
                String parameter,
                @Nullable String budget,
                BiFunction<SpecState, QuorumTrial, QuorumInput> input) {
            super(action);
            this.parameter = parameter;
            this.budget = budget;
            this.input = input;
        }

        @Override
        public @Nullable Trial trial(SpecState state, SpecModel.Instance instance) {
            QuorumTrial trial = budget == null || has(state, budget)
                    ? replica(state, instance.arg(parameter).text())
                    : null;
            return trial == null ? null : trial.input(input.apply(state, trial));
        }

        @Override
        public boolean repeats() {
            return action() == SpecAction.ElectionTimeout;
        }
    }

    /** A request: the live one, or where there is none a late copy of an earlier. */
    private abstract class Request extends Named {
        private final String kind;

        Request(SpecAction action, String kind) {
            super(action);
            this.kind = kind;
        }

        /** What {@code from} asks {@code to} now; null if it asks nothing. */
        abstract @Nullable Object live(SpecState state, String from, String to);

        abstract Object late(Val ghost);

        abstract QuorumTrial asked(QuorumTrial trial, Object request, boolean late, String from, String to);

        abstract String receiver();

        abstract String sender();

        @Nullable
        Val ghost(SpecState state, String from, String to) {
            for (Val ghost : state.get("ghosts").list()) {
                if (ghost.at("kind").text().equals(kind)
                        && ghost.at("from").text().equals(from)
                        && ghost.at("to").text().equals(to)) {
                    return ghost;
                }
            }
            return null;
        }

        @Override
        public @Nullable Trial trial(SpecState state, SpecModel.Instance instance) {
            String to = instance.arg(receiver()).text();
            String from = instance.arg(sender()).text();
            Object live = from.equals(to) ? null : live(state, from, to);
            Val ghost = ghost(state, from, to);
            if (live == null && ghost == null) {
                return null;
            }
            QuorumTrial trial = replica(state, to);
            return trial == null
                    ? null
                    : asked(
                            trial,
                            live != null ? live : late(java.util.Objects.requireNonNull(ghost)),
                            live == null,
                            from,
                            to);
        }

        /** Of two requests, a live one and a ghost, what follows from that which is put to the code. */
        @Override
        public List<SpecState> successors(Walk.Visit visit, SpecModel.Instance instance) {
            SpecState state = visit.state();
            String to = instance.arg(receiver()).text();
            String from = instance.arg(sender()).text();
            boolean late = from.equals(to) || live(state, from, to) == null;
            return visit.successors().getOrDefault(instance, List.of()).stream()
                    .filter(next -> late != next.get("ghosts").equals(state.get("ghosts")))
                    .toList();
        }
    }

    private final class HandleVoteRequest extends Request {
        HandleVoteRequest() {
            super(SpecAction.HandleVoteRequest, "vote");
        }

        @Override
        String receiver() {
            return "v";
        }

        @Override
        String sender() {
            return "c";
        }

        @Override
        @Nullable
        Object live(SpecState state, String from, String to) {
            String role = state.get("role", from).text();
            int rejects = state.get("rejects", from).size();
            boolean candidate = role.equals("Candidate");
            boolean open = (candidate || role.equals("Prospective"))
                    && !state.get("grants", from).has(to)
                    && !state.get("rejects", from).has(to)
                    && 2 * (Nodes.ALL.size() - rejects) > Nodes.ALL.size()
                    && state.get("voteResp").list().stream()
                            .noneMatch(m -> m.at("from").text().equals(to)
                                    && m.at("to").text().equals(from))
                    && (!candidate || flushed(state, from));
            return open ? new QuorumTrial(state, from, guards).liveVote(to) : null;
        }

        @Override
        Object late(Val ghost) {
            return new QuorumMessage.Vote(
                    Nodes.CLUSTER,
                    ghost.at("epoch").integer(),
                    Nodes.key(ghost.at("candidate")),
                    Nodes.key(ghost.at("voter")),
                    new OffsetAndEpoch(
                            ghost.at("offset").integer(), ghost.at("lastEpoch").integer()),
                    ghost.at("pre").bool());
        }

        @Override
        QuorumTrial asked(QuorumTrial trial, Object request, boolean late, String from, String to) {
            trial.input(new QuorumInput.HandleVoteRequest((QuorumMessage.Vote) request, QuorumTrial.TOKEN));
            return trial.message(
                    next -> {
                        Val answer = next.get("voteResp").list().stream()
                                .filter(m -> m.at("from").text().equals(to)
                                        && m.at("to").text().equals(from))
                                .findFirst()
                                .orElse(null);
                        return late || answer == null
                                ? QuorumTrial.NONE
                                : (answer.at("ok").bool() ? "ok " : "refused ") + answer.at("granted") + " in "
                                        + answer.at("epoch") + " led by " + Nodes.idOrNone(answer.at("leader"));
                    },
                    effect -> late ? QuorumTrial.NONE : sent(effect));
        }

        private @Nullable Object sent(QuorumEffect effect) {
            return effect instanceof QuorumEffect.Reply reply
                            && reply.response() instanceof QuorumMessage.VoteResult result
                    ? (result.error() == ErrorCode.NONE ? "ok " : "refused ") + result.granted() + " in "
                            + result.epoch() + " led by " + result.leaderId()
                    : null;
        }
    }

    private static boolean flushed(SpecState state, String node) {
        return state.get("flushed", node).integer() == state.get("log", node).size();
    }

    private final class HandleVoteResponse extends Named {
        HandleVoteResponse() {
            super(SpecAction.HandleVoteResponse);
        }

        @Override
        public @Nullable Trial trial(SpecState state, SpecModel.Instance instance) {
            String from = instance.arg("v").text();
            String to = instance.arg("c").text();
            Val answer = state.get("voteResp").list().stream()
                    .filter(m -> m.at("from").text().equals(from)
                            && m.at("to").text().equals(to))
                    .findFirst()
                    .orElse(null);
            QuorumTrial trial = from.equals(to) ? null : replica(state, to);
            if (trial == null) {
                return null;
            }
            QuorumMessage.Vote asked = trial.liveVote(from);
            if (answer == null) {
                // None is on its way: one to a request of an earlier epoch comes all the same.
                return trial.input(new QuorumInput.HandleVoteResponse(
                        Nodes.id(from),
                        new QuorumMessage.Vote(
                                asked.clusterId(),
                                asked.epoch() - 1,
                                asked.candidate(),
                                asked.voter(),
                                asked.lastLog(),
                                asked.preVote()),
                        new QuorumMessage.VoteResult(
                                ErrorCode.NONE, asked.epoch() - 1, -1, List.of(), true, asked.preVote())));
            }
            int leader = Nodes.idOrNone(answer.at("leader"));
            return trial.input(new QuorumInput.HandleVoteResponse(
                    Nodes.id(from),
                    asked,
                    new QuorumMessage.VoteResult(
                            answer.at("ok").bool() ? ErrorCode.NONE : ErrorCode.FENCED_LEADER_EPOCH,
                            answer.at("epoch").integer(),
                            leader,
                            Nodes.endpoints(leader),
                            answer.at("granted").bool(),
                            asked.preVote())));
        }
    }

    /** BeginQuorumEpoch, EndQuorumEpoch. */
    private final class News extends Request {
        private final String role;

        News(SpecAction action, String role, String kind) {
            super(action, kind);
            this.role = role;
        }

        @Override
        String receiver() {
            return "v";
        }

        @Override
        String sender() {
            return "l";
        }

        @Override
        @Nullable
        Object live(SpecState state, String from, String to) {
            return state.get("role", from).text().equals(role)
                    ? state.get("currentEpoch", from).integer()
                    : null;
        }

        @Override
        Object late(Val ghost) {
            return ghost.at("epoch").integer();
        }

        @Override
        QuorumTrial asked(QuorumTrial trial, Object epoch, boolean late, String from, String to) {
            int leader = Nodes.id(from);
            return trial.input(
                    role.equals("Leader")
                            ? new QuorumInput.HandleBeginQuorumEpoch(
                                    new QuorumMessage.BeginQuorumEpoch(
                                            Nodes.CLUSTER,
                                            (Integer) epoch,
                                            leader,
                                            java.util.Objects.requireNonNull(Nodes.voters()
                                                            .voters()
                                                            .get(Nodes.id(to)))
                                                    .key(),
                                            Nodes.endpoints(leader)),
                                    QuorumTrial.TOKEN)
                            : new QuorumInput.HandleEndQuorumEpoch(
                                    new QuorumMessage.EndQuorumEpoch(
                                            Nodes.CLUSTER, (Integer) epoch, leader, List.of(), Nodes.endpoints(leader)),
                                    QuorumTrial.TOKEN));
        }
    }

    private final class HandleMetadataFetch extends Request {
        HandleMetadataFetch() {
            super(SpecAction.HandleMetadataFetch, "fetch");
        }

        @Override
        String receiver() {
            return "l";
        }

        @Override
        String sender() {
            return "f";
        }

        @Override
        @Nullable
        Object live(SpecState state, String from, String to) {
            String role = state.get("role", from).text();
            boolean asks = role.equals("Unattached")
                    || (role.equals("Follower")
                            && state.get("leaderId", from).text().equals(to));
            return asks && state.get("fetchResp", from).isNil() && flushed(state, from)
                    ? new QuorumTrial(state, from, guards).liveFetch()
                    : null;
        }

        @Override
        Object late(Val ghost) {
            return new QuorumMessage.MetadataFetch(
                    Nodes.CLUSTER,
                    Nodes.key(ghost.at("key")),
                    ghost.at("epoch").integer(),
                    ghost.at("offset").integer(),
                    ghost.at("lastEpoch").integer(),
                    ghost.at("hw").integer(),
                    500);
        }

        @Override
        QuorumTrial asked(QuorumTrial trial, Object request, boolean late, String from, String to) {
            trial.input(new QuorumInput.HandleMetadataFetch((QuorumMessage.MetadataFetch) request, QuorumTrial.TOKEN));
            return trial.message(
                    next -> {
                        Val answer = next.get("fetchResp", from);
                        if (late || answer.isNil()) {
                            return QuorumTrial.NONE;
                        }
                        boolean ok = answer.at("ok").bool();
                        Val end = answer.at("end");
                        int from0 = (int) ((QuorumMessage.MetadataFetch) request).fetchOffset();
                        return (ok ? "ok" : "refused") + " in " + answer.at("epoch") + " led by "
                                + Nodes.idOrNone(answer.at("leader"))
                                + (ok
                                        ? " hw " + answer.at("hw") + " up to "
                                                + (from0 + answer.at("records").size())
                                        : "")
                                + (end.isNil() ? "" : " diverging " + end.at("epoch") + " at " + end.at("offset"));
                    },
                    effect -> late ? QuorumTrial.NONE : sent(effect));
        }

        /** What says nothing new waits, in the code as in the specification. */
        private @Nullable Object sent(QuorumEffect effect) {
            if (!(effect instanceof QuorumEffect.ReplyFetch reply)) {
                return null;
            }
            QuorumMessage.MetadataFetchResult result = reply.response();
            boolean ok = result.error() == ErrorCode.NONE;
            OffsetAndEpoch end = result.diverging();
            return (ok ? "ok" : "refused") + " in " + result.epoch() + " led by " + result.leaderId()
                    + (ok ? " hw " + result.hw() + " up to " + reply.upTo() : "")
                    + (end == null ? "" : " diverging " + end.epoch() + " at " + end.offset());
        }
    }

    private final class HandleMetadataFetchResponse extends Named {
        HandleMetadataFetchResponse() {
            super(SpecAction.HandleMetadataFetchResponse);
        }

        @Override
        public @Nullable Trial trial(SpecState state, SpecModel.Instance instance) {
            String follower = instance.arg("f").text();
            Val answer = state.get("fetchResp", follower);
            QuorumTrial trial = replica(state, follower);
            if (trial == null) {
                return null;
            }
            QuorumMessage.MetadataFetch asked = trial.liveFetch();
            if (answer.isNil()) {
                // None is on its way: one to a fetch of an earlier epoch comes all the same.
                return trial.input(new QuorumInput.HandleMetadataFetchResponse(
                        Nodes.id(Nodes.ALL.get(0)),
                        new QuorumMessage.MetadataFetch(
                                asked.clusterId(),
                                asked.replica(),
                                asked.epoch() - 1,
                                asked.fetchOffset(),
                                asked.lastFetchedEpoch(),
                                asked.hw(),
                                500),
                        trial.fetchResult(ErrorCode.NONE, 1, asked.fetchOffset() + 1, null),
                        List.of()));
            }
            int leader = Nodes.idOrNone(answer.at("leader"));
            Val end = answer.at("end");
            List<MetadataBatch> batches = new ArrayList<>();
            for (Val record : answer.at("records").list()) {
                batches.add(new MetadataBatch(
                        new BatchHeader(
                                asked.fetchOffset() + batches.size(),
                                0,
                                record.at("epoch").integer(),
                                1,
                                -1,
                                BatchHeader.NO_PRODUCER_ID,
                                BatchHeader.NO_PRODUCER_EPOCH,
                                BatchHeader.NO_SEQUENCE,
                                false,
                                !record.at("kind").text().equals("data")),
                        List.of()));
            }
            return trial.input(new QuorumInput.HandleMetadataFetchResponse(
                    Nodes.id(answer.at("from").text()),
                    asked,
                    new QuorumMessage.MetadataFetchResult(
                            answer.at("ok").bool() ? ErrorCode.NONE : ErrorCode.FENCED_LEADER_EPOCH,
                            answer.at("epoch").integer(),
                            leader,
                            Nodes.endpoints(leader),
                            answer.at("hw").integer(),
                            0,
                            end.isNil()
                                    ? null
                                    : new OffsetAndEpoch(
                                            end.at("offset").integer(),
                                            end.at("epoch").integer()),
                            null,
                            RecordBytes.EMPTY),
                    batches));
        }
    }
}
