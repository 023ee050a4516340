package io.tidemark.core;

import org.jspecify.annotations.Nullable;

/**
 * What shows that a guard is needed: schedules that end well with every guard on, and badly with that one off.
 *
 * @param seeds how many schedules there are; 1 for a story told by hand
 */
public record Tooth(int seeds, Schedule schedule) {
    /** A guard that is off, and no progress any more (or no end of disturbances). */
    public static final String LIVENESS = "liveness";
    /** A guard that is off, and a handler that accepts what it refused, which harms nothing. */
    public static final String NONE = "none";

    /** One run; the same seed gives the same run. */
    @FunctionalInterface
    public interface Schedule {
        /** The name of the invariant that breaks first, {@link #LIVENESS}, {@link #NONE}; null if all is well. */
        @Nullable
        String broken(Guards guards, int seed);
    }

    /** A story, or a handler that is asked once. */
    @FunctionalInterface
    public interface Story {
        @Nullable
        String broken(Guards guards);
    }

    public static Tooth story(Story story) {
        return new Tooth(1, (guards, seed) -> story.broken(guards));
    }

    /** No invariant breaks, but the condition shows {@code what}. */
    public static @Nullable String when(boolean condition, String what) {
        return condition ? what : null;
    }
}
