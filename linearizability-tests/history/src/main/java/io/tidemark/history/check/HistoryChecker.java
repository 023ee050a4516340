package io.tidemark.history.check;

import io.tidemark.history.Operation;
import io.tidemark.history.engine.CheckOptions;
import io.tidemark.history.engine.Engine;
import io.tidemark.history.engine.EngineResult;
import io.tidemark.history.engine.HistoryModel;
import io.tidemark.history.engine.HistorySource;
import io.tidemark.history.engine.Outcome;
import io.tidemark.history.wgl.WglEngine;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Checks histories: finds out what a history is of, asks the engines, and holds their answers against each other. For a
 * history of a log that is {@link LogEngine}, for anything else {@link WglEngine}, unless other engines are asked for.
 */
public final class HistoryChecker {
    /** The cause where one engine says VALID and another INVALID: neither is believed. */
    public static final String ENGINES_DISAGREE = "ENGINES_DISAGREE";

    public static final String NO_FINAL_READ = "NO_FINAL_READ";
    public static final String NOT_ENOUGH = "BUDGET";
    public static final String EMPTY = "EMPTY_HISTORY";

    private HistoryChecker() {}

    /**
     * Checks a file with what fits it.
     *
     * @throws IOException if it cannot be read, or is malformed; an {@link io.tidemark.history.edn.EdnException} tells the
     *     place
     */
    public static HistoryResult check(Path file) throws IOException {
        return check(HistorySource.of(file), null, UnaryOperator.identity(), List.of());
    }

    /** Checks a history that is in memory with what fits it. */
    public static HistoryResult check(List<Operation> history) throws IOException {
        return check(HistorySource.of(history), null, UnaryOperator.identity(), List.of());
    }

    /**
     * Checks a history.
     *
     * @param model what it is of, null to find out
     * @param options changes the defaults of the model
     * @param engines those to ask, empty for the one that fits
     * @throws IllegalArgumentException if no model knows its operations and none was named, if an engine cannot decide it,
     *     or an operation does not fit the model
     */
    public static HistoryResult check(
            HistorySource history,
            @Nullable HistoryModel model,
            UnaryOperator<CheckOptions> options,
            List<Engine> engines)
            throws IOException {
        HistoryModel found = model == null ? modelOf(history) : model;
        CheckOptions all = options.apply(CheckOptions.of(found));
        Census census = new Census();
        List<EngineResult> results = new ArrayList<>();
        for (Engine engine : engines.isEmpty() ? List.of(fitting(found)) : engines) {
            if (!engine.decides(found)) {
                throw new IllegalArgumentException(
                        "engine " + engine.name() + " does not decide histories of the model " + found.label());
            }
            results.add(engine.check(results.isEmpty() ? counted(history, census) : history, all));
        }
        if (model == null && census.invoked() == 0) {
            return result(Outcome.UNKNOWN, EMPTY, "there is no operation of a client", found, census, results);
        }
        HistoryResult combined = combine(found, census, results);
        boolean answered = census.count(Operation.Type.OK) + census.count(Operation.Type.FAIL) > 0;
        // Of nothing at all, a model that was named by hand holds, as in Knossos.
        return combined.outcome() == Outcome.VALID && census.invoked() > 0 && !answered
                ? result(Outcome.UNKNOWN, EMPTY, "no operation of a client was answered", found, census, results)
                : combined;
    }

    private static HistorySource counted(HistorySource history, Census census) {
        return sink -> history.forEach(op -> {
            census.add(op);
            return sink.test(op);
        });
    }

    /** Reads as much as it takes; one without operations is as good as one of a log. */
    private static HistoryModel modelOf(HistorySource history) throws IOException {
        Census census = new Census();
        history.forEach(op -> {
            census.add(op);
            return !census.isClear();
        });
        HistoryModel found = census.model();
        if (found == null && !census.functions().isEmpty()) {
            throw new IllegalArgumentException(
                    "no model has the operations " + String.join(", ", census.functions()) + "; expected --model");
        }
        return found == null ? HistoryModel.LOG : found;
    }

    private static Engine fitting(HistoryModel model) {
        return model == HistoryModel.LOG ? new LogEngine() : new WglEngine();
    }

    /** Never a vote: engines that differ leave it open. */
    private static HistoryResult combine(HistoryModel model, Census census, List<EngineResult> results) {
        EngineResult valid = first(results, Outcome.VALID);
        EngineResult invalid = first(results, Outcome.INVALID);
        if (valid != null && invalid != null && contradict(valid, invalid)) {
            return result(
                    Outcome.UNKNOWN,
                    ENGINES_DISAGREE,
                    "engine " + valid.engine() + " says valid, engine " + invalid.engine() + " says invalid",
                    model,
                    census,
                    results);
        }
        if (invalid != null) {
            return result(Outcome.INVALID, null, null, model, census, results);
        }
        if (valid != null) {
            return result(Outcome.VALID, null, null, model, census, results);
        }
        EngineResult unknown = Objects.requireNonNull(first(results, Outcome.UNKNOWN));
        String cause = Objects.requireNonNull(unknown.cause());
        return result(
                Outcome.UNKNOWN,
                cause.startsWith("no complete final read") ? NO_FINAL_READ : NOT_ENOUGH,
                cause,
                model,
                census,
                results);
    }

    /** The log engine judges more than linearizability: what it alone can see is no contradiction. */
    private static boolean contradict(EngineResult valid, EngineResult invalid) {
        return valid.engine().equals(LogEngine.NAME)
                || invalid.findings().stream().anyMatch(finding -> finding.againstOrder() && !finding.allowed());
    }

    private static @Nullable EngineResult first(List<EngineResult> results, Outcome outcome) {
        return results.stream()
                .filter(result -> result.outcome() == outcome)
                .findFirst()
                .orElse(null);
    }

    private static HistoryResult result(
            Outcome outcome,
            @Nullable String code,
            @Nullable String cause,
            HistoryModel model,
            Census census,
            List<EngineResult> engines) {
        return new HistoryResult(
                outcome,
                code,
                cause,
                model,
                census.invoked(),
                census.count(Operation.Type.OK),
                census.count(Operation.Type.FAIL),
                census.count(Operation.Type.INFO),
                census.processes(),
                census.finalRead(),
                census.partitionsFinallyRead(),
                census.partitionsReadWhole(),
                engines);
    }
}
