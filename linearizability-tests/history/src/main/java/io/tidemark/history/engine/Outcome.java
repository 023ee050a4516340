package io.tidemark.history.engine;

/** What a check says of a history. */
public enum Outcome {
    VALID,
    INVALID,
    /** Time, memory or evidence did not suffice; the cause says which. */
    UNKNOWN
}
