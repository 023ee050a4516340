package io.tidemark.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.conformance.states.SpecModel;
import io.tidemark.conformance.states.Visit;
import io.tidemark.conformance.world.Adapter;
import io.tidemark.core.SpecAction;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Puts inputs to the code in states of the specification. Counts the distinct states in which an action was taken, and those
 * in which its input was refused, until there are enough of both.
 */
final class Successors {
    /** Of each action, so many states in which it is enabled and so many in which it is not. */
    static final int FLOOR = 1000;

    /** Walks of more steps than the build's compare whatever they meet. */
    private static final int WANTED = Integer.getInteger("tidemark.conformance.steps") == null ? FLOOR : 1_000_000;

    private static final int TOLD = 12;

    private static final class Count {
        final Set<Long> taken = new HashSet<>();
        final Set<Long> refused = new HashSet<>();
        /** Those that the environment delivered. */
        final Set<Long> delivered = new HashSet<>();

        final Set<String> models = new TreeSet<>();

        boolean full() {
            return taken.size() >= WANTED && refused.size() >= WANTED;
        }
    }

    private final Map<SpecAction, Count> counts = new EnumMap<>(SpecAction.class);
    private final Map<String, String> disagreements = new LinkedHashMap<>();
    private long compared;

    /** @return whether one of the inputs was wanted: its action lacks states in which it is taken so, or refused so */
    boolean visit(String model, List<Adapter> adapters, Visit visit) {
        boolean wanted = false;
        for (Adapter adapter : adapters) {
            Count count = count(adapter.action());
            for (SpecModel.Instance instance : visit.instances(adapter.instance())) {
                if (wants(adapter, count, visit, instance)) {
                    Comparison comparison = Comparison.of(adapter, visit, instance);
                    wanted |= comparison != null && add(model, count, comparison);
                }
            }
        }
        return wanted;
    }

    private static boolean wants(Adapter adapter, Count count, Visit visit, SpecModel.Instance instance) {
        if (adapter.environment()) {
            return count.delivered.size() < WANTED;
        }
        return !count.full()
                && (adapter.successors(visit, instance).isEmpty() ? count.refused : count.taken).size() < WANTED;
    }

    private boolean add(String model, Count count, Comparison comparison) {
        compared++;
        long state = comparison.state().fingerprint();
        boolean taken = comparison.enabled() && !comparison.ignored();
        boolean fresh = (taken ? count.taken : count.refused).add(state);
        count.models.add(model);
        if (comparison.adapter().environment()) {
            count.delivered.add(state);
        }
        if (comparison.wrong() != null) {
            String kind = comparison.adapter().action() + " " + comparison.wrong() + " " + comparison.differs();
            disagreements.putIfAbsent(kind, comparison.story());
        }
        return fresh;
    }

    private Count count(SpecAction action) {
        return counts.computeIfAbsent(action, name -> new Count());
    }

    boolean wants(SpecAction action) {
        return count(action).taken.size() < WANTED;
    }

    /** Whether all are compared often enough, or too much is wrong. */
    boolean done() {
        return disagreements.size() >= TOLD
                || (!counts.isEmpty() && counts.values().stream().allMatch(Count::full));
    }

    /** One of each kind, readable. */
    List<String> disagreements() {
        return List.copyOf(disagreements.values());
    }

    void assertCompared(SpecAction action) {
        assertThat(count(action).taken.size())
                .as("states in which %s was taken", action)
                .isGreaterThanOrEqualTo(FLOOR);
        assertThat(count(action).refused.size())
                .as("states in which %s was refused", action)
                .isGreaterThanOrEqualTo(FLOOR);
    }

    /** A line an action. */
    String table() {
        StringBuilder text = new StringBuilder();
        text.append(String.format("%-32s %6s %7s  models (%d comparisons)%n", "action", "taken", "refused", compared));
        counts.forEach((action, count) -> text.append(String.format(
                "%-32s %6d %7d  %s%n",
                action, count.taken.size(), count.refused.size(), String.join(" ", count.models))));
        return text.toString();
    }
}
