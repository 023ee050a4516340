package io.tidemark.cli.contract;

import java.io.PrintStream;
import java.util.concurrent.TimeUnit;

/** A moving line on a terminal; anywhere else one line every 10 s. Not thread-safe. */
public final class Progress implements AutoCloseable {
    private static final long QUIET_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final long MOVING_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    private final PrintStream err;
    private final boolean moving;
    private final boolean silent;
    private final int columns;
    private boolean drawn;
    private boolean any;
    private long lastNanos;

    Progress(PrintStream err, boolean moving, boolean silent, int columns) {
        this.err = err;
        this.moving = moving;
        this.silent = silent;
        this.columns = columns;
    }

    /** How long a line may be: what a moving line has room for, {@link Wrap#NOWHERE} where there is none. */
    public int room() {
        return moving ? columns - 1 : Wrap.NOWHERE;
    }

    /** Shows the line if it is time for one; cheap to call often. */
    public void update(String line) {
        long now = System.nanoTime();
        if (silent || (any && now - lastNanos < (moving ? MOVING_NANOS : QUIET_NANOS))) {
            return;
        }
        any = true;
        lastNanos = now;
        if (moving) {
            err.print("\r\033[K" + (line.length() < columns ? line : line.substring(0, columns - 1)));
            err.flush();
            drawn = true;
        } else {
            err.println(line);
        }
    }

    /** Takes the moving line away, so that another line can be printed. */
    public void clear() {
        if (drawn) {
            err.print("\r\033[K");
            err.flush();
            drawn = false;
        }
    }

    @Override
    public void close() {
        clear();
    }
}
