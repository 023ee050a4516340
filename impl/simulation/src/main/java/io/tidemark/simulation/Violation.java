package io.tidemark.simulation;

/** An invariant that does not hold: of the specification, of the simulator, or of whoever uses it. */
public final class Violation extends AssertionError {
    private static final long serialVersionUID = 1L;
    private final String invariant;

    /**
     * Ends a run.
     *
     * @param invariant its name, the specification's where it is one of it
     */
    public Violation(String invariant, String message) {
        super(invariant + ": " + message);
        this.invariant = invariant;
    }

    /** The invariant's name. */
    public String invariant() {
        return invariant;
    }
}
