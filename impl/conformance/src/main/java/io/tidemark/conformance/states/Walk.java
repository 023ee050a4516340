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
 * Disturbances are taken less often, so that a walk does not spend its budgets at once; so is an action of which the visitor
 * wants to see more, since more states in which it is enabled are found while it is not taken.
 */
public final class Walk {
    /** A state and what follows from it. */
    public record Visit(SpecState state, Map<SpecModel.Instance, List<SpecState>> successors) {}

    /** Takes a state; false ends the walks. */
    public interface Visitor {
        boolean visit(Visit visit);

        /** Whether more states are wanted in which an action of this name is enabled. */
        boolean wants(String action);
    }

    private static final double DISTURBED = 0.3;
    private static final double LEFT_ENABLED = 0.1;

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
            state = byName.isEmpty() ? initial.get(0) : next(byName, disturbances, visitor);
        }
    }

    private SpecState next(Map<String, List<SpecState>> byName, Set<String> disturbances, Visitor visitor) {
        List<String> names = new ArrayList<>(byName.keySet());
        List<String> calm = new ArrayList<>(names);
        calm.removeAll(disturbances);
        List<String> from = calm.isEmpty() || random.nextDouble() < DISTURBED ? names : calm;
        String name = draw(from, visitor);
        taken.merge(name, 1, Integer::sum);
        List<SpecState> next = byName.getOrDefault(name, List.of());
        return next.get(random.nextInt(next.size()));
    }

    private String draw(List<String> names, Visitor visitor) {
        double[] upTo = new double[names.size()];
        double all = 0;
        for (int i = 0; i < upTo.length; i++) {
            double weight = 1.0 / (1 + taken.getOrDefault(names.get(i), 0));
            all += visitor.wants(names.get(i)) ? weight * LEFT_ENABLED : weight;
            upTo[i] = all;
        }
        double point = random.nextDouble() * all;
        int i = 0;
        while (i < upTo.length - 1 && upTo[i] < point) {
            i++;
        }
        return names.get(i);
    }
}
