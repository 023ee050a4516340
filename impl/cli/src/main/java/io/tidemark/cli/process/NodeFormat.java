package io.tidemark.cli.process;

import io.tidemark.cli.contract.CliException;
import io.tidemark.cli.contract.ExitCode;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** The node's own tool that prepares a data directory, run in this JVM. */
public final class NodeFormat {
    private static final String TOOL = "io.tidemark.node.FormatTool";

    private NodeFormat() {}

    /**
     * Formats with Kafka's words for it.
     *
     * @param warnings gets what the tool says beside its result, if anything
     * @return the tool's result
     */
    public static String run(NodeDirectory node, List<String> arguments, PrintStream warnings) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int status = run(
                arguments,
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8));
        String said = err.toString(StandardCharsets.UTF_8).strip();
        if (status == 0) {
            said.lines().forEach(warnings::println);
            return out.toString(StandardCharsets.UTF_8);
        }
        String last = said.lines().reduce((first, second) -> second).orElse("no reason given");
        Path name = node.dir().getFileName();
        throw new CliException(
                (name == null ? node.dir() : name) + ": format",
                last,
                "a configuration and ids that fit " + node.config(),
                ExitCode.ofNode(status),
                "FORMAT_FAILED",
                null);
    }

    private static int run(List<String> arguments, PrintStream out, PrintStream err) {
        try {
            Object status = Class.forName(TOOL)
                    .getMethod("run", String[].class, PrintStream.class, PrintStream.class)
                    .invoke(null, arguments.toArray(String[]::new), out, err);
            return status instanceof Integer code ? code : ExitCode.DEFECT.code();
        } catch (InvocationTargetException e) {
            throw new IllegalStateException(TOOL + " failed", e.getCause());
        } catch (ReflectiveOperationException e) {
            throw new CliException(
                    "format", TOOL + " is not in this build", "a build that has the node", ExitCode.ENVIRONMENT);
        }
    }
}
