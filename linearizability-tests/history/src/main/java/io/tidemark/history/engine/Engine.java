package io.tidemark.history.engine;

import java.io.IOException;

/** Decides whether a history is one of its model. Engines share the reader, and those that search the models. */
public interface Engine {
    /** The name on the command line. */
    String name();

    /** Whether it can decide histories of this model. */
    boolean decides(HistoryModel model);

    /**
     * Reads the history and decides, within the budget.
     *
     * @throws IOException if the history cannot be read
     * @throws IllegalArgumentException if an operation is none of the model, or the options do not fit it
     */
    EngineResult check(HistorySource history, CheckOptions options) throws IOException;
}
