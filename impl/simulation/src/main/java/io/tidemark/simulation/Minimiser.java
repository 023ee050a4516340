package io.tidemark.simulation;

import java.util.ArrayList;
import java.util.List;

/**
 * Takes away from a plan that fails what its failure does not need (delta debugging): turns first, then partitions under
 * load, then time. The seed stays; each turn has its details from its own draw, so that the others keep theirs.
 */
public final class Minimiser {
    /** Runs plans, several at once where it can. */
    public interface Trial {
        /** The index of the first plan that still fails in the same way; -1 where none does, or there is no time left. */
        int firstFailing(List<Plan> plans);

        /** Whether there is no time left; asked where there is more to try, and then what is found so far is the result. */
        boolean timeIsUp();
    }

    private final Trial trial;

    /** A minimiser over a way to run plans. */
    public Minimiser(Trial trial) {
        this.trial = trial;
    }

    /** One after the other, with no limit of time. */
    public static Trial oneByOne(Outcome.Failure failure) {
        return new Trial() {
            @Override
            public int firstFailing(List<Plan> plans) {
                for (int i = 0; i < plans.size(); i++) {
                    if (fails(plans.get(i), failure)) {
                        return i;
                    }
                }
                return -1;
            }

            @Override
            public boolean timeIsUp() {
                return false;
            }
        };
    }

    /** Whether a plan fails in that way. */
    public static boolean fails(Plan plan, Outcome.Failure failure) {
        return failure.isLike(Outcome.of(plan).failure());
    }

    /**
     * A plan that fails in the same way, without what it does not need for that.
     *
     * @param failed how the plan failed; turns that had not begun by then are left out at once
     */
    public Plan minimise(Plan plan, Outcome.Failure failed) {
        Plan begun = plan.withTurns(plan.turns().subList(0, failed.turns()));
        Plan fewerTurns = fewerTurns(begun);
        return shorter(fewerPartitions(fewerTurns));
    }

    private Plan fewerTurns(Plan start) {
        Plan best = start;
        int chunks = 2;
        while (!best.turns().isEmpty() && !trial.timeIsUp()) {
            chunks = Math.min(chunks, best.turns().size());
            List<Plan> candidates = new ArrayList<>();
            for (int i = 0; i < chunks; i++) {
                candidates.add(best.withTurns(without(best.turns(), i, chunks)));
            }
            int found = trial.firstFailing(candidates);
            if (found >= 0) {
                best = candidates.get(found);
                chunks = Math.max(2, chunks - 1);
            } else if (chunks == best.turns().size()) {
                return best;
            } else {
                chunks *= 2;
            }
        }
        return best;
    }

    private static List<Turn> without(List<Turn> turns, int chunk, int chunks) {
        int from = turns.size() * chunk / chunks;
        int to = turns.size() * (chunk + 1) / chunks;
        List<Turn> rest = new ArrayList<>(turns.subList(0, from));
        rest.addAll(turns.subList(to, turns.size()));
        return rest;
    }

    private Plan fewerPartitions(Plan start) {
        Plan best = start;
        while (best.written().size() > 1 && !trial.timeIsUp()) {
            List<Plan> candidates = new ArrayList<>();
            for (Integer left : best.written()) {
                candidates.add(best.withWritten(best.written().stream()
                        .filter(each -> !each.equals(left))
                        .toList()));
            }
            int found = trial.firstFailing(candidates);
            if (found < 0) {
                return best;
            }
            best = candidates.get(found);
        }
        return best;
    }

    private Plan shorter(Plan start) {
        int last = start.turns().size() - 1;
        long lastMs = last < 0 ? 0 : start.turns().get(last).atMs();
        List<Plan> candidates = new ArrayList<>();
        for (long behindMs = 1_000; lastMs + behindMs < start.forMs(); behindMs *= 2) {
            candidates.add(start.withForMs(lastMs + behindMs));
        }
        int found = candidates.isEmpty() || trial.timeIsUp() ? -1 : trial.firstFailing(candidates);
        return found < 0 ? start : candidates.get(found);
    }
}
