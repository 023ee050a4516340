package io.tidemark.core;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one input did: the spec action that was taken and the effects, to be carried out in order.
 *
 * @param action null when the input was refused or is {@code code-only}: every spec variable is then as before
 * @param effects never null; may hold a reply even when the action is null (a refusal is answered)
 * @param <E> the effects of the state machine that was asked
 */
public record Step<E>(@Nullable SpecAction action, List<E> effects) {
    public Step {
        effects = List.copyOf(effects);
    }

    /** A step of the spec. */
    public static <E> Step<E> of(SpecAction action, List<E> effects) {
        return new Step<>(action, effects);
    }

    /** Nothing of the spec's state changed. */
    public static <E> Step<E> stutter(List<E> effects) {
        return new Step<>(null, effects);
    }
}
