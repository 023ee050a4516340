package io.tidemark.spec.model;

import org.jspecify.annotations.Nullable;

/**
 * What a model should show.
 *
 * @param violated the property that must break, null where everything must hold
 * @param distinct distinct states when the run ended, null where not pinned
 * @param depth of the search where everything holds, null where not pinned
 * @param steps of the counterexample, null where not pinned
 */
public record Expectation(
        @Nullable String violated,
        @Nullable Long distinct,
        @Nullable Integer depth,
        @Nullable Integer steps) {
    /** Everything holds, nothing is pinned. */
    public static final Expectation HOLDS = new Expectation(null, null, null, null);

    public boolean holds() {
        return violated == null;
    }

    /** The same without figures: they belong to one configuration, one worker, one order of states. */
    public Expectation unpinned() {
        return new Expectation(violated, null, null, null);
    }

    /** The result that it asks for. */
    public String result() {
        return violated == null ? "PASSED" : "VIOLATED";
    }

    /** In words. */
    public String word() {
        return violated == null ? "PASSED" : violated + " to break";
    }
}
