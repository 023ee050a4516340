package io.tidemark.runtime;

import io.tidemark.runtime.port.EventLoop;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Something that is tried until it is settled: at most one attempt is under way, and one timer starts the next. Used from
 * its loop alone.
 */
public final class Attempts {
    private static final long NEVER = Long.MAX_VALUE;

    private final EventLoop loop;
    private final Runnable attempt;
    private EventLoop.Timer timer = () -> {};
    private long dueMs = NEVER;
    private boolean underWay;

    /** {@code attempt} is run for each; it calls {@link #begin} where it asks somebody. */
    public Attempts(EventLoop loop, Runnable attempt) {
        this.loop = loop;
        this.attempt = attempt;
    }

    /** Tries in {@code delayMs}; not if one is under way, or due before that. */
    public void in(long delayMs) {
        long at = loop.nowMs() + delayMs;
        if (!underWay && at < dueMs) {
            timer.cancel();
            dueMs = at;
            timer = loop.schedule(delayMs, this::now);
        }
    }

    /** Tries now, unless an attempt is under way. */
    public void now() {
        timer.cancel();
        dueMs = NEVER;
        if (!underWay) {
            attempt.run();
        }
    }

    /** An attempt is under way until what is returned is given its answer, and hands it on. */
    public <A extends @Nullable Object> Consumer<A> begin(Consumer<A> answered) {
        underWay = true;
        return answer -> {
            underWay = false;
            answered.accept(answer);
        };
    }
}
