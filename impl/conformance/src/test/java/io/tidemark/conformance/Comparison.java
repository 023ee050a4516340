package io.tidemark.conformance;

import io.tidemark.conformance.states.SpecModel;
import io.tidemark.conformance.states.SpecState;
import io.tidemark.conformance.states.Visit;
import io.tidemark.conformance.world.Adapter;
import io.tidemark.conformance.world.Trial;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * One input in one state, put to both.
 *
 * @param enabled whether the specification takes it
 * @param ignored whether it changes nothing though the environment delivers it
 * @param allowed what the code may show after it
 * @param shown what it shows
 * @param wrong how they differ; null where they agree
 */
record Comparison(
        Adapter adapter,
        SpecModel.Instance instance,
        SpecState state,
        boolean enabled,
        boolean ignored,
        List<Map<String, Object>> allowed,
        Map<String, Object> before,
        Map<String, Object> shown,
        @Nullable String wrong) {
    private static final String STARTS_ELSEWHERE = "starts in another state";

    /** Null where the state offers no such input. */
    static @Nullable Comparison of(Adapter adapter, Visit visit, SpecModel.Instance instance) {
        List<SpecState> next = adapter.successors(visit, instance);
        boolean enabled = !next.isEmpty();
        SpecState state = visit.state();
        Trial trial = adapter.trial(state, instance);
        if (trial == null) {
            return null;
        }
        Map<String, Object> expected = trial.expectedBefore();
        Map<String, Object> before = trial.before();
        if (!expected.equals(before)) {
            return new Comparison(
                    adapter, instance, state, enabled, false, List.of(expected), expected, before, STARTS_ELSEWHERE);
        }
        Trial.Outcome outcome = trial.apply();
        List<Map<String, Object>> allowed = new ArrayList<>();
        next.forEach(to -> allowed.add(trial.expected(to)));
        Map<String, Object> unchanged = trial.expected(state);
        boolean ignored = adapter.environment() && allowed.stream().allMatch(unchanged::equals);
        if (!enabled) {
            allowed.add(unchanged);
        }
        boolean named =
                outcome.action() == null || (outcome.action() == adapter.action() && (enabled || adapter.repeats()));
        boolean same = allowed.contains(outcome.variables()) && named;
        return new Comparison(
                adapter,
                instance,
                state,
                enabled,
                ignored,
                allowed,
                before,
                outcome.variables(),
                same ? null : what(enabled, outcome));
    }

    private static String what(boolean enabled, Trial.Outcome outcome) {
        return (enabled ? "the specification takes it" : "the specification refuses it")
                + ", the code "
                + (outcome.action() == null ? "refuses it" : "takes " + outcome.action());
    }

    /** Whether the code takes another step than the specification, from the same state. */
    boolean stepsElsewhere() {
        return wrong != null && !wrong.equals(STARTS_ELSEWHERE);
    }

    /** What they differ in. */
    Set<String> differs() {
        Map<String, Object> expected = allowed.get(0);
        Set<String> names = new TreeSet<>(expected.keySet());
        names.addAll(shown.keySet());
        names.removeIf(name -> Objects.equals(expected.get(name), shown.get(name)));
        return names;
    }

    /** The difference, for whoever has to find out who is right. */
    String story() {
        StringBuilder text = new StringBuilder();
        text.append(instance).append(": ").append(wrong).append('\n');
        for (String name : differs()) {
            text.append("  ")
                    .append(name)
                    .append(": specification ")
                    .append(allowed.get(0).get(name));
            text.append(", code ").append(shown.get(name)).append('\n');
        }
        if (allowed.size() > 1) {
            text.append("  (one of ").append(allowed.size()).append(" successors)\n");
        }
        text.append("  before: ").append(before).append('\n');
        text.append("  state: ")
                .append(state.toString().replaceAll("\\s+", " "))
                .append('\n');
        return text.toString();
    }
}
