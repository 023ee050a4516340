package io.tidemark.cli.contract;

import org.jspecify.annotations.Nullable;

/** An error that a user can do something about: one line, {@code tidemark: WHERE: WHAT; EXPECTED}. */
public final class CliException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String where;
    private final String what;
    private final String expected;
    private final ExitCode exitCode;
    private final String code;
    private final @Nullable String nearest;

    /**
     * @param where the command, option, file and line, or address that is wrong
     * @param what what is wrong with it
     * @param expected what would be right, or what to do
     */
    public CliException(String where, String what, String expected, ExitCode exitCode) {
        this(where, what, expected, exitCode, exitCode.name(), null);
    }

    /**
     * @param code a stable upper-case name for programs that read the JSON document
     * @param nearest the known name nearest to the one given, if there is one
     */
    public CliException(
            String where, String what, String expected, ExitCode exitCode, String code, @Nullable String nearest) {
        super(where + ": " + what + "; " + expected);
        this.where = where;
        this.what = what;
        this.expected = expected;
        this.exitCode = exitCode;
        this.code = code;
        this.nearest = nearest;
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

    public ExitCode exitCode() {
        return exitCode;
    }

    public String code() {
        return code;
    }

    public @Nullable String nearest() {
        return nearest;
    }
}
