package io.tidemark.conformance;

import io.tidemark.conformance.states.SpecModel;
import io.tidemark.conformance.states.SpecState;
import io.tidemark.conformance.states.Values;
import io.tidemark.spec.model.ConfigChange;
import io.tidemark.spec.model.Model;
import io.tidemark.spec.model.ModelConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The shortest behaviours that break what a row of the manifest says is broken: found as TLC finds them, breadth first, by its
 * own evaluator in this JVM, which costs no start of another.
 */
final class Counterexamples {
    /** A behaviour: one action less than states. */
    record Found(List<SpecModel.Instance> calls, List<Values> states) {}

    private record Reached(@Nullable SpecState before, SpecModel.@Nullable Instance by) {}

    private final SpecModel model;
    private final Map<Long, Reached> reached = new HashMap<>();
    private final Deque<SpecState> queue = new ArrayDeque<>();

    private Counterexamples(SpecModel model) {
        this.model = model;
    }

    static SpecModel read(Path spec, Model row) throws IOException {
        ModelConfig config = row.config().with(List.of(ConfigChange.parse("SYMMETRY=")));
        return SpecModel.read(spec, row.module(), config.render());
    }

    /** @return null where the model keeps what it is asked for in every state */
    static @Nullable Found of(SpecModel model, List<String> variables) {
        return new Counterexamples(model).search(variables);
    }

    private @Nullable Found search(List<String> variables) {
        for (SpecState initial : model.initial()) {
            if (model.isInModel(initial)
                    && reached.putIfAbsent(initial.fingerprint(), new Reached(null, null)) == null) {
                if (model.broken(initial) != null) {
                    return path(initial, variables);
                }
                queue.add(initial);
            }
        }
        while (!queue.isEmpty()) {
            SpecState from = queue.remove();
            SpecState wrong = expand(from);
            if (wrong != null) {
                return path(wrong, variables);
            }
        }
        return null;
    }

    /** As TLC does: what a step breaks counts though the model's bounds leave the step out. */
    private @Nullable SpecState expand(SpecState from) {
        for (String name : model.names()) {
            for (SpecModel.Instance instance : model.instances(name)) {
                for (SpecState next : model.successors(instance, from)) {
                    boolean fresh = !reached.containsKey(next.fingerprint());
                    if ((fresh && model.broken(next) != null) || model.broken(from, next) != null) {
                        reached.put(next.fingerprint(), new Reached(from, instance));
                        return next;
                    }
                    if (fresh && model.allows(from, next)) {
                        reached.put(next.fingerprint(), new Reached(from, instance));
                        queue.add(next);
                    }
                }
            }
        }
        return null;
    }

    private Found path(SpecState to, List<String> variables) {
        List<SpecModel.Instance> calls = new ArrayList<>();
        List<Values> states = new ArrayList<>();
        SpecState state = to;
        while (state != null) {
            states.add(Values.of(state, variables));
            Reached how = reached.get(state.fingerprint());
            if (how == null || how.by() == null) {
                break;
            }
            calls.add(how.by());
            state = how.before();
        }
        Collections.reverse(calls);
        Collections.reverse(states);
        return new Found(calls, states);
    }
}
