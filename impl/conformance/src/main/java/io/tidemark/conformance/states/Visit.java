package io.tidemark.conformance.states;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A state and what follows from it: TLC is asked once for each action, and only for those that somebody wants to know. */
public final class Visit {
    private final SpecModel model;
    private final SpecState state;
    private final Map<SpecModel.Instance, List<SpecState>> successors = new HashMap<>();

    Visit(SpecModel model, SpecState state) {
        this.model = model;
        this.state = state;
    }

    public SpecState state() {
        return state;
    }

    /** The actions with their arguments, whether they are enabled or not. */
    public List<SpecModel.Instance> instances(String action) {
        return model.instances(action);
    }

    /** Where the action leads; none where it is not enabled. */
    public List<SpecState> successors(SpecModel.Instance instance) {
        return successors.computeIfAbsent(instance, asked -> model.successors(asked, state));
    }
}
