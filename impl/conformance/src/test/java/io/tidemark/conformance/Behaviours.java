package io.tidemark.conformance;

import io.tidemark.conformance.states.SpecModel;
import io.tidemark.conformance.states.SpecState;
import io.tidemark.conformance.states.Values;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/**
 * Behaviours of a model by chance, what was seldom taken before others: distinct in who does what, and none the beginning of
 * another.
 */
final class Behaviours {
    private final SpecModel model;
    private final List<String> variables;
    private final Random random;
    /** By who did what, one after the other. */
    private final TreeMap<String, Counterexamples.Found> all = new TreeMap<>();

    private final Map<String, Integer> taken = new TreeMap<>();
    /** Where the walk is. */
    private SpecState last;

    Behaviours(SpecModel model, List<String> variables, long seed) {
        this.model = model;
        this.variables = variables;
        this.random = new Random(seed);
        this.last = model.initial().get(0);
    }

    /** So many of this many steps at most, less where they are alike. */
    List<Counterexamples.Found> draw(int count, int steps) {
        for (int i = 0; i < count; i++) {
            Counterexamples.Found found = walk(steps);
            all.put(key(found.calls()), found);
        }
        List<Counterexamples.Found> distinct = new ArrayList<>();
        for (Map.Entry<String, Counterexamples.Found> entry : all.entrySet()) {
            String next = all.higherKey(entry.getKey());
            if (next == null || !next.startsWith(entry.getKey())) {
                distinct.add(entry.getValue());
            }
        }
        return distinct;
    }

    /** Each step ends with a bar, so that a name is not the beginning of another. */
    private static String key(List<SpecModel.Instance> calls) {
        StringBuilder key = new StringBuilder();
        calls.forEach(call -> key.append(call.name())
                .append(' ')
                .append(call.toString().replaceFirst("^\\S+ ?((?:[bn]\\d)?).*", "$1"))
                .append('|'));
        return key.toString();
    }

    private Counterexamples.Found walk(int steps) {
        List<SpecModel.Instance> calls = new ArrayList<>();
        List<Values> states = new ArrayList<>();
        List<SpecState> initial = model.initial();
        SpecState state = initial.get(random.nextInt(initial.size()));
        states.add(Values.of(state, variables));
        while (calls.size() < steps && step(state, calls, states)) {
            state = last;
        }
        return new Counterexamples.Found(calls, states);
    }

    /** @return whether any action was enabled that changes the state */
    private boolean step(SpecState state, List<SpecModel.Instance> calls, List<Values> states) {
        List<String> names = new ArrayList<>(model.names());
        while (!names.isEmpty()) {
            String name = draw(names);
            names.remove(name);
            List<SpecModel.Instance> instances = new ArrayList<>(model.instances(name));
            Collections.shuffle(instances, random);
            for (SpecModel.Instance instance : instances) {
                List<SpecState> next = new ArrayList<>(model.successors(instance, state));
                next.removeIf(to -> to.fingerprint() == state.fingerprint());
                if (!next.isEmpty()) {
                    last = next.get(random.nextInt(next.size()));
                    calls.add(instance);
                    states.add(Values.of(last, variables));
                    taken.merge(name, 1, Integer::sum);
                    return true;
                }
            }
        }
        return false;
    }

    private String draw(List<String> names) {
        double point =
                random.nextDouble() * names.stream().mapToDouble(this::weight).sum();
        for (String name : names) {
            point -= weight(name);
            if (point < 0) {
                return name;
            }
        }
        return names.get(names.size() - 1);
    }

    private double weight(String name) {
        return 1.0 / (1 + taken.getOrDefault(name, 0));
    }

    /** How often each action was taken. */
    Map<String, Integer> taken() {
        return taken;
    }
}
