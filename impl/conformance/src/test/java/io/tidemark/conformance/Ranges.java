package io.tidemark.conformance;

import io.tidemark.conformance.states.SpecState;
import io.tidemark.conformance.states.Val;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Which variables are ever different in the states that were compared. */
final class Ranges {
    private final Map<String, Val> first = new TreeMap<>();
    private final Set<String> fixed;

    Ranges(Collection<String> variables) {
        fixed = new TreeSet<>(variables);
    }

    void see(SpecState state) {
        fixed.removeIf(variable -> {
            Val value = state.get(variable);
            return !first.computeIfAbsent(variable, name -> value).equals(value);
        });
    }

    /** The variables that had one value in all states. */
    Set<String> fixed() {
        return fixed;
    }
}
