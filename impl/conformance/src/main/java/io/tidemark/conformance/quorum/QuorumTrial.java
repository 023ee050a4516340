package io.tidemark.conformance.quorum;

import io.tidemark.conformance.states.State;
import io.tidemark.conformance.world.Trial;
import io.tidemark.core.ErrorCode;
import io.tidemark.core.ReplyToken;
import io.tidemark.core.Step;
import io.tidemark.core.quorum.QuorumCore;
import io.tidemark.core.quorum.QuorumEffect;
import io.tidemark.core.quorum.QuorumInput;
import io.tidemark.core.quorum.QuorumMessage.MetadataFetch;
import io.tidemark.core.quorum.QuorumMessage.Vote;
import io.tidemark.core.quorum.QuorumView;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One input to a replica of the quorum. */
final class QuorumTrial implements Trial {
    /** No answer. */
    static final String NONE = "-";

    static final ReplyToken TOKEN = new ReplyToken() {};

    private record Message(
            Function<State, @Nullable Object> specified, Function<QuorumEffect, @Nullable Object> sent) {}

    private final State state;
    private final String node;
    private final QuorumStart.Cores cores;
    private QuorumCore core;
    private @Nullable QuorumInput input;
    private @Nullable Message message;
    /** What the code answers though it tells nothing new: in the specification there is no such answer. */
    private @Nullable Object noNews;

    QuorumTrial(State state, String node, QuorumStart.Cores cores) {
        this.state = state;
        this.node = node;
        this.cores = cores;
        this.core = cores.of(state, node);
    }

    /** A node that comes up. */
    static QuorumView restarted(State state, String node, QuorumStart.Cores cores) {
        return cores.restarted(state, node).view();
    }

    /** A node that is up, as it stands. */
    static QuorumView standing(State state, String node, QuorumStart.Cores cores) {
        return cores.of(state, node).view();
    }

    /** Feeds the input. */
    Step<QuorumEffect> step() {
        QuorumStart.Stepped stepped = cores.step(state, node, Objects.requireNonNull(input));
        core = stepped.core();
        return stepped.step();
    }

    QuorumView view() {
        return core.view();
    }

    MetadataFetch liveFetch() {
        return CurrentRequests.fetch(Nodes.key(state, node), view());
    }

    Vote liveVote(String of) {
        return CurrentRequests.vote(Nodes.key(state, node), view(), of);
    }

    QuorumTrial input(QuorumInput given) {
        input = given;
        return this;
    }

    QuorumTrial message(Function<State, @Nullable Object> specified, Function<QuorumEffect, @Nullable Object> sent) {
        message = new Message(specified, sent);
        return this;
    }

    @Override
    public Map<String, Object> expectedBefore() {
        return QuorumVariables.specified(state, node);
    }

    @Override
    public Map<String, Object> before() {
        return QuorumVariables.shown(view());
    }

    @Override
    public Outcome apply() {
        Step<QuorumEffect> step = step();
        Map<String, Object> all = QuorumVariables.shown(view());
        for (QuorumEffect effect : step.effects()) {
            Object said = message == null ? null : message.sent().apply(effect);
            if (said != null) {
                all.put("answer", said);
                noNews = tellsNothing(effect) ? said : null;
            }
        }
        return new Outcome(step.action(), all);
    }

    @Override
    public Map<String, Object> expected(State next) {
        Map<String, Object> all = QuorumVariables.specified(next, node);
        Object said = message == null ? null : message.specified().apply(next);
        if (said != null) {
            all.put("answer", said.equals(NONE) && noNews != null ? noNews : said);
        }
        return all;
    }

    private static boolean tellsNothing(QuorumEffect effect) {
        return effect instanceof QuorumEffect.ReplyFetch reply
                && (reply.response().error() != ErrorCode.NONE
                        || (!reply.news() && reply.upTo() == reply.request().fetchOffset()));
    }
}
