package io.tidemark.conformance;

import io.tidemark.conformance.states.SpecModel;
import io.tidemark.conformance.states.SpecState;
import io.tidemark.conformance.states.Values;
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
     * @param difference where the graphs part, as a story; null where they are equal
     */
    record Result(
            long states,
            SortedMap<String, Long> edges,
            @Nullable String difference) {}

    private record Reached(@Nullable Values before, String action) {}

    private final SpecModel model;
    private final World<C> world;
    private final Explorer<C> explorer;
    private final Map<Values, Reached> reached = new HashMap<>();
    private final Deque<SpecState> queue = new ArrayDeque<>();
    private final SortedMap<String, Long> edges = new TreeMap<>();

    Graphs(SpecModel model, World<C> world, Explorer<C> explorer) {
        this.model = model;
        this.world = world;
        this.explorer = explorer;
    }

    /** @param progress is told the number of states, now and then */
    Result compare(LongConsumer progress) {
        for (SpecState initial : model.initial()) {
            if (reached.putIfAbsent(values(initial), new Reached(null, "Init")) == null) {
                queue.add(initial);
            }
        }
        while (!queue.isEmpty()) {
            SpecState state = queue.remove();
            String difference = expand(state);
            if (difference != null) {
                return new Result(reached.size(), edges, difference);
            }
            if (reached.size() % 1000 == 0) {
                progress.accept(reached.size());
            }
        }
        return new Result(reached.size(), edges, null);
    }

    private Values values(SpecState state) {
        return Values.of(state, world.variables());
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
            there.forEach((next, tlc) -> {
                if (reached.putIfAbsent(next, new Reached(from, name)) == null) {
                    queue.add(tlc);
                }
            });
        }
        return null;
    }

    private Map<String, Map<Values, SpecState>> specified(SpecState state, Values from) {
        Map<String, Map<Values, SpecState>> all = new TreeMap<>();
        for (String name : model.names()) {
            Map<Values, SpecState> successors = new LinkedHashMap<>();
            for (SpecModel.Instance instance : model.instances(name)) {
                for (SpecState next : model.successors(instance, state)) {
                    Values to = values(next);
                    if (!to.equals(from) && model.allows(state, next)) {
                        successors.put(to, next);
                    }
                }
            }
            if (!successors.isEmpty()) {
                all.put(name, successors);
            }
        }
        return all;
    }

    /** The shortest path to where they part, and the successors that one of them alone has. */
    private String story(Values from, String action, Collection<Values> specified, Collection<Values> shown) {
        List<String> path = new ArrayList<>();
        Values state = from;
        for (Reached step = reached.get(from); step != null; ) {
            path.add(0, step.action());
            state = step.before();
            step = state == null ? null : reached.get(state);
        }
        StringBuilder text = new StringBuilder(action + " after " + String.join(", ", path) + ":\n");
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
