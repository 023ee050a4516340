package io.tidemark.conformance.states;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A state that is written down: every variable with its value. Equal to another with the same. */
public final class Values implements State {
    /** Names in ascending order, one list for all states that have them. */
    private record Names(List<String> all, Map<String, Integer> at) {
        private static final Map<List<String>, Names> KNOWN = new ConcurrentHashMap<>();

        static Names of(Collection<String> names) {
            List<String> sorted = List.copyOf(new TreeSet<>(names));
            return KNOWN.computeIfAbsent(sorted, all -> {
                Map<String, Integer> at = new TreeMap<>();
                all.forEach(name -> at.put(name, at.size()));
                return new Names(all, Map.copyOf(at));
            });
        }

        int find(String name) {
            return at.getOrDefault(name, -1);
        }
    }

    private final Names names;
    private final Val[] values;
    private final int hash;

    private Values(Names names, Val[] values) {
        this.names = names;
        this.values = values;
        this.hash = Arrays.hashCode(values);
    }

    public Values(Map<String, Val> variables) {
        this(Names.of(variables.keySet()), new TreeMap<>(variables).values().toArray(Val[]::new));
    }

    /** What another state says of these variables. */
    public static Values of(State state, Collection<String> variables) {
        Names names = Names.of(variables);
        Val[] values = new Val[names.all().size()];
        for (int i = 0; i < values.length; i++) {
            values[i] = state.get(names.all().get(i));
        }
        return new Values(names, values);
    }

    @Override
    public Val get(String variable) {
        int at = names.find(variable);
        if (at < 0) {
            throw new IllegalArgumentException("the state has no variable " + variable + " but " + names.all());
        }
        return values[at];
    }

    /** Their names, ascending. */
    public List<String> names() {
        return names.all();
    }

    public boolean has(String variable) {
        return names.find(variable) >= 0;
    }

    /** The variables in which the two differ; one that only one has is among them. */
    public Set<String> differs(Values other) {
        Set<String> all = new TreeSet<>(names.all());
        all.addAll(other.names.all());
        all.removeIf(name -> has(name) && other.has(name) && get(name).equals(other.get(name)));
        return all;
    }

    /** The same with other values for some; one that is new makes it a state of other variables. */
    public Values with(Map<String, Val> changed) {
        if (!names.at().keySet().containsAll(changed.keySet())) {
            Map<String, Val> all = new TreeMap<>();
            names.all().forEach(name -> all.put(name, get(name)));
            all.putAll(changed);
            return new Values(all);
        }
        Val[] copy = values.clone();
        changed.forEach((name, value) -> copy[names.find(name)] = value);
        return new Values(names, copy);
    }

    /** The same with each value changed. */
    public Values each(UnaryOperator<Val> change) {
        Val[] copy = new Val[values.length];
        for (int i = 0; i < copy.length; i++) {
            copy[i] = change.apply(values[i]);
        }
        return new Values(names, copy);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return this == other
                || (other instanceof Values that
                        && hash == that.hash
                        && names.equals(that.names)
                        && Arrays.equals(values, that.values));
    }

    @Override
    public int hashCode() {
        return hash;
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("{");
        for (int i = 0; i < values.length; i++) {
            text.append(i == 0 ? "" : ", ")
                    .append(names.all().get(i))
                    .append('=')
                    .append(values[i]);
        }
        return text.append('}').toString();
    }
}
