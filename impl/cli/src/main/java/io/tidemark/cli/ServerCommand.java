package io.tidemark.cli;

import io.tidemark.cli.contract.CliException;
import io.tidemark.cli.contract.Command;
import io.tidemark.cli.contract.ExitCode;
import io.tidemark.cli.contract.Interruption;
import io.tidemark.cli.contract.Session;
import io.tidemark.cli.process.ConfigCheck;
import io.tidemark.cli.process.NodeDirectory;
import io.tidemark.cli.process.NodeEnd;
import io.tidemark.cli.process.NodeJvm;
import io.tidemark.cli.process.NodeProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** One node in the foreground. */
@picocli.CommandLine.Command(
        name = "server",
        description = {
            "Run one node in the foreground, with Kafka's own keys in FILE.",
            "The JVM's process id is written to 'pid' beside FILE. The log goes to standard error; a node of a"
                    + " cluster's directory appends it to 'log' beside FILE."
        })
final class ServerCommand implements Command {
    private static final Duration STOP_LIMIT = Duration.ofMinutes(1);

    @Option(names = "--config", required = true, paramLabel = "FILE", description = "The node's server.properties.")
    Path config = Path.of("server.properties");

    @Option(
            names = "--trace",
            paramLabel = "FILE",
            description = "Append every step of the node to FILE, for 'trace validate'. A restart goes on with it.")
    @Nullable
    Path trace;

    @Override
    public ExitCode run(Session session) throws InterruptedException {
        if (session.json()) {
            throw new CliException(
                    "server --format json",
                    "a node has no result",
                    "leave --format out",
                    ExitCode.USAGE,
                    "BAD_VALUE",
                    null);
        }
        session.checkOut("server", Set.of());
        NodeDirectory node = new NodeDirectory(config);
        node.properties();
        List<String> warnings = ConfigCheck.warnings(node, session.err());
        NodeProcess.attach(node, 0).ifPresent(running -> {
            throw new CliException(
                    node.pidFile().toString(),
                    "this node runs already, as process " + running.pid(),
                    "end it first",
                    ExitCode.ENVIRONMENT,
                    "RUNNING",
                    null);
        });
        NodeJvm plain = NodeJvm.of(session.installation(), System.getenv());
        NodeJvm jvm = trace == null ? plain : plain.tracing(trace.toAbsolutePath());
        NodeProcess process =
                node.inCluster() ? NodeProcess.start(jvm, node) : NodeProcess.startInForeground(jvm, node);
        if (process.logged()) {
            warnings.forEach(session::warn);
        }
        session.note("tidemark: node started as process " + process.pid()
                + (process.logged() ? ", log: " + node.log() : ""));
        return Interruption.cooperate(() -> await(process), () -> end(process, session));
    }

    private static ExitCode await(NodeProcess process) throws InterruptedException {
        process.awaitExit(Duration.ofDays(36_500));
        if (process.exitStatus().orElseThrow() == 0) {
            return ExitCode.OK;
        }
        if (!NodeEnd.signalled(process)) {
            process.node().forgetPid(process.pid());
        }
        ExitCode code = ExitCode.ofNode(process.exitStatus().orElseThrow());
        if (!process.logged() && (code == ExitCode.INPUT || code == ExitCode.ENVIRONMENT)) {
            // The node has said why, on this very standard error.
            return code;
        }
        throw NodeEnd.unasked(process);
    }

    private static void end(NodeProcess process, Session session) throws InterruptedException {
        process.terminate();
        if (!process.awaitExit(STOP_LIMIT)) {
            session.warn("the node did not end within " + STOP_LIMIT.toSeconds() + " s and was killed");
            process.kill();
        }
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
        return "./tidemark server --config server.properties";
    }
}
