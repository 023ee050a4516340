package io.tidemark.history.edn;

import java.io.IOException;

/** Malformed EDN; the message names line and column, counted from one. */
public final class EdnException extends IOException {
    private static final long serialVersionUID = 1L;

    private final long line;
    private final long column;
    private final String problem;

    public EdnException(long line, long column, String problem) {
        super(line + ":" + column + ": " + problem);
        this.line = line;
        this.column = column;
        this.problem = problem;
    }

    public long line() {
        return line;
    }

    public long column() {
        return column;
    }

    /** What is wrong, without the place. */
    public String problem() {
        return problem;
    }
}
