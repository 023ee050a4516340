package io.tidemark.conformance.states;

import java.util.List;
import java.util.function.Consumer;

/** A walk along given actions, where chance would take too long. */
public final class Script {
    private Script() {}

    /**
     * From the first initial state.
     *
     * @param steps actions with their arguments, {@code HandleFetch b1 b2}; of several states that an action leads to the first,
     *     or the one that is counted: {@code KillProcess b2 #2}
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
        String[] parts = step.split(" #", -1);
        int which = parts.length > 1 ? Integer.parseInt(parts[1]) - 1 : 0;
        for (SpecModel.Instance instance : model.instances(step.split(" ", -1)[0])) {
            if (instance.toString().equals(parts[0])
                    && visit.successors(instance).size() > which) {
                return visit.successors(instance).get(which);
            }
        }
        throw new IllegalArgumentException(step + " is not enabled in " + visit.state());
    }
}
