package io.tidemark.cli.process;

import io.tidemark.cli.contract.CliException;
import io.tidemark.cli.contract.ExitCode;
import java.util.List;
import java.util.OptionalInt;

/** How a node's end reads. */
public final class NodeEnd {
    private static final int SIGNAL = 128;
    private static final int SIGKILL = 9;

    private NodeEnd() {}

    /** The error of a node that ended although nobody asked it to. */
    public static CliException unasked(NodeProcess process) {
        OptionalInt status = process.exitStatus();
        // What a node says last explains an end of its own, not one by a signal.
        List<String> tail = signalled(process) ? List.of() : process.logTail(1);
        return new CliException(
                "node " + process.node().id(),
                "process " + process.pid() + " " + inWords(status)
                        + (tail.isEmpty() ? "" : ": " + tail.get(0).replaceFirst("^tidemark: ", "")),
                process.logged() ? "see " + process.node().log() : "the lines above say why",
                status.isPresent() ? ExitCode.ofNode(status.getAsInt()) : ExitCode.DEFECT,
                "NODE_ENDED",
                null);
    }

    /** Whether a signal ended it, not its own decision. */
    public static boolean signalled(NodeProcess process) {
        OptionalInt status = process.exitStatus();
        return status.isPresent() && status.getAsInt() > SIGNAL;
    }

    /** The end of a process in words; empty where it was not our child. */
    public static String inWords(OptionalInt status) {
        if (status.isEmpty()) {
            return "ended";
        }
        int value = status.getAsInt();
        if (value == SIGNAL + SIGKILL) {
            return "was killed (SIGKILL)";
        }
        return value > SIGNAL && value < SIGNAL + 32
                ? "ended by signal " + (value - SIGNAL)
                : "ended with status " + value;
    }
}
