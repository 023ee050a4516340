package io.tidemark.core;

import java.util.EnumSet;
import java.util.Set;

/**
 * Which guards are on: the code's counterpart of the spec's constant {@code Off}. A node runs with {@link #ALL}; a test
 * or a mutant of the simulator switches single guards off to show that something notices.
 */
public final class Guards {
    /** Every guard on. */
    public static final Guards ALL = new Guards(EnumSet.noneOf(Guard.class));

    private final EnumSet<Guard> off;

    private Guards(EnumSet<Guard> off) {
        this.off = off;
    }

    /** For tests and mutants only; an architecture test keeps it out of a node. */
    public static Guards without(Guard first, Guard... rest) {
        return new Guards(EnumSet.of(first, rest));
    }

    /** For tests, mutants and replays only; an architecture test keeps it out of a node. */
    public static Guards without(Set<Guard> off) {
        return off.isEmpty() ? ALL : new Guards(EnumSet.copyOf(off));
    }

    public boolean on(Guard guard) {
        return !off.contains(guard);
    }
}
