package io.tidemark.conformance.world;

import io.tidemark.conformance.states.Call;
import io.tidemark.conformance.states.SpecModel;
import io.tidemark.conformance.states.SpecState;
import io.tidemark.conformance.states.State;
import io.tidemark.conformance.states.Visit;
import io.tidemark.core.SpecAction;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How one action of the specification is put to the code. */
public abstract class Adapter {
    private final SpecAction action;
    private final String instance;

    /** Of an action that {@code Next} has as it is. */
    protected Adapter(SpecAction action) {
        this(action, action.name());
    }

    /** @param instance the action of the environment that hands the input to a node */
    protected Adapter(SpecAction action, String instance) {
        this.action = action;
        this.instance = instance;
    }

    /** The action that the code takes. */
    public final SpecAction action() {
        return action;
    }

    /** The action in {@code Next}: a protocol action, or one of the environment. */
    public final String instance() {
        return instance;
    }

    /** What the environment delivers is always taken by the specification; a node that ignores it refuses it. */
    public final boolean environment() {
        return !instance.equals(action.name());
    }

    /** Starts a core in the state; null where the world offers no such input, or a bound of the model alone forbids it. */
    public abstract @Nullable Trial trial(State state, Call instance);

    /** Where the specification may go by this input; more than its own successors where it splits what the code takes whole. */
    public List<SpecState> successors(Visit visit, SpecModel.Instance instance) {
        return visit.successors(instance);
    }

    /** Whether the code may name the action where it changes nothing and the specification does not take it. */
    public boolean repeats() {
        return false;
    }
}
