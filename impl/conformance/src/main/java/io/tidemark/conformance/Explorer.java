package io.tidemark.conformance;

import io.tidemark.conformance.states.Call;
import io.tidemark.conformance.states.Values;
import io.tidemark.conformance.world.CoreWorld;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiPredicate;

/**
 * Where the code goes from a state: every input that anybody may hand in, in every way.
 *
 * @param <C> the world's cores
 */
final class Explorer<C> {
    private final CoreWorld<C> world;
    private final List<? extends Call> calls;
    private final BiPredicate<Values, Values> bounds;

    /**
     * @param calls every action with every argument
     * @param bounds whether the model lets a step be taken
     */
    Explorer(CoreWorld<C> world, Collection<? extends Call> calls, BiPredicate<Values, Values> bounds) {
        this.world = world;
        this.calls = List.copyOf(calls);
        this.bounds = bounds;
    }

    /** The successors by the action's name. A step that changes nothing is none. */
    SortedMap<String, Set<Values>> successors(Values state) {
        SortedMap<String, Set<Values>> all = new TreeMap<>();
        C cores = world.anew();
        for (Call call : calls) {
            for (CoreWorld.Way<C> way : world.ways(state, call)) {
                Values next = way.take(cores);
                if (next != null && !next.equals(state) && bounds.test(state, next)) {
                    all.computeIfAbsent(call.name(), name -> new LinkedHashSet<>())
                            .add(next);
                }
            }
        }
        return all;
    }
}
