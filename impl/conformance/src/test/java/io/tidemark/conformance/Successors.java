package io.tidemark.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.conformance.states.SpecModel;
import io.tidemark.conformance.states.SpecState;
import io.tidemark.conformance.states.Walk;
import io.tidemark.core.SpecAction;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Puts inputs to the code in states of the specification and compares where both go. Counts the distinct states in which an
 * action was enabled, and those in which its input was refused.
 */
final class Successors {
    /** More states than these of an action are not looked for. */
    static final int WANTED = 1000;

    private static final int TOLD = 12;

    private final Map<SpecAction, Set<Long>> taken = new EnumMap<>(SpecAction.class);
    private final Map<SpecAction, Set<Long>> refused = new EnumMap<>(SpecAction.class);
    private final Map<String, String> disagreements = new java.util.LinkedHashMap<>();
    private long compared;

    Successors(List<Adapter> adapters) {
        for (Adapter adapter : adapters) {
            taken.putIfAbsent(adapter.action(), new HashSet<>());
            refused.putIfAbsent(adapter.action(), new HashSet<>());
        }
    }

    /** A visitor that puts the inputs of these adapters to the code. */
    Walk.Visitor with(List<Adapter> adapters) {
        return new Walk.Visitor() {
            @Override
            public boolean visit(Walk.Visit visit) {
                return Successors.this.visit(adapters, visit);
            }

            @Override
            public boolean wants(String action) {
                return adapters.stream()
                        .anyMatch(adapter -> adapter.instance().equals(action) && taken(adapter.action()) < WANTED);
            }
        };
    }

    /** Every input that the state offers; false once all are compared often enough, or too much is wrong. */
    private boolean visit(List<Adapter> adapters, Walk.Visit visit) {
        for (SpecModel.Instance instance : visit.successors().keySet()) {
            for (Adapter adapter : adapters) {
                if (adapter.instance().equals(instance.name())) {
                    compare(adapter, visit, instance);
                }
            }
        }
        return disagreements.size() < TOLD && !enough();
    }

    private boolean enough() {
        return taken.values().stream().allMatch(states -> states.size() >= WANTED)
                && refused.values().stream().allMatch(states -> states.size() >= WANTED);
    }

    private Set<Long> counted(Map<SpecAction, Set<Long>> which, SpecAction action) {
        return which.getOrDefault(action, Set.of());
    }

    private void compare(Adapter adapter, Walk.Visit visit, SpecModel.Instance instance) {
        List<SpecState> next = adapter.successors(visit, instance);
        boolean enabled = !next.isEmpty();
        boolean environment = !adapter.instance().equals(adapter.action().name());
        if (!environment && counted(enabled ? taken : refused, adapter.action()).size() >= WANTED) {
            return;
        }
        SpecState state = visit.state();
        Trial trial = adapter.trial(state, instance);
        if (trial == null) {
            return;
        }
        compared++;
        Map<String, Object> expectedBefore = trial.expectedBefore();
        Map<String, Object> before = trial.before();
        if (!expectedBefore.equals(before)) {
            tell(adapter, instance, "starts in another state", List.of(expectedBefore), before, expectedBefore, state);
            return;
        }
        Trial.Outcome outcome = trial.apply();
        List<Map<String, Object>> allowed = new ArrayList<>();
        next.forEach(to -> allowed.add(trial.expected(to)));
        Map<String, Object> unchanged = trial.expected(state);
        if (!enabled) {
            allowed.add(unchanged);
        }
        // What the environment delivers is always taken by the specification; a node that ignores it refuses it.
        boolean ignored = environment && allowed.stream().allMatch(unchanged::equals);
        counted(enabled && !ignored ? taken : refused, adapter.action()).add(state.fingerprint());
        boolean named = outcome.action() == null || outcome.action() == adapter.action();
        if (!allowed.contains(outcome.variables())) {
            tell(adapter, instance, what(enabled, outcome), allowed, outcome.variables(), expectedBefore, state);
        } else if (!named || (!enabled && outcome.action() != null && !adapter.repeats())) {
            tell(adapter, instance, what(enabled, outcome), allowed, outcome.variables(), expectedBefore, state);
        }
    }

    private static String what(boolean enabled, Trial.Outcome outcome) {
        return (enabled ? "the specification takes it" : "the specification refuses it")
                + ", the code "
                + (outcome.action() == null ? "refuses it" : "takes " + outcome.action());
    }

    private void tell(
            Adapter adapter,
            SpecModel.Instance instance,
            String what,
            List<Map<String, Object>> allowed,
            Map<String, Object> actual,
            Map<String, Object> before,
            SpecState state) {
        Map<String, Object> expected = allowed.get(0);
        StringBuilder text = new StringBuilder();
        text.append(instance).append(": ").append(what).append('\n');
        Set<String> names = new TreeSet<>(expected.keySet());
        names.addAll(actual.keySet());
        Set<String> differ = new TreeSet<>();
        for (String name : names) {
            Object wanted = expected.get(name);
            Object got = actual.get(name);
            if (!java.util.Objects.equals(wanted, got)) {
                differ.add(name);
                text.append("  ").append(name).append(": specification ").append(wanted);
                text.append(", code ").append(got).append('\n');
            }
        }
        if (allowed.size() > 1) {
            text.append("  (one of ").append(allowed.size()).append(" successors)\n");
        }
        text.append("  before: ").append(before).append('\n');
        text.append("  state: ")
                .append(state.toString().replaceAll("\\s+", " "))
                .append('\n');
        disagreements.putIfAbsent(adapter.action() + " " + what + " " + differ, text.toString());
    }

    /** One of each kind, readable. */
    List<String> disagreements() {
        return List.copyOf(disagreements.values());
    }

    int taken(SpecAction action) {
        return counted(taken, action).size();
    }

    int refused(SpecAction action) {
        return counted(refused, action).size();
    }

    /** Fails where an action was taken, or its input refused, in fewer states than these; some inputs are never refused. */
    void assertCompared(int fewTaken, int fewRefused, Set<SpecAction> neverRefused) {
        for (SpecAction action : taken.keySet()) {
            assertThat(taken(action)).as("states in which %s was taken", action).isGreaterThanOrEqualTo(fewTaken);
            if (!neverRefused.contains(action)) {
                assertThat(refused(action))
                        .as("states in which %s was refused", action)
                        .isGreaterThanOrEqualTo(fewRefused);
            }
        }
    }

    /** A line an action. */
    String table() {
        StringBuilder text = new StringBuilder("action: states taken, states refused (" + compared + " comparisons)\n");
        taken.keySet()
                .forEach(action ->
                        text.append(String.format("%-32s %5d %5d%n", action.name(), taken(action), refused(action))));
        return text.toString();
    }
}
