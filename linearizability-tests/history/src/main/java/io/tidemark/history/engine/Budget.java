package io.tidemark.history.engine;

import java.time.Duration;

/**
 * What a check may take; where it does not suffice the outcome is {@link Outcome#UNKNOWN}.
 *
 * @param time of each engine by itself
 * @param bytes of the engine's own tables
 * @param steps of a search; a step looks at one configuration
 */
public record Budget(Duration time, long bytes, long steps) {
    /** 30 seconds, 1 GiB, any number of steps. */
    public static Budget standard() {
        return new Budget(Duration.ofSeconds(30), 1L << 30, Long.MAX_VALUE);
    }

    public Budget {
        if (time.isNegative() || time.isZero() || bytes <= 0 || steps <= 0) {
            throw new IllegalArgumentException("budget: time " + time + ", bytes " + bytes + ", steps " + steps
                    + "; expected more than 0 of each");
        }
    }

    public Budget withTime(Duration other) {
        return new Budget(other, bytes, steps);
    }
}
