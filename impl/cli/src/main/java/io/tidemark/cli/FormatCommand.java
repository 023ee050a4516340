package io.tidemark.cli;

import io.tidemark.cli.contract.CliException;
import io.tidemark.cli.contract.Command;
import io.tidemark.cli.contract.ExitCode;
import io.tidemark.cli.contract.Report;
import io.tidemark.cli.contract.Session;
import io.tidemark.cli.process.NodeDirectory;
import io.tidemark.cli.process.NodeFormat;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Prepares a node's log directory, with the options of Kafka's storage tool. */
@picocli.CommandLine.Command(
        name = "format",
        description = "Prepare a node's log directory: cluster, node and directory ids, first voters, features.")
final class FormatCommand implements Command {
    @Option(
            names = {"-c", "--config"},
            required = true,
            paramLabel = "FILE",
            description = "The node's server.properties.")
    Path config = Path.of("server.properties");

    @Option(
            names = {"-t", "--cluster-id"},
            required = true,
            paramLabel = "ID",
            description = "The cluster's id, the same for all nodes.")
    String clusterId = "";

    @Option(
            names = {"-s", "--standalone"},
            description = "This node alone is the first quorum.")
    boolean standalone;

    @Option(
            names = {"-I", "--initial-controllers"},
            paramLabel = "LIST",
            description = "The first quorum: id@host:port:directory-id, separated by commas.")
    @Nullable
    String initialControllers;

    @Option(
            names = {"-N", "--no-initial-controllers"},
            description = "This node joins a quorum that exists.")
    boolean noInitialControllers;

    @Option(
            names = {"-f", "--feature"},
            paramLabel = "NAME=LEVEL",
            description = "A feature's level. Repeatable.")
    List<String> features = new ArrayList<>();

    @Option(
            names = {"-g", "--ignore-formatted"},
            description = "Leave a directory that is formatted already as it is.")
    boolean ignoreFormatted;

    @Override
    public ExitCode run(Session session) throws InterruptedException {
        session.checkOut("format", Set.of("json"));
        int quorums = (standalone ? 1 : 0) + (initialControllers == null ? 0 : 1) + (noInitialControllers ? 1 : 0);
        if (quorums > 1) {
            throw new CliException(
                    "format",
                    "--standalone, --initial-controllers and --no-initial-controllers contradict one another",
                    "one of them",
                    ExitCode.USAGE,
                    "BAD_VALUE",
                    null);
        }
        NodeDirectory node = new NodeDirectory(config);
        node.properties();
        String said = NodeFormat.run(node, arguments(node), session.err());
        Report report = new Report("tidemark.format/1");
        report.body()
                .put("config", node.config().toString())
                .put("clusterId", clusterId)
                .put("nodeId", node.id());
        return session.publish(report, stream -> stream.print(said));
    }

    private List<String> arguments(NodeDirectory node) {
        List<String> arguments =
                new ArrayList<>(List.of("--config", node.config().toString(), "--cluster-id", clusterId));
        if (standalone) {
            arguments.add("--standalone");
        }
        if (noInitialControllers) {
            arguments.add("--no-initial-controllers");
        }
        if (initialControllers != null) {
            arguments.addAll(List.of("--initial-controllers", initialControllers));
        }
        features.forEach(feature -> arguments.addAll(List.of("--feature", feature)));
        if (ignoreFormatted) {
            arguments.add("--ignore-formatted");
        }
        return arguments;
    }

    @Override
    public Set<ExitCode> furtherExitCodes() {
        return EnumSet.of(ExitCode.INPUT);
    }

    @Override
    public String example() {
        return "./tidemark format --config server.properties --cluster-id MkU3OEVBNTcwNTJENDM2Qg --standalone";
    }
}
