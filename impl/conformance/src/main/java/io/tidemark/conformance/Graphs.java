package io.tidemark.conformance;

import io.tidemark.conformance.states.SpecModel;
import io.tidemark.conformance.states.SpecState;
import io.tidemark.conformance.states.Val;
import io.tidemark.conformance.states.Values;
import io.tidemark.conformance.world.CoreWorld;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The states that the specification reaches and those that the code reaches, breadth first: while both go to the same states
 * from each state by each action, the two graphs are the same. The first difference is nearest to the beginning.
 *
 * @param <C> the world's cores
 */
final class Graphs<C> {
    /**
     * What was compared.
     *
     * @param edges by action
     * @param broken the first invariant that a state breaks, with the path to it; null where all hold
     * @param difference where the graphs part, as a story; null where they are equal
     */
    record Result(
            long states,
            SortedMap<String, Long> edges,
            @Nullable String broken,
            @Nullable String difference) {}

    private record Reached(@Nullable Values before, String action) {}

    private final SpecModel model;
    private final CoreWorld<C> world;
    private final Explorer<C> explorer;
    private final Map<Values, Reached> reached = new HashMap<>();
    /** By TLC's hash: a state is read once, however many steps lead to it. */
    private final Map<Long, Values> known = new HashMap<>();

    private final Map<Val, Val> shared = new HashMap<>();
    private final Deque<SpecState> queue = new ArrayDeque<>();
    private final SortedMap<String, Long> edges = new TreeMap<>();
    private @Nullable String broken;

    Graphs(SpecModel model, CoreWorld<C> world, Explorer<C> explorer) {
        this.model = model;
        this.world = world;
        this.explorer = explorer;
    }

    /** @param progress is told the number of states, now and then; it may throw to end the search */
    Result compare(LongConsumer progress) {
        for (SpecState initial : model.initial()) {
            if (model.isInModel(initial)) {
                reach(initial, values(initial), new Reached(null, "Init"));
            }
        }
        long expanded = 0;
        while (!queue.isEmpty() && broken == null) {
            String difference = expand(queue.remove());
            if (difference != null) {
                return new Result(reached.size(), edges, broken, difference);
            }
            if (++expanded % 100 == 0) {
                progress.accept(reached.size());
            }
        }
        return new Result(reached.size(), edges, broken, null);
    }

    private void reach(SpecState state, Values values, Reached how) {
        if (reached.putIfAbsent(values, how) == null) {
            queue.add(state);
            String invariant = model.broken(state);
            if (invariant != null && broken == null) {
                broken = invariant + " after " + String.join(", ", path(values));
            }
        }
    }

    private Values values(SpecState state) {
        return known.computeIfAbsent(
                state.fingerprint(),
                print ->
                        Values.of(state, world.variables()).each(value -> shared.computeIfAbsent(value, same -> same)));
    }

    private @Nullable String expand(SpecState state) {
        Values from = values(state);
        Map<String, Map<Values, SpecState>> specified = specified(state, from);
        Map<String, Set<Values>> shown = explorer.successors(from);
        Set<String> names = new TreeSet<>(specified.keySet());
        names.addAll(shown.keySet());
        for (String name : names) {
            Map<Values, SpecState> there = specified.getOrDefault(name, Map.of());
            Set<Values> here = shown.getOrDefault(name, Set.of());
            if (!there.keySet().equals(here)) {
                return story(from, name, there.keySet(), here);
            }
            edges.merge(name, (long) here.size(), Long::sum);
            there.forEach((next, tlc) -> reach(tlc, next, new Reached(from, name)));
        }
        return null;
    }

    private Map<String, Map<Values, SpecState>> specified(SpecState state, Values from) {
        Map<String, Map<Values, SpecState>> all = new TreeMap<>();
        for (String name : model.names()) {
            Map<Values, SpecState> successors = new LinkedHashMap<>();
            for (SpecModel.Instance instance : model.instances(name)) {
                for (SpecState next : model.successors(instance, state)) {
                    if (model.allows(state, next)) {
                        Values to = values(next);
                        if (!to.equals(from)) {
                            successors.put(to, next);
                        }
                    }
                }
            }
            if (!successors.isEmpty()) {
                all.put(name, successors);
            }
        }
        return all;
    }

    private List<String> path(Values to) {
        List<String> path = new ArrayList<>();
        Values state = to;
        for (Reached step = reached.get(to); step != null; ) {
            path.add(0, step.action());
            state = step.before();
            step = state == null ? null : reached.get(state);
        }
        return path;
    }

    /** The shortest path to where they part, and the successors that one of them alone has. */
    private String story(Values from, String action, Collection<Values> specified, Collection<Values> shown) {
        StringBuilder text = new StringBuilder(action + " after " + String.join(", ", path(from)) + ":\n");
        Set<Values> alone = new LinkedHashSet<>(specified);
        alone.removeAll(shown);
        alone.forEach(next -> text.append("  the specification alone: ").append(told(from, next)));
        alone = new LinkedHashSet<>(shown);
        alone.removeAll(specified);
        alone.forEach(next -> text.append("  the code alone: ").append(told(from, next)));
        return text.append("  from: ").append(from).append('\n').toString();
    }

    private static String told(Values from, Values to) {
        StringBuilder text = new StringBuilder();
        to.differs(from)
                .forEach(name ->
                        text.append(name).append(" = ").append(to.get(name)).append("; "));
        return text.append('\n').toString();
    }
}
