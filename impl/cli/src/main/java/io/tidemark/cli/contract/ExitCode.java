package io.tidemark.cli.contract;

import java.util.Arrays;

/**
 * How a command ends. The process itself ends with {@link #processStatus()}, from which the launcher subtracts
 * {@value #OFFSET}: a JVM that fails by itself ends with 1, which must not look like a verdict.
 */
public enum ExitCode {
    /** The claim holds, or the work is done. */
    OK(0, "holds, or done"),
    VIOLATED(1, "violated"),
    USAGE(2, "usage: unknown command or option, bad or contradictory value"),
    /** Evidence, time or memory did not suffice. */
    UNKNOWN(3, "unknown: the evidence did not suffice"),
    INPUT(4, "input: unreadable file, bad key or value, connection refused, foreign data directory"),
    ENVIRONMENT(5, "environment: something is missing, taken, locked or not writable"),
    /** A defect of ours, or an IO error that stops a node. */
    DEFECT(70, "a defect of ours, or an IO error that stops a node"),
    INTERRUPTED(130, "interrupted (Ctrl-C)"),
    TERMINATED(143, "terminated (SIGTERM)");

    /** What the JVM adds to the code and the launcher subtracts. */
    public static final int OFFSET = 100;

    private final int code;
    private final String meaning;

    ExitCode(int code, String meaning) {
        this.code = code;
        this.meaning = meaning;
    }

    public int code() {
        return code;
    }

    /** One line for {@code --help}. */
    public String meaning() {
        return meaning;
    }

    /** The status with which the JVM ends. */
    public int processStatus() {
        return OFFSET + code;
    }

    /** What a child of ours with this exit status means for us: its usage, input and environment errors, else a defect. */
    public static ExitCode ofNode(int status) {
        return Arrays.stream(values())
                .filter(code -> code.code == status && code != VIOLATED && code != UNKNOWN)
                .findFirst()
                .orElse(DEFECT);
    }
}
