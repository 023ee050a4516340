package io.tidemark.conformance.states;

import java.util.List;
import java.util.function.Consumer;

/** A walk along given actions, where chance would take too long. */
public final class Script {
    private Script() {}

    /**
     * From the first initial state; where an action leads to several states, to the first of them.
     *
     * @param steps actions with their arguments: {@code HandleFetch b1 b2}
     * @param visitor sees every state on the way
     * @throws IllegalArgumentException if a step is not enabled where it stands
     */
    public static void follow(SpecModel model, List<String> steps, Consumer<Visit> visitor) {
        Visit visit = new Visit(model, model.initial().get(0));
        visitor.accept(visit);
        for (String step : steps) {
            visit = new Visit(model, next(model, step, visit));
            visitor.accept(visit);
        }
    }

    private static SpecState next(SpecModel model, String step, Visit visit) {
        for (SpecModel.Instance instance : model.instances(step.split(" ", -1)[0])) {
            if (instance.toString().equals(step) && !visit.successors(instance).isEmpty()) {
                return visit.successors(instance).get(0);
            }
        }
        throw new IllegalArgumentException(step + " is not enabled in " + visit.state());
    }
}
