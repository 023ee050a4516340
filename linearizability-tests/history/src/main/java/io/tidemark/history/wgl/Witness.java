package io.tidemark.history.wgl;

import io.tidemark.history.engine.Budget;
import io.tidemark.history.engine.Finding;
import io.tidemark.history.engine.HistoryModel;
import io.tidemark.history.log.PartitionKey;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;

/**
 * Operations that contradict each other whatever all others did: found by taking the demands off one operation after the
 * other ({@link Problem#relaxed}) for as long as there is no order still. The sentence is about the last such problem, in
 * which the others may have happened at any time.
 */
final class Witness {
    private static final long STEPS_OF_A_TRY = 4_000;
    private static final long MAX_STEPS = 150_000;
    private static final int SLICE = 256;
    private static final long MAX_NANOS = 5_000_000_000L;

    private final WglEngine.Limits limits;
    private final long maxBytes;
    private final long deadline;
    private Search stuck;
    private Problem problem;

    /** The operations that are needed; {@link #stuck} holds what else may have happened as well. */
    private Problem witness;

    private boolean minimal;
    private long steps;

    private Witness(Search illegal, Budget budget, WglEngine.Limits limits) {
        this.limits = limits;
        this.maxBytes = budget.bytes();
        this.deadline = System.nanoTime() + Math.min(MAX_NANOS, budget.time().toNanos() / 2 + 1);
        this.stuck = illegal;
        this.problem = illegal.problem();
        this.witness = problem;
    }

    static Witness of(Search illegal, Budget budget, WglEngine.Limits limits) {
        Witness witness = new Witness(illegal, budget, limits);
        witness.cut();
        witness.relax();
        return witness;
    }

    /** What begins behind the end that no order reaches has no part in it. */
    private void cut() {
        Problem shorter = problem.before(problem.endedAt[stuck.stuckAt()]);
        Search search = new Search(shorter, maxBytes);
        if (run(search, MAX_STEPS) == Search.Status.INVALID) {
            stuck = search;
            problem = shorter;
        }
    }

    private void relax() {
        boolean[] free = new boolean[problem.size()];
        boolean changed = true;
        boolean decided = true;
        while (changed && !outOfTime()) {
            changed = false;
            decided = true;
            for (int chunk = Math.max(1, free.length / 2); chunk >= 1; chunk /= 2) {
                for (int from = 0; from < free.length && !outOfTime(); from += chunk) {
                    Attempt attempt = tryFree(free, from, Math.min(free.length, from + chunk));
                    changed |= attempt == Attempt.FREED;
                    decided &= chunk > 1 || attempt != Attempt.UNDECIDED;
                }
            }
        }
        boolean[] kept = new boolean[free.length];
        for (int i = 0; i < free.length; i++) {
            kept[i] = !free[i];
        }
        witness = problem.keep(kept);
        minimal = decided && !outOfTime();
    }

    private enum Attempt {
        NOTHING_TO_DO,
        FREED,
        NEEDED,
        UNDECIDED
    }

    private Attempt tryFree(boolean[] free, int from, int to) {
        boolean[] more = free.clone();
        Arrays.fill(more, from, to, true);
        if (Arrays.equals(more, free)) {
            return Attempt.NOTHING_TO_DO;
        }
        Search search = new Search(problem.relaxed(more), maxBytes);
        return switch (run(search, STEPS_OF_A_TRY)) {
            case INVALID -> {
                Arrays.fill(free, from, to, true);
                stuck = search;
                yield Attempt.FREED;
            }
            case VALID -> Attempt.NEEDED;
            default -> Attempt.UNDECIDED;
        };
    }

    private boolean outOfTime() {
        return limits.cancelled() || System.nanoTime() > deadline || steps > MAX_STEPS;
    }

    private Search.Status run(Search search, long most) {
        for (long done = 0; done < most && search.status() == Search.Status.RUNNING; done += SLICE) {
            if (outOfTime()) {
                return Search.Status.RUNNING;
            }
            search.run(SLICE);
            steps += SLICE;
        }
        return search.status();
    }

    Finding finding(HistoryModel model) {
        Problem told = stuck.problem();
        Call call = told.call[stuck.stuckAt()];
        TreeSet<Long> operations = new TreeSet<>();
        for (Call involved : witness.call) {
            operations.add(involved.invokeOp());
            if (involved.endOp() >= 0) {
                operations.add(involved.endOp());
            }
        }
        int operation = told.operation[stuck.stuckAt()];
        List<Integer> found = stuck.stuckStates();
        List<Integer> states = found.isEmpty() ? List.of(told.model.initial()) : found;
        String needs = states.stream()
                .map(state -> told.model.needs(state, operation))
                .filter(text -> !text.isEmpty())
                .findFirst()
                .orElse("");
        String explanation = "process " + call.process() + " " + told.model.operation(operation) + " (operations "
                + call.invokeOp() + " and " + call.endOp() + "), "
                + (needs.isEmpty()
                        ? "but no order of the others explains it"
                        : "which needs " + needs + ", and no order of the others gives it that")
                + "; with those that bear on it, " + told.model.states(states);
        String part = problem.part;
        PartitionKey key = part == null || model == HistoryModel.KV ? null : PartitionKey.of(part);
        return new Finding(
                "not-linearizable",
                key == null ? null : model == HistoryModel.LOG ? key.topic() : part,
                key == null || model != HistoryModel.LOG ? null : key.partition(),
                null,
                1,
                false,
                true,
                List.copyOf(operations),
                minimal,
                explanation);
    }
}
