package io.tidemark.history.knossos;

import java.util.Locale;

/** Knossos' searches. */
public enum Algorithm {
    /** The other two against each other; the first answer counts. */
    COMPETITION,
    LINEAR,
    WGL;

    /** The last part of the name of its namespace. */
    String space() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The engine's name on the command line. */
    public String engine() {
        return this == COMPETITION ? "knossos" : "knossos-" + space();
    }
}
