package io.tidemark.conformance;

import io.tidemark.conformance.states.SpecModel;
import io.tidemark.conformance.states.SpecState;
import io.tidemark.conformance.states.Walk;
import io.tidemark.core.SpecAction;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How one action of the specification is put to the code. */
interface Adapter {
    /** The action in {@code Next}: a protocol action, or one of the environment that hands an input to a node. */
    String instance();

    /** The action that the code takes. */
    SpecAction action();

    /** Starts a core in the state; null where the world offers no such input, or a bound of the model alone forbids it. */
    @Nullable
    Trial trial(SpecState state, SpecModel.Instance instance);

    /** Where the specification may go by this input; more than its own successors where it splits what the code takes whole. */
    default List<SpecState> successors(Walk.Visit visit, SpecModel.Instance instance) {
        return visit.successors().getOrDefault(instance, List.of());
    }

    /** Whether the code may name the action where it changes nothing and the specification does not take it. */
    default boolean repeats() {
        return false;
    }
}
