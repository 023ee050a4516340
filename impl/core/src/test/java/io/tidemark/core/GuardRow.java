package io.tidemark.core;

import java.util.List;

/**
 * A row of {@code spec/guards.tsv}.
 *
 * @param guard {@link Guard#specName}
 * @param inCode the invariant that breaks in the code where it is off, or {@code liveness: why} or {@code none: why}; - where
 *     the code does not have it yet
 */
record GuardRow(String guard, String action, String rule, String inCode) {
    static final List<GuardRow> ALL =
            SpecTable.read("guards.tsv", "guard", "action", "places", "rule", "violated", "in code", "source").stream()
                    .map(cells -> new GuardRow(cells[0], cells[1], cells[3], cells[5]))
                    .toList();

    static GuardRow of(Guard guard) {
        return ALL.stream()
                .filter(row -> row.guard.equals(guard.specName()))
                .findFirst()
                .orElseThrow();
    }

    /** What the guard's {@link Tooth} must show. */
    String broken() {
        int why = inCode.indexOf(':');
        return why < 0 ? inCode : inCode.substring(0, why);
    }
}
