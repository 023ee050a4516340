package io.tidemark.conformance.quorum;

import io.tidemark.conformance.states.Call;
import io.tidemark.conformance.states.SpecModel;
import io.tidemark.conformance.states.SpecState;
import io.tidemark.conformance.states.State;
import io.tidemark.conformance.states.Val;
import io.tidemark.conformance.states.Visit;
import io.tidemark.conformance.world.Adapter;
import io.tidemark.conformance.world.Trial;
import io.tidemark.core.SpecAction;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
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
    private final QuorumStart.Cores cores;

    /**
     * @param kind of its late copies
     * @param receiver the action's parameter
     * @param sender the action's parameter
     */
    QuorumRequest(SpecAction action, String kind, String receiver, String sender, QuorumStart.Cores cores) {
        super(action);
        this.kind = kind;
        this.receiver = receiver;
        this.sender = sender;
        this.cores = cores;
    }

    final QuorumStart.Cores cores() {
        return cores;
    }

    /** What {@code from} asks {@code to} now; null if it asks nothing. */
    abstract @Nullable R live(State state, String from, String to);

    abstract R late(Val ghost);

    /** Hands it to the receiver; nobody waits for the answer to a late one. */
    abstract QuorumTrial asked(QuorumTrial trial, R request, boolean late, String from, String to);

    final QuorumTrial started(State state, String node) {
        return new QuorumTrial(state, node, cores);
    }

    private @Nullable R asks(State state, Call instance) {
        String to = instance.arg(receiver).text();
        String from = instance.arg(sender).text();
        return from.equals(to) ? null : live(state, from, to);
    }

    private @Nullable Val ghost(State state, String from, String to) {
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
    public @Nullable Trial trial(State state, Call instance) {
        Trial live = trial(state, instance, false);
        return live != null ? live : trial(state, instance, true);
    }

    /** @param late the late copy, not the live request; null where there is no such one, or nobody to take it */
    final @Nullable QuorumTrial trial(State state, Call instance, boolean late) {
        String to = instance.arg(receiver).text();
        String from = instance.arg(sender).text();
        if (!Nodes.up(state, to)) {
            return null;
        }
        R live = late ? null : asks(state, instance);
        Val ghost = late ? ghost(state, from, to) : null;
        if (live == null && ghost == null) {
            return null;
        }
        R request = live != null ? live : late(Objects.requireNonNull(ghost));
        return asked(started(state, to), request, late, from, to);
    }

    /** The request that {@code from} has to {@code to}, as a late copy of it would be kept; null if it has none. */
    final @Nullable Val asGhost(State state, String from, String to) {
        R live = from.equals(to) || !Nodes.up(state, from) ? null : live(state, from, to);
        if (live == null) {
            return null;
        }
        Map<String, Val> fields = new TreeMap<>(kept(live));
        fields.put("kind", Val.of(kind));
        fields.put("from", Val.of(from));
        fields.put("to", Val.of(to));
        return Val.function(fields);
    }

    /** What a late copy says. */
    abstract Map<String, Val> kept(R request);

    final String sender(Call instance) {
        return instance.arg(sender).text();
    }

    final String receiver(Call instance) {
        return instance.arg(receiver).text();
    }

    /** Of two requests, a live one and a ghost, what follows from that which is put to the code. */
    @Override
    public List<SpecState> successors(Visit visit, SpecModel.Instance instance) {
        State state = visit.state();
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
    public boolean repeats() {
        return true;
    }
}
