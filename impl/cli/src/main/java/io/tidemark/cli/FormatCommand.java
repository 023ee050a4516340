package io.tidemark.cli;

import io.tidemark.cli.contract.CliException;
import io.tidemark.cli.contract.Command;
import io.tidemark.cli.contract.ExitCode;
import io.tidemark.cli.contract.Installation;
import io.tidemark.cli.contract.Report;
import io.tidemark.cli.contract.Session;
import io.tidemark.cli.process.NodeDirectory;
import io.tidemark.cli.process.NodeFormat;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.apache.kafka.common.Uuid;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Prepares a node's log directory, with the options of Kafka's storage tool. */
@picocli.CommandLine.Command(
        name = "format",
        description = {
            "Prepare a node's log directory: cluster, node and directory ids, first voters, features.",
            "'format random-uuid' prints a new id and does nothing else."
        })
final class FormatCommand implements Command {
    @Option(
            names = {"-c", "--config"},
            paramLabel = "FILE",
            description = "The node's server.properties.")
    @Nullable
    Path config;

    @Option(
            names = {"-t", "--cluster-id"},
            paramLabel = "ID",
            description = "The cluster's id, the same for all nodes.")
    @Nullable
    String clusterId;

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

    @Option(
            names = {"-r", "--release-version"},
            paramLabel = "VERSION",
            description = "The release whose feature levels a new cluster starts with.")
    @Nullable
    String releaseVersion;

    /** What can be done beside formatting. */
    enum Action {
        RANDOM_UUID;

        @Override
        public String toString() {
            return "random-uuid";
        }
    }

    @Parameters(arity = "0..1", paramLabel = "random-uuid", description = "Print a new id.")
    @Nullable
    Action action;

    @Override
    public ExitCode run(Session session) throws InterruptedException {
        session.checkOut("format", Set.of("json"));
        if (action == null) {
            return format(session);
        }
        if (config != null || clusterId != null) {
            throw new CliException(
                    "format random-uuid",
                    (config != null ? "--config" : "--cluster-id") + " means nothing here",
                    "no option: it prints a new id and formats nothing",
                    ExitCode.USAGE,
                    "BAD_VALUE",
                    null);
        }
        return randomUuid(session);
    }

    private static ExitCode randomUuid(Session session) throws InterruptedException {
        String id = Uuid.randomUuid().toString();
        Report report = new Report("tidemark.format/1");
        report.body().putNull("config").put("clusterId", id).putNull("nodeId");
        return session.publish(report, out -> out.println(id));
    }

    private ExitCode format(Session session) throws InterruptedException {
        if (config == null || clusterId == null) {
            throw new CliException(
                    "format",
                    "missing "
                            + (config != null
                                    ? "--cluster-id"
                                    : clusterId != null ? "--config" : "--config, --cluster-id"),
                    "see " + Installation.called() + " format --help",
                    ExitCode.USAGE,
                    "MISSING_OPTION",
                    null);
        }
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
        String said = NodeFormat.run(node, arguments(node, clusterId), session.err());
        Report report = new Report("tidemark.format/1");
        report.body()
                .put("config", node.config().toString())
                .put("clusterId", clusterId)
                .put("nodeId", node.id());
        return session.publish(report, stream -> stream.print(said));
    }

    private List<String> arguments(NodeDirectory node, String clusterId) {
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
        if (releaseVersion != null) {
            arguments.addAll(List.of("--release-version", releaseVersion));
        }
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
        return "./tidemark format --config server.properties --cluster-id $(./tidemark format random-uuid) --standalone";
    }
}
