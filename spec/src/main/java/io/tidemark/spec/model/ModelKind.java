package io.tidemark.spec.model;

import java.util.Locale;

/** What a model is for. */
public enum ModelKind {
    /** The specification as it should be, within bounds: everything holds. */
    MODEL,
    /** A guard or another part is taken away, and the invariant that it serves breaks. */
    MUTANT,
    /** A state that must be reachable, written as the claim that it is not. */
    REACH,
    /** One module implements another. */
    REFINEMENT,
    /** Something happens in the end, its fairness stated. */
    LIVENESS,
    /** What a mutant is compared with: the same bounds, nothing taken away. */
    CONTROL;

    /** As the manifest writes it. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
