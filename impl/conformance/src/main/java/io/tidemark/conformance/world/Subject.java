package io.tidemark.conformance.world;

import io.tidemark.conformance.states.State;
import io.tidemark.conformance.states.Values;
import io.tidemark.core.Guard;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/**
 * What a behaviour is of: modules of the specification, and the code in their place.
 *
 * @param <C> the world's cores
 */
public interface Subject<C> {
    /** The modules whose actions it has. */
    List<String> modules();

    /** The code without these guards. */
    CoreWorld<C> world(Set<Guard> without);

    /**
     * Which steps a model's constraints let be taken.
     *
     * @param constraints those of states and of steps, by their names
     * @return null where one of them is not known here
     */
    @Nullable
    BiPredicate<Values, Values> bounds(Set<String> constraints);

    /** What the code lacks for such a model and such an initial state, as a sentence; null if nothing. */
    @Nullable
    String missing(State initial);

    /** The actions that the code does not have yet, by the budget that bounds them. */
    Map<String, String> later();
}
