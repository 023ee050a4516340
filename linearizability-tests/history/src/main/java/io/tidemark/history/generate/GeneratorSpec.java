package io.tidemark.history.generate;

import io.tidemark.history.engine.HistoryModel;

/**
 * What history to generate; the same spec gives the same history.
 *
 * @param operations invocations, at least; a history of a log adds those of its final read
 * @param processes that work at the same time
 * @param crashes operations of objects whose end is never learnt, at most; of logs they are a share of the sends
 * @param partitions of the log
 * @param fault what goes wrong, now and then
 */
public record GeneratorSpec(
        HistoryModel model, long seed, long operations, int processes, int crashes, int partitions, Fault fault) {
    public GeneratorSpec {
        if (operations < 1 || processes < 1 || crashes < 0 || partitions < 1) {
            throw new IllegalArgumentException(
                    "generate: operations " + operations + ", processes " + processes + ", crashes " + crashes
                            + ", partitions " + partitions + "; expected 1 or more, of crashes 0 or more");
        }
        if (fault.ofLog() != null && fault.ofLog() != (model == HistoryModel.LOG)) {
            throw new IllegalArgumentException("generate: the fault " + fault.label() + " is none of a "
                    + (model == HistoryModel.LOG ? "log" : model.label()));
        }
    }
}
