package io.tidemark.spec.model;

import java.util.Locale;

/** What a model is for. */
public enum ModelKind {
    MODEL("the specification as it should be, within small bounds: everything holds"),
    MUTANT("a guard or another part is taken away, and the property that it serves breaks"),
    REACH("a situation that must be possible, written as the claim that it never comes, which breaks"),
    REFINEMENT("one module implements another: that holds"),
    LIVENESS("something happens in the end, its fairness stated: that holds"),
    CONTROL("what a mutant is compared with: the same bounds, nothing taken away, and it holds");

    private final String meaning;

    ModelKind(String meaning) {
        this.meaning = meaning;
    }

    /** As the manifest writes it. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** What such a row should show, in a clause. */
    public String meaning() {
        return meaning;
    }
}
