package io.tidemark.conformance;

import io.tidemark.conformance.quorum.QuorumStart;
import io.tidemark.conformance.states.State;
import io.tidemark.core.Guards;
import io.tidemark.core.Requires;
import io.tidemark.core.Step;
import io.tidemark.core.quorum.QuorumCore;
import io.tidemark.core.quorum.QuorumEffect;
import io.tidemark.core.quorum.QuorumInput;
import java.util.function.UnaryOperator;

/** Mutants: replicas of the quorum whose messages wait for something else than the code lets them wait for. */
record HastyCores(QuorumStart.Cores real, UnaryOperator<QuorumEffect> changed) implements QuorumStart.Cores {
    static UnaryOperator<QuorumStart.Cores> requests(UnaryOperator<Requires> waits) {
        return real -> new HastyCores(
                real,
                effect -> effect instanceof QuorumEffect.Send send
                        ? new QuorumEffect.Send(send.to(), send.request(), waits.apply(send.requires()))
                        : effect);
    }

    static UnaryOperator<QuorumStart.Cores> fetchAnswers(UnaryOperator<Requires> waits) {
        return real -> new HastyCores(
                real,
                effect -> effect instanceof QuorumEffect.ReplyFetch reply
                        ? new QuorumEffect.ReplyFetch(
                                reply.token(),
                                reply.request(),
                                reply.response(),
                                reply.upTo(),
                                reply.news(),
                                waits.apply(reply.requires()))
                        : effect);
    }

    @Override
    public QuorumCore of(State state, String node) {
        return real.of(state, node);
    }

    @Override
    public Guards guards() {
        return real.guards();
    }

    @Override
    public QuorumStart.Stepped step(State state, String node, QuorumInput input) {
        QuorumStart.Stepped stepped = real.step(state, node, input);
        Step<QuorumEffect> step = stepped.step();
        return new QuorumStart.Stepped(
                new Step<>(step.action(), step.effects().stream().map(changed).toList()), stepped.core());
    }

    @Override
    public QuorumCore restarted(State state, String node) {
        return real.restarted(state, node);
    }

    @Override
    public void gone(String node) {
        real.gone(node);
    }
}
