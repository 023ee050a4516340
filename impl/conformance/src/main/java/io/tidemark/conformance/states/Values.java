package io.tidemark.conformance.states;

import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** A state that is written down: every variable with its value. Equal to another with the same. */
public final class Values implements State {
    private final Map<String, Val> variables;
    private final int hash;

    public Values(Map<String, Val> variables) {
        this.variables = Collections.unmodifiableMap(new TreeMap<>(variables));
        this.hash = this.variables.hashCode();
    }

    /** What another state says of these variables. */
    public static Values of(State state, Iterable<String> names) {
        Map<String, Val> variables = new TreeMap<>();
        names.forEach(name -> variables.put(name, state.get(name)));
        return new Values(variables);
    }

    @Override
    public Val get(String variable) {
        Val value = variables.get(variable);
        if (value == null) {
            throw new IllegalArgumentException("the state has no variable " + variable + " but " + variables.keySet());
        }
        return value;
    }

    /** All of them, by name. */
    public Map<String, Val> all() {
        return variables;
    }

    /** The variables in which the two differ; one that only one has is among them. */
    public Set<String> differs(Values other) {
        Set<String> names = new TreeSet<>(variables.keySet());
        names.addAll(other.variables.keySet());
        names.removeIf(name -> variables.containsKey(name)
                && other.variables.containsKey(name)
                && get(name).equals(other.get(name)));
        return names;
    }

    /** The same with other values for some. */
    public Values with(Map<String, Val> changed) {
        Map<String, Val> all = new TreeMap<>(variables);
        all.putAll(changed);
        return new Values(all);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Values values && hash == values.hash && variables.equals(values.variables);
    }

    @Override
    public int hashCode() {
        return hash;
    }

    @Override
    public String toString() {
        return variables.toString();
    }
}
