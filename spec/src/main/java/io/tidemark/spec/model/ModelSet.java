package io.tidemark.spec.model;

import java.util.Locale;

/** When a model is checked. */
public enum ModelSet {
    BUILD,
    NIGHTLY,
    /** Not in the manifest: a user's own. */
    USER;

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
