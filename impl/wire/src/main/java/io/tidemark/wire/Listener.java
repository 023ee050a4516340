package io.tidemark.wire;

/** The kinds of listener that a node has. */
public enum Listener {
    BROKER,
    CONTROLLER
}
