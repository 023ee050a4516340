package io.tidemark.conformance.world;

import io.tidemark.conformance.states.Call;
import io.tidemark.conformance.states.Values;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The code in the specification's place: cores take the actions, and all around them (what is on its way, what disks keep, how
 * often a disturbance may happen, what is remembered for properties) is kept here, under the specification's names. A world
 * decides nothing: whether an input is taken, what comes of it, and what a message waits for before it leaves is the core's
 * to say.
 *
 * @param <C> the cores
 */
public interface CoreWorld<C> {
    /**
     * One way in which the environment may offer an action.
     *
     * @param <C> the cores
     */
    @FunctionalInterface
    interface Way<C> {
        /** The state after it; null where the core refuses the input. */
        @Nullable
        Values take(C cores);
    }

    /** The variables of the specification's module. */
    List<String> variables();

    /** The ways of an action in a state; none where nobody could offer it. */
    List<Way<C>> ways(Values state, Call call);

    /** The state with the code's own variables read from the cores anew, of every node that runs. */
    Values observed(Values state, C cores);

    /** Cores that are started in each state in which they are asked for. */
    C anew();

    /** Cores that are started once and kept while their process lives. */
    C kept();
}
