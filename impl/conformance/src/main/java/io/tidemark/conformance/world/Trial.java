package io.tidemark.conformance.world;

import io.tidemark.conformance.states.State;
import io.tidemark.core.SpecAction;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One input to a core that was started in a state of the specification. Variables are told by the specification's names, as
 * text; messages are told beside them where the step sends any.
 */
public interface Trial {
    /** What the core did. */
    record Outcome(@Nullable SpecAction action, Map<String, Object> variables) {}

    /** The specification's variables of the acting node before the input. */
    Map<String, Object> expectedBefore();

    /** What the core shows before the input. */
    Map<String, Object> before();

    /** Hands the input to the core. */
    Outcome apply();

    /** What the core must show if the specification goes to {@code next}; the state itself where it refuses the input. */
    Map<String, Object> expected(State next);
}
