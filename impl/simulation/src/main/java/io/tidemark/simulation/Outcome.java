package io.tidemark.simulation;

import io.tidemark.runtime.StepListener;
import org.jspecify.annotations.Nullable;

/**
 * What became of a plan: exactly one of the two is there.
 *
 * @param steps inputs that cores were given
 * @param simulatedMs virtual time
 */
public record Outcome(
        Plan plan,
        long steps,
        long simulatedMs,
        Simulation.@Nullable Result result,
        @Nullable Failure failure) {
    /**
     * How a run failed.
     *
     * @param check the invariant that did not hold, or the kind of exception
     * @param kind {@code invariant}, or {@code exception} where the code threw what it should not
     * @param turns how many of the plan's turns had begun
     */
    public record Failure(String check, String kind, String message, int turns) {
        /** Whether another run failed in the same way. */
        boolean isLike(@Nullable Failure other) {
            return other != null && check.equals(other.check) && kind.equals(other.kind);
        }
    }

    /** Runs a plan. */
    public static Outcome of(Plan plan) {
        return of(plan, Simulation.of(plan));
    }

    private static Outcome of(Plan plan, Simulation simulation) {
        try {
            Simulation.Result result = simulation.run();
            return new Outcome(plan, result.steps(), result.simulatedMs(), result, null);
        } catch (Violation violation) {
            return failed(plan, simulation, violation.invariant(), "invariant", violation);
        } catch (RuntimeException | AssertionError broken) {
            return failed(plan, simulation, broken.getClass().getSimpleName(), "exception", broken);
        }
    }

    private static Outcome failed(Plan plan, Simulation simulation, String check, String kind, Throwable cause) {
        Failure failure = new Failure(check, kind, String.valueOf(cause.getMessage()), simulation.turnsBegun());
        return new Outcome(plan, simulation.steps(), simulation.nowMs(), null, failure);
    }

    /** The last steps in words of a plan that fails: it is run again. */
    public static String story(Plan plan) {
        Simulation told = Simulation.of(plan, true, node -> StepListener.NONE);
        of(plan, told);
        return told.story();
    }
}
