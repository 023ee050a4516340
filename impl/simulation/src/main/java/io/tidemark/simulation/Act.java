package io.tidemark.simulation;

/** What happens to a cluster from outside, at a moment of a {@link Plan}: a fault, or what its operator does. */
public sealed interface Act permits Fault, Chore {
    /** The name, lower case with dashes. */
    String label();
}
