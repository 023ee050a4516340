package io.tidemark.cli.process;

import io.tidemark.cli.contract.CliException;
import io.tidemark.cli.contract.ExitCode;
import io.tidemark.node.FormatTool;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The node's own tool that prepares a data directory, run in this JVM. */
public final class NodeFormat {
    /** The tool's errors have our form already: WHERE: WHAT; EXPECTED. */
    private static final Pattern ERROR_LINE = Pattern.compile("(?:tidemark: )?(.+?): (.+); (.+)");

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
        int status = FormatTool.run(
                arguments.toArray(String[]::new),
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8));
        String said = err.toString(StandardCharsets.UTF_8).strip();
        if (status == 0) {
            said.lines().forEach(warnings::println);
            return out.toString(StandardCharsets.UTF_8);
        }
        List<String> errors = said.lines().toList();
        errors.stream().limit(Math.max(0, errors.size() - 1)).forEach(warnings::println);
        String last = errors.isEmpty() ? "no reason given" : errors.get(errors.size() - 1);
        Matcher line = ERROR_LINE.matcher(last);
        boolean known = line.matches();
        throw new CliException(
                known ? line.group(1) : "format",
                known ? line.group(2) : last,
                known ? line.group(3) : "a configuration and ids that fit " + node.config(),
                ExitCode.ofNode(status),
                "FORMAT_FAILED",
                null);
    }
}
