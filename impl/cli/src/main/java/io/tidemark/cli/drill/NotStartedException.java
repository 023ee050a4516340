package io.tidemark.cli.drill;

/**
 * The cluster, or the topic on it, was not ready for the load: a node ended, or not all were ready in time. That says
 * nothing about the log, and is no defect by itself: the drill's verdict is UNKNOWN.
 */
final class NotStartedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** @param message what was not ready or ended, and where to look, in a line */
    NotStartedException(String message) {
        super(message);
    }
}
