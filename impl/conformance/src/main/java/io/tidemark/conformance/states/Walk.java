package io.tidemark.conformance.states;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/**
 * Random walks over a model: each step takes an action, the likelier the less often it was taken, then one of its successors.
 * Disturbances are taken less often, so that a walk does not spend its budgets at once; so is an action of which the visitor
 * wants to see more, since more states in which it is enabled are found while it is not taken. Most walks begin where one
 * before has shown what is still wanted.
 */
public final class Walk {
    /** Sees each state once. */
    public interface Visitor {
        /** @return whether the state showed something that was wanted: others like it are near */
        boolean visit(Visit visit);

        /** Whether more states are wanted in which an action of this name is enabled. */
        boolean wants(String action);

        /** Whether nothing is wanted any more. */
        boolean done();
    }

    private static final double DISTURBED = 0.3;
    private static final double LEFT_ENABLED = 0.4;
    private static final double ANEW = 0.3;
    private static final int REMEMBERED = 64;

    private final SpecModel model;
    private final Random random;
    private final Set<Long> seen = new HashSet<>();
    private final Map<String, Integer> taken = new HashMap<>();
    private final List<SpecState> wanted = new ArrayList<>();
    private int found;

    public Walk(SpecModel model, long seed) {
        this.model = model;
        this.random = new Random(seed);
    }

    /**
     * @param steps how many steps in all, at most
     * @param length of each walk
     */
    public void run(int steps, int length, Set<String> disturbances, Visitor visitor) {
        List<SpecState> initial = model.initial();
        SpecState state = initial.get(0);
        for (int step = 0; step < steps && !visitor.done(); step++) {
            if (step % length == 0) {
                boolean anew = wanted.isEmpty() || random.nextDouble() < ANEW;
                List<SpecState> from = anew ? initial : wanted;
                state = from.get(random.nextInt(from.size()));
            }
            Visit visit = new Visit(model, state);
            if (seen.add(state.fingerprint()) && visitor.visit(visit)) {
                remember(state);
            }
            state = next(visit, disturbances, visitor, initial.get(0));
        }
    }

    /** The latest ones: by then what is common is wanted no more. */
    private void remember(SpecState state) {
        if (wanted.size() < REMEMBERED) {
            wanted.add(state);
        } else {
            wanted.set(found % REMEMBERED, state);
        }
        found++;
    }

    private SpecState next(Visit visit, Set<String> disturbances, Visitor visitor, SpecState otherwise) {
        List<String> all = new ArrayList<>(model.names());
        List<String> calm = new ArrayList<>(all);
        calm.removeAll(disturbances);
        List<SpecState> next = random.nextDouble() < DISTURBED ? List.of() : enabled(visit, calm, visitor);
        if (next.isEmpty()) {
            next = enabled(visit, all, visitor);
        }
        return next.isEmpty() ? otherwise : next.get(random.nextInt(next.size()));
    }

    /** Draws until an action is enabled; most are never asked for. */
    private List<SpecState> enabled(Visit visit, List<String> names, Visitor visitor) {
        while (!names.isEmpty()) {
            String name = draw(names, visitor);
            names.remove(name);
            List<SpecState> next = new ArrayList<>();
            visit.instances(name).forEach(instance -> next.addAll(visit.successors(instance)));
            if (!next.isEmpty()) {
                taken.merge(name, 1, Integer::sum);
                return next;
            }
        }
        return List.of();
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
