package io.tidemark.history.wgl;

import io.tidemark.history.engine.CheckOptions;
import io.tidemark.history.engine.HistoryModel;
import io.tidemark.history.engine.HistorySource;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is to be put into an order: a history's parts that do not touch each other. {@link WglEngine} searches them, and so
 * may any other search.
 *
 * @param untold how many operations were answered, and yet tell nothing
 */
public record Problems(List<Problem> parts, long untold) {
    public Problems {
        parts = List.copyOf(parts);
    }

    /**
     * Reads a history; ends early where it is cancelled.
     *
     * @throws IOException if the history cannot be read
     * @throws IllegalArgumentException if an operation is none of the model, or the options do not fit it
     */
    public static Problems of(HistorySource history, CheckOptions options) throws IOException {
        Untold untold = new Untold();
        List<Problem> parts = options.model() == HistoryModel.LOG
                ? ofLog(history, options, untold)
                : ofObjects(calls(history, options), options, untold);
        return new Problems(parts, untold.answered());
    }

    /** Why an order that cannot be found is no proof; null where it is one. */
    public static @Nullable String doubt(CheckOptions options) {
        return options.model() == HistoryModel.LOG && !options.idempotent()
                ? "a retry may append a record twice, which the model of a log does not know"
                : null;
    }

    /**
     * What a verdict about these says nothing about.
     *
     * @param engine the name of the engine that gives it
     */
    public List<String> notes(String engine, CheckOptions options) {
        List<String> notes = new ArrayList<>();
        if (untold > 0) {
            notes.add(untold + " reads of nil tell nothing: nothing can have put nil there");
        }
        if (options.model() == HistoryModel.LOG) {
            notes.add("engine " + engine
                    + " judges the order in the log alone, not that of one client's records and one reader's polls");
        }
        return notes;
    }

    private static List<Problem> ofLog(HistorySource history, CheckOptions options, Untold untold) throws IOException {
        LogCalls log = new LogCalls(options.strongReads());
        history.forEach(op -> {
            log.add(op);
            return !options.cancelled().getAsBoolean();
        });
        return log.problems(untold);
    }

    private static List<Call> calls(HistorySource history, CheckOptions options) throws IOException {
        Calls paired = new Calls();
        int[] at = new int[1];
        history.forEach(op -> {
            paired.add(op, at[0]++);
            return !options.cancelled().getAsBoolean();
        });
        return paired.calls();
    }

    private static List<Problem> ofObjects(List<Call> calls, CheckOptions options, Untold untold) {
        return switch (options.model()) {
            case REGISTER -> List.of(RegisterModel.problem(calls, options.initial(), false, untold));
            case CAS_REGISTER -> List.of(RegisterModel.problem(calls, options.initial(), true, untold));
            case MULTI_REGISTER -> List.of(MultiRegisterModel.problem(calls, options.initial(), untold));
            case MUTEX -> List.of(SwitchModel.mutex(calls, untold));
            case KV -> KvModel.problems(calls, options.partitioned(), untold);
            case TOPIC -> SwitchModel.topics(calls, untold);
            case LOG -> throw new IllegalArgumentException("a log has partitions, not calls of an object");
        };
    }
}
