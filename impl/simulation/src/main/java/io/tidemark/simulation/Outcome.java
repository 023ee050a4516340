package io.tidemark.simulation;

import io.tidemark.runtime.StepListener;
import org.jspecify.annotations.Nullable;

/**
 * What became of a plan.
 *
 * @param did what it did, of one that failed until then
 * @param failure null where it broke nothing
 */
public record Outcome(Simulation.Result did, @Nullable Failure failure) {
    /**
     * How a run failed.
     *
     * @param check the invariant that did not hold, or the kind of exception
     * @param kind {@code invariant}, or {@code exception} where the code threw what it should not
     * @param turns how many of the plan's turns had begun
     */
    public record Failure(String check, String kind, String message, int turns) {
        /** Whether the code threw what it should not: no promise was broken, but what ran is broken. */
        public boolean isException() {
            return kind.equals("exception");
        }

        /** Whether another run failed in the same way. */
        boolean isLike(@Nullable Failure other) {
            return other != null && check.equals(other.check) && kind.equals(other.kind);
        }
    }

    /** Runs a plan. */
    public static Outcome of(Plan plan) {
        return of(Simulation.of(plan));
    }

    private static Outcome of(Simulation simulation) {
        try {
            return new Outcome(simulation.run(), null);
        } catch (Violation violation) {
            return failed(simulation, violation.invariant(), "invariant", violation);
        } catch (RuntimeException | AssertionError broken) {
            return failed(simulation, broken.getClass().getSimpleName(), "exception", broken);
        }
    }

    private static Outcome failed(Simulation simulation, String check, String kind, Throwable cause) {
        Failure failure = new Failure(check, kind, String.valueOf(cause.getMessage()), simulation.turnsBegun());
        return new Outcome(simulation.soFar(), failure);
    }

    /** The last steps in words of a plan that fails: it is run again. */
    public static String story(Plan plan) {
        Simulation told = Simulation.of(plan, true, node -> StepListener.NONE);
        of(told);
        return told.story();
    }
}
