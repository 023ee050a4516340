package io.tidemark.conformance.states;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/**
 * Random walks over a model: each step takes an action, the likelier the less often it was taken, then one of its successors.
 * Disturbances are taken less often, so that a walk does not spend its budgets at once.
 */
public final class Walk {
    /** A state and what follows from it. */
    public record Visit(SpecState state, Map<SpecModel.Instance, List<SpecState>> successors) {}

    /** Takes a state; false ends the walks. */
    @FunctionalInterface
    public interface Visitor {
        boolean visit(Visit visit);
    }

    private static final double DISTURBED = 0.3;

    private final SpecModel model;
    private final Random random;
    private final Set<Long> seen = new HashSet<>();
    private final Map<String, Integer> taken = new HashMap<>();

    public Walk(SpecModel model, long seed) {
        this.model = model;
        this.random = new Random(seed);
    }

    /**
     * @param steps how many steps in all, at most
     * @param length of each walk, from an initial state
     */
    public void run(int steps, int length, Set<String> disturbances, Visitor visitor) {
        List<SpecState> initial = model.initial();
        SpecState state = initial.get(0);
        for (int step = 0; step < steps; step++) {
            if (step % length == 0) {
                state = initial.get(random.nextInt(initial.size()));
            }
            Map<SpecModel.Instance, List<SpecState>> successors = new LinkedHashMap<>();
            Map<String, List<SpecState>> byName = new LinkedHashMap<>();
            for (SpecModel.Instance instance : model.instances()) {
                List<SpecState> next = model.successors(instance, state);
                successors.put(instance, next);
                if (!next.isEmpty()) {
                    byName.computeIfAbsent(instance.name(), name -> new ArrayList<>())
                            .addAll(next);
                }
            }
            if (seen.add(state.fingerprint()) && !visitor.visit(new Visit(state, successors))) {
                return;
            }
            state = byName.isEmpty() ? initial.get(0) : next(byName, disturbances);
        }
    }

    private SpecState next(Map<String, List<SpecState>> byName, Set<String> disturbances) {
        List<String> names = new ArrayList<>(byName.keySet());
        List<String> calm = new ArrayList<>(names);
        calm.removeAll(disturbances);
        List<String> from = calm.isEmpty() || random.nextDouble() < DISTURBED ? names : calm;
        String name = rare(from);
        taken.merge(name, 1, Integer::sum);
        List<SpecState> next = byName.getOrDefault(name, List.of());
        return next.get(random.nextInt(next.size()));
    }

    private String rare(List<String> names) {
        double all = names.stream().mapToDouble(this::weight).sum();
        double point = random.nextDouble() * all;
        for (String name : names) {
            point -= weight(name);
            if (point <= 0) {
                return name;
            }
        }
        return names.get(names.size() - 1);
    }

    private double weight(String name) {
        return 1.0 / (1 + taken.getOrDefault(name, 0));
    }
}
