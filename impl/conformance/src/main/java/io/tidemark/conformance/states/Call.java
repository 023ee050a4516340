package io.tidemark.conformance.states;

/** An action of the specification with its arguments. */
public interface Call {
    String name();

    /**
     * The argument of a parameter.
     *
     * @throws IllegalArgumentException if the action has no such parameter
     */
    Val arg(String parameter);
}
