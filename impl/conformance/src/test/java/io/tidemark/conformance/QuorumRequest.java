package io.tidemark.conformance;

import io.tidemark.conformance.states.SpecModel;
import io.tidemark.conformance.states.SpecState;
import io.tidemark.conformance.states.Val;
import io.tidemark.conformance.states.Visit;
import io.tidemark.core.Guards;
import io.tidemark.core.SpecAction;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A request between nodes of the quorum: the live one, or where there is none a late copy of an earlier.
 *
 * @param <R> what it says
 */
abstract class QuorumRequest<R> extends Adapter {
    private final String kind;
    private final String receiver;
    private final String sender;
    private final Guards guards;

    /**
     * @param kind of its late copies
     * @param receiver the action's parameter
     * @param sender the action's parameter
     */
    QuorumRequest(SpecAction action, String kind, String receiver, String sender, Guards guards) {
        super(action);
        this.kind = kind;
        this.receiver = receiver;
        this.sender = sender;
        this.guards = guards;
    }

    /** What {@code from} asks {@code to} now; null if it asks nothing. */
    abstract @Nullable R live(SpecState state, String from, String to);

    abstract R late(Val ghost);

    /** Hands it to the receiver; nobody waits for the answer to a late one. */
    abstract QuorumTrial asked(QuorumTrial trial, R request, boolean late, String from, String to);

    final QuorumTrial started(SpecState state, String node) {
        return new QuorumTrial(state, node, guards);
    }

    private @Nullable R asks(SpecState state, SpecModel.Instance instance) {
        String to = instance.arg(receiver).text();
        String from = instance.arg(sender).text();
        return from.equals(to) ? null : live(state, from, to);
    }

    private @Nullable Val ghost(SpecState state, String from, String to) {
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
    @Nullable
    Trial trial(SpecState state, SpecModel.Instance instance) {
        String to = instance.arg(receiver).text();
        String from = instance.arg(sender).text();
        if (!Nodes.up(state, to)) {
            return null;
        }
        R live = asks(state, instance);
        if (live != null) {
            return asked(started(state, to), live, false, from, to);
        }
        Val ghost = ghost(state, from, to);
        return ghost == null ? null : asked(started(state, to), late(ghost), true, from, to);
    }

    /** Of two requests, a live one and a ghost, what follows from that which is put to the code. */
    @Override
    List<SpecState> successors(Visit visit, SpecModel.Instance instance) {
        SpecState state = visit.state();
        List<SpecState> all = visit.successors(instance);
        if (all.isEmpty() || state.get("ghosts").size() == 0) {
            return all;
        }
        boolean late = asks(state, instance) == null;
        return all.stream()
                .filter(next -> late != next.get("ghosts").equals(state.get("ghosts")))
                .toList();
    }

    /** One that is repeated: the code takes it again, and nothing is new. */
    @Override
    boolean repeats() {
        return true;
    }
}
