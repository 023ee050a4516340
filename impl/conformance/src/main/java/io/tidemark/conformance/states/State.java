package io.tidemark.conformance.states;

/** A state by the specification's variables, wherever it comes from: TLC, a saved trace, or the code. */
public interface State {
    /**
     * The value of a variable.
     *
     * @throws IllegalArgumentException if the state has no such variable
     */
    Val get(String variable);

    /** Of a variable that is a function. */
    default Val get(String variable, String key) {
        return get(variable).at(key);
    }
}
