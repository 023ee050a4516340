package io.tidemark.spec.trace;

import io.tidemark.spec.SpecException;
import io.tidemark.spec.tlc.TlcResult.PrintedState;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A behaviour that TLC found.
 *
 * @param model the name of what was checked
 * @param module its root module
 * @param violated the property that it breaks, or {@code deadlock}; null where TLC does not say
 * @param steps the states, the first initial
 * @param loop the index of the step to which the last one leads back, null where the behaviour ends or stays as it is
 * @param stutters the last state stays for ever
 */
public record Counterexample(
        String model,
        String module,
        @Nullable String violated,
        List<Step> steps,
        @Nullable Integer loop,
        boolean stutters) {
    /**
     * A state and how it was reached.
     *
     * @param action the action of the specification; {@code Init} for the first state
     * @param arguments of the action, null where not known
     * @param state the variables
     */
    public record Step(String action, @Nullable List<String> arguments, Map<String, TlaValue> state) {
        /** {@code Action(a, b)}, or the name alone. */
        public String call() {
            return arguments == null || arguments.isEmpty()
                    ? action
                    : action + "(" + String.join(", ", arguments) + ")";
        }
    }

    private static final Pattern BACK = Pattern.compile("Back to state.*");
    private static final Pattern CALL = Pattern.compile("(\\w+)\\((.*)\\)");

    public Counterexample {
        steps = List.copyOf(steps);
    }

    /** From what TLC printed; null where it printed no state. */
    public static @Nullable Counterexample of(
            String model, String module, @Nullable String violated, List<PrintedState> printed) {
        List<Step> steps = new ArrayList<>();
        Integer loop = null;
        boolean stutters = false;
        for (PrintedState state : printed) {
            if (state.action().startsWith("Stuttering")) {
                stutters = true;
            } else if (BACK.matcher(state.action()).matches()) {
                // "2: Back to state: <Action ...>": the number is that of the state which follows again.
                loop = state.number() - 1;
            } else {
                steps.add(step(state));
            }
        }
        return steps.isEmpty() ? null : new Counterexample(model, module, violated, steps, loop, stutters);
    }

    private static Step step(PrintedState printed) {
        String action = printed.action().startsWith("Initial predicate") ? "Init" : printed.action();
        Matcher call = CALL.matcher(action);
        List<String> arguments = null;
        if (call.matches()) {
            action = call.group(1);
            arguments = List.of(call.group(2).split(", *", -1));
        }
        try {
            return new Step(action, arguments, ValueParser.state(printed.text()));
        } catch (IllegalArgumentException e) {
            throw new SpecException(
                    SpecException.Kind.INPUT,
                    "state " + printed.number() + " of the counterexample",
                    String.valueOf(e.getMessage()),
                    "what TLC prints");
        }
    }

    /** The same with the steps' arguments. */
    public Counterexample with(List<Step> told) {
        return new Counterexample(model, module, violated, told, loop, stutters);
    }
}
