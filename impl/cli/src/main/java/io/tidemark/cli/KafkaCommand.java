package io.tidemark.cli;

import io.tidemark.cli.contract.CliException;
import io.tidemark.cli.contract.Command;
import io.tidemark.cli.contract.ExitCode;
import io.tidemark.cli.contract.Interruption;
import io.tidemark.cli.contract.Session;
import io.tidemark.cli.kafka.KafkaClassPath;
import io.tidemark.cli.kafka.KafkaTools;
import io.tidemark.node.config.Nearest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Parameters;

/** Runs one of Kafka's own command line tools, unchanged, in a JVM of its own. */
@picocli.CommandLine.Command(
        name = "kafka",
        description =
                "Run one of Kafka's own tools, unchanged, in a JVM of its own. All that follows TOOL is the tool's."
                        + " Its jars are fetched with Maven at the first use."
                        + " Ends with 4 where the tool's own exit code is not 0. Some tools print an error and yet end"
                        + " with 0, as they do in Apache Kafka.")
final class KafkaCommand implements Command {
    @Parameters(
            index = "0",
            paramLabel = "TOOL",
            completionCandidates = ToolNames.class,
            description = "As Kafka's script, with or without kafka- before it: ${COMPLETION-CANDIDATES}.")
    String tool = "";

    @Parameters(index = "1..*", paramLabel = "ARGS", description = "The tool's own arguments.")
    List<String> arguments = new ArrayList<>();

    /** For the help and for shells. */
    static final class ToolNames implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return KafkaTools.names().iterator();
        }
    }

    @Override
    public ExitCode run(Session session) throws IOException, InterruptedException {
        if (session.json()) {
            throw new CliException(
                    "kafka --format json",
                    "the tool prints what it prints",
                    "leave --format out",
                    ExitCode.USAGE,
                    "BAD_VALUE",
                    null);
        }
        session.checkOut("kafka", Set.of());
        String mainClass = KafkaTools.classOf(tool).orElseThrow(() -> unknown(tool));
        KafkaTools.hint(tool, arguments).ifPresent(hint -> session.note("tidemark: " + hint));
        boolean longRunning = tool.contains("perf") || tool.contains("verifiable");
        List<String> command = new ArrayList<>(new KafkaClassPath(session).command(mainClass, longRunning));
        command.addAll(arguments);
        Process process = new ProcessBuilder(command).inheritIO().start();
        try {
            return Interruption.cooperate(() -> process.waitFor() == 0 ? ExitCode.OK : ExitCode.INPUT, () -> {
                process.destroy();
                process.waitFor(10, TimeUnit.SECONDS);
            });
        } finally {
            process.destroyForcibly();
        }
    }

    private static CliException unknown(String tool) {
        String nearest = Nearest.to(KafkaTools.plain(tool), KafkaTools.names());
        return new CliException(
                "kafka",
                "unknown tool '" + tool + "'",
                nearest == null ? "one of " + String.join(", ", KafkaTools.names()) : "did you mean " + nearest + "?",
                ExitCode.USAGE,
                "UNKNOWN_TOOL",
                nearest);
    }

    @Override
    public Set<ExitCode> furtherExitCodes() {
        return EnumSet.of(ExitCode.INPUT);
    }

    @Override
    public boolean hasResult() {
        return false;
    }

    @Override
    public String example() {
        return "./tidemark kafka topics --bootstrap-server 127.0.0.1:9092 --list";
    }
}
