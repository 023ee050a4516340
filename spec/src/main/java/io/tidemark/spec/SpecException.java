package io.tidemark.spec;

/** Something that the caller can mend: where it is, what is wrong, what would be right. */
public final class SpecException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Who must mend it. */
    public enum Kind {
        /** A name or value that the caller gave. */
        USAGE,
        /** The content of a file. */
        INPUT,
        /** The machine: no TLC, a directory that cannot be written. */
        ENVIRONMENT
    }

    private final Kind kind;
    private final String where;
    private final String what;
    private final String expected;

    public SpecException(Kind kind, String where, String what, String expected) {
        super(where + ": " + what + "; " + expected);
        this.kind = kind;
        this.where = where;
        this.what = what;
        this.expected = expected;
    }

    public Kind kind() {
        return kind;
    }

    public String where() {
        return where;
    }

    public String what() {
        return what;
    }

    public String expected() {
        return expected;
    }
}
