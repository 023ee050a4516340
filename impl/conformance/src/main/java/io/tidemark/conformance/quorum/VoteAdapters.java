package io.tidemark.conformance.quorum;

import io.tidemark.conformance.states.Call;
import io.tidemark.conformance.states.State;
import io.tidemark.conformance.states.Val;
import io.tidemark.conformance.world.Adapter;
import io.tidemark.conformance.world.Trial;
import io.tidemark.core.ErrorCode;
import io.tidemark.core.Requires;
import io.tidemark.core.SpecAction;
import io.tidemark.core.log.OffsetAndEpoch;
import io.tidemark.core.quorum.QuorumEffect;
import io.tidemark.core.quorum.QuorumInput;
import io.tidemark.core.quorum.QuorumMessage.Vote;
import io.tidemark.core.quorum.QuorumMessage.VoteResult;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Votes and pre-votes. */
final class VoteAdapters {
    private VoteAdapters() {}

    static List<Adapter> all(QuorumStart.Cores cores) {
        return List.of(new HandleVoteRequest(cores), new HandleVoteResponse(cores));
    }

    /** The answer on its way; null if there is none. */
    private static @Nullable Val answer(State state, String from, String to) {
        for (Val answer : state.get("voteResp").list()) {
            if (answer.at("from").text().equals(from) && answer.at("to").text().equals(to)) {
                return answer;
            }
        }
        return null;
    }

    private static final class HandleVoteRequest extends QuorumRequest<Vote> {
        HandleVoteRequest(QuorumStart.Cores cores) {
            super(SpecAction.HandleVoteRequest, "vote", "v", "c", cores);
        }

        @Override
        public @Nullable Vote live(State state, String from, String to) {
            return answer(state, to, from) == null ? CurrentSends.vote(cores(), state, from, to) : null;
        }

        @Override
        public Vote late(Val ghost) {
            return new Vote(
                    Nodes.CLUSTER,
                    ghost.at("epoch").integer(),
                    Nodes.key(ghost.at("candidate")),
                    Nodes.key(ghost.at("voter")),
                    new OffsetAndEpoch(
                            ghost.at("offset").integer(), ghost.at("lastEpoch").integer()),
                    ghost.at("pre").bool());
        }

        @Override
        public Map<String, Val> kept(Vote vote) {
            return Map.of(
                    "epoch", Val.of(vote.epoch()),
                    "candidate", Nodes.name(vote.candidate()),
                    "voter", Nodes.name(vote.voter()),
                    "offset", Val.of((int) vote.lastLog().offset()),
                    "lastEpoch", Val.of(vote.lastLog().epoch()),
                    "pre", Val.of(vote.preVote()));
        }

        @Override
        public QuorumTrial asked(QuorumTrial trial, Vote request, boolean late, String from, String to) {
            return trial.input(new QuorumInput.HandleVoteRequest(request, QuorumTrial.TOKEN))
                    .message(
                            next -> late ? QuorumTrial.NONE : specified(next, to, from),
                            effect -> late ? QuorumTrial.NONE : sent(effect));
        }

        /** A vote is told when it is on disk; a pre-vote binds nobody. */
        private static Object specified(State next, String from, String to) {
            Val answer = answer(next, from, to);
            if (answer == null) {
                return QuorumTrial.NONE;
            }
            Val voted = next.get("votedKey", from);
            boolean durable = next.get("durable", from).at("voted").equals(voted);
            return (answer.at("ok").bool() ? "ok " : "refused ") + answer.at("granted") + " in " + answer.at("epoch")
                    + " led by " + Nodes.idOrNone(answer.at("leader"))
                    + (answer.at("granted").bool() && durable ? " once on disk" : "");
        }

        private static @Nullable Object sent(QuorumEffect effect) {
            if (!(effect instanceof QuorumEffect.Reply reply) || !(reply.response() instanceof VoteResult result)) {
                return null;
            }
            boolean durable = reply.requires().equals(Requires.QUORUM_STATE);
            return (result.error() == ErrorCode.NONE ? "ok " : "refused ") + result.granted() + " in " + result.epoch()
                    + " led by " + result.leaderId()
                    + (result.granted() && durable ? " once on disk" : "");
        }
    }

    private static final class HandleVoteResponse extends Adapter {
        private final QuorumStart.Cores cores;

        HandleVoteResponse(QuorumStart.Cores cores) {
            super(SpecAction.HandleVoteResponse);
            this.cores = cores;
        }

        @Override
        public @Nullable Trial trial(State state, Call instance) {
            String from = instance.arg("v").text();
            String to = instance.arg("c").text();
            if (from.equals(to) || !Nodes.up(state, to)) {
                return null;
            }
            QuorumTrial trial = new QuorumTrial(state, to, cores);
            Vote asked = trial.liveVote(from);
            Val answer = answer(state, from, to);
            if (answer == null) {
                // None is on its way: one to a request of an earlier epoch comes all the same.
                int epoch = asked.epoch() - 1;
                Vote earlier = new Vote(
                        asked.clusterId(), epoch, asked.candidate(), asked.voter(), asked.lastLog(), asked.preVote());
                return answered(
                        trial,
                        from,
                        earlier,
                        new VoteResult(ErrorCode.NONE, epoch, -1, List.of(), true, asked.preVote()));
            }
            int leader = Nodes.idOrNone(answer.at("leader"));
            return answered(
                    trial,
                    from,
                    asked,
                    new VoteResult(
                            answer.at("ok").bool() ? ErrorCode.NONE : ErrorCode.FENCED_LEADER_EPOCH,
                            answer.at("epoch").integer(),
                            leader,
                            Nodes.endpoints(leader),
                            answer.at("granted").bool(),
                            asked.preVote()));
        }

        private static Trial answered(QuorumTrial trial, String from, Vote asked, VoteResult result) {
            return trial.input(new QuorumInput.HandleVoteResponse(Nodes.id(from), asked, result));
        }

        @Override
        public boolean repeats() {
            return true;
        }
    }
}
