package io.tidemark.core;

import java.util.List;

/**
 * A row of {@code spec/guards.tsv}.
 *
 * @param guard {@link Guard#specName}
 * @param violated the invariant that breaks where it is off, or {@code liveness: why} or {@code none: why}
 */
record GuardRow(String guard, String action, String rule, String violated, String source) {
    static final List<GuardRow> ALL =
            SpecTable.read("guards.tsv", "guard", "action", "rule", "violated", "source").stream()
                    .map(cells -> new GuardRow(cells[0], cells[1], cells[2], cells[3], cells[4]))
                    .toList();

    static GuardRow of(Guard guard) {
        return ALL.stream()
                .filter(row -> row.guard.equals(guard.specName()))
                .findFirst()
                .orElseThrow();
    }

    /** What the guard's {@link Tooth} must show. */
    String broken() {
        int why = violated.indexOf(':');
        return why < 0 ? violated : violated.substring(0, why);
    }
}
