package io.tidemark.history.wgl;

import io.tidemark.history.engine.Budget;
import io.tidemark.history.engine.CheckOptions;
import io.tidemark.history.engine.Engine;
import io.tidemark.history.engine.EngineResult;
import io.tidemark.history.engine.Finding;
import io.tidemark.history.engine.HistoryModel;
import io.tidemark.history.engine.HistorySource;
import io.tidemark.history.engine.Outcome;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decides by search whether a history is linearizable. Parts that do not touch each other are searched side by side, a
 * slice each in turn, so that the first one without an order ends the work. Time, memory and steps are limited inside the
 * search; it stops within a few hundred steps once it is cancelled.
 */
public final class WglEngine implements Engine {
    public static final String NAME = "wgl";

    private static final int SLICE = 256;
    private static final int MAX_SLICES = 1 << 10;

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public boolean decides(HistoryModel model) {
        return true;
    }

    @Override
    public EngineResult check(HistorySource history, CheckOptions options) throws IOException {
        long start = System.nanoTime();
        Limits limits = new Limits(options, start);
        Problems problems = Problems.of(history, options);
        Searches searches = new Searches(problems.parts(), options.budget(), limits);
        searches.run();
        Search illegal = searches.illegal();
        List<Finding> findings = illegal == null
                ? List.of()
                : List.of(Witness.of(illegal, options.budget(), limits).finding(options.model()));
        String cause = searches.cause();
        if (illegal != null) {
            cause = Problems.doubt(options);
        }
        Outcome outcome = cause != null ? Outcome.UNKNOWN : illegal != null ? Outcome.INVALID : Outcome.VALID;
        return new EngineResult(
                NAME,
                outcome,
                cause,
                (System.nanoTime() - start) / 1_000_000,
                searches.peakBytes(),
                outcome == Outcome.INVALID ? findings : List.of(),
                problems.notes(NAME, options));
    }

    /** When a search has to stop, asked every few hundred steps. */
    static final class Limits {
        private final CheckOptions options;
        private final long start;
        private final long nanos;

        Limits(CheckOptions options, long start) {
            this.options = options;
            this.start = start;
            this.nanos = options.budget().time().toNanos();
        }

        boolean cancelled() {
            return options.cancelled().getAsBoolean() || Thread.currentThread().isInterrupted();
        }

        boolean outOfTime() {
            return System.nanoTime() - start > nanos;
        }
    }

    /** The searches of all parts, in turn. */
    private static final class Searches {
        private final List<Search> running = new ArrayList<>();
        private final Budget budget;
        private final Limits limits;
        private @Nullable Search illegal;
        private @Nullable String cause;
        private long peakBytes;
        private long steps;

        Searches(List<Problem> problems, Budget budget, Limits limits) {
            this.budget = budget;
            this.limits = limits;
            problems.forEach(problem -> running.add(new Search(problem, budget.bytes())));
        }

        void run() {
            int slices = 1;
            while (!running.isEmpty() && illegal == null && cause == null) {
                List<Search> left = new ArrayList<>();
                for (Search search : running) {
                    if (illegal != null || cause != null) {
                        break;
                    }
                    Search.Status status = slice(search, slices);
                    if (status == Search.Status.RUNNING) {
                        left.add(search);
                    } else if (status == Search.Status.INVALID) {
                        illegal = search;
                    } else if (status == Search.Status.OUT_OF_MEMORY) {
                        cause = "the memory budget of " + budget.bytes() + " bytes did not suffice";
                    }
                    peakBytes = Math.max(peakBytes, search.peakBytes());
                }
                running.clear();
                running.addAll(left);
                slices = Math.min(slices * 2, MAX_SLICES);
                long bytes = running.stream().mapToLong(Search::peakBytes).sum();
                peakBytes = Math.max(peakBytes, bytes);
                if (bytes > budget.bytes() && illegal == null) {
                    cause = "the memory budget of " + budget.bytes() + " bytes did not suffice";
                }
            }
        }

        private Search.Status slice(Search search, int slices) {
            for (int i = 0; i < slices && search.status() == Search.Status.RUNNING; i++) {
                if (limits.cancelled()) {
                    cause = "cancelled";
                } else if (limits.outOfTime()) {
                    cause = "the time budget of " + budget.time().toMillis() + " ms did not suffice";
                } else if (steps >= budget.steps()) {
                    cause = "the budget of " + budget.steps() + " steps did not suffice";
                }
                if (cause != null) {
                    return Search.Status.RUNNING;
                }
                long before = search.steps();
                search.run(Math.min(SLICE, budget.steps() - steps));
                steps += search.steps() - before;
            }
            return search.status();
        }

        @Nullable
        Search illegal() {
            return illegal;
        }

        @Nullable
        String cause() {
            return cause;
        }

        long peakBytes() {
            return peakBytes;
        }
    }
}
