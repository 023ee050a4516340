package io.tidemark.conformance;

import io.tidemark.conformance.states.Call;
import io.tidemark.conformance.states.Values;
import io.tidemark.conformance.world.CoreWorld;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Takes a behaviour of the specification on cores that are started once and live as long as their processes, action by action,
 * and compares after each what the code shows with what the specification says, over all variables.
 *
 * @param <C> the world's cores
 */
final class Replayer<C> {
    private final CoreWorld<C> world;

    Replayer(CoreWorld<C> world) {
        this.world = world;
    }

    /**
     * Follows the behaviour as far as the code goes the same way.
     *
     * @param calls its actions, one less than states
     * @param states its states, the first initial
     * @return the code's states, the first included; less than the behaviour's where the two part, of which {@code parted}
     *     was told
     */
    List<Values> follow(List<? extends Call> calls, List<Values> states, Parted parted) {
        C cores = world.kept();
        List<Values> shown = new ArrayList<>();
        Values state = world.observed(states.get(0), cores);
        shown.add(state);
        if (!state.equals(states.get(0))) {
            parted.at(0, state);
            return shown;
        }
        for (int i = 0; i < calls.size(); i++) {
            Values wanted = states.get(i + 1);
            CoreWorld.Way<C> way = likeliest(state, calls.get(i), wanted);
            Values next = way == null ? null : way.take(cores);
            if (next != null) {
                next = world.observed(next, cores);
            }
            if (next == null || !next.equals(wanted)) {
                parted.at(i + 1, next);
                return shown;
            }
            shown.add(next);
            state = next;
        }
        return shown;
    }

    /** Told where code and specification part. */
    interface Parted {
        /**
         * @param step from 0, the initial state
         * @param shown where the code goes; null where it refuses the step
         */
        void at(int step, @Nullable Values shown);
    }

    /** Of the ways in which the environment may offer the action, the one by which cores started anew come nearest. */
    private CoreWorld.@Nullable Way<C> likeliest(Values state, Call call, Values wanted) {
        List<CoreWorld.Way<C>> ways = world.ways(state, call);
        if (ways.size() <= 1) {
            return ways.isEmpty() ? null : ways.get(0);
        }
        return ways.stream()
                .min(Comparator.comparingInt(way -> {
                    Values next = way.take(world.anew());
                    return next == null
                            ? Integer.MAX_VALUE
                            : next.differs(wanted).size();
                }))
                .orElseThrow();
    }

    /** The difference of two states, a line a variable. */
    static List<String> differences(Values specified, Values shown) {
        List<String> lines = new ArrayList<>();
        for (String name : new TreeSet<>(specified.differs(shown))) {
            lines.add(name + ": specification " + told(specified, name) + ", code " + told(shown, name));
        }
        return lines;
    }

    private static String told(Values state, String name) {
        return state.has(name) ? state.get(name).toString() : "-";
    }
}
