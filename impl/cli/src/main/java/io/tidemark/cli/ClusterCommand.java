package io.tidemark.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import io.tidemark.cli.contract.CliException;
import io.tidemark.cli.contract.Command;
import io.tidemark.cli.contract.ExitCode;
import io.tidemark.cli.contract.Installation;
import io.tidemark.cli.contract.Interruption;
import io.tidemark.cli.contract.Progress;
import io.tidemark.cli.contract.Report;
import io.tidemark.cli.contract.Session;
import io.tidemark.cli.process.ClusterLayout;
import io.tidemark.cli.process.ClusterProcesses;
import io.tidemark.cli.process.ConfigCheck;
import io.tidemark.cli.process.DirectoryLock;
import io.tidemark.cli.process.NodeJvm;
import io.tidemark.cli.process.NodeProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Real nodes on this machine, until Ctrl-C. */
@picocli.CommandLine.Command(
        name = "cluster",
        description = {
            "Run a cluster of separate processes on loopback ports, until Ctrl-C. Standard output is the line for clients.",
            "The directory keeps the data: the next start with it goes on where this one ended. For each node it holds"
                    + " node-N with server.properties, pid, log and data; and 'bootstrap', the line for clients: taken away"
                    + " at the start, written when all nodes serve, kept when they end, as the ports stay the same.",
            "A node that dies is reported and not restarted; start it again with"
                    + " ./tidemark server --config DIR/node-N/server.properties & - and with --trace DIR/node-N/FILE, where"
                    + " it was traced."
        })
final class ClusterCommand implements Command {
    private static final Duration READY_LIMIT = Duration.ofMinutes(2);
    private static final Set<String> OWN_KEYS = Set.of(
            "node.id",
            "process.roles",
            "listeners",
            "advertised.listeners",
            "log.dirs",
            "controller.quorum.bootstrap.servers");
    private static final Duration STOP_LIMIT = Duration.ofMinutes(1);

    @Option(
            names = "--nodes",
            paramLabel = "N",
            description = "Nodes that are broker and controller in one (3 for a new cluster).")
    @Nullable
    Integer nodes;

    @Option(names = "--controllers", paramLabel = "C", description = "Separate roles: so many controllers.")
    @Nullable
    Integer controllers;

    @Option(names = "--brokers", paramLabel = "B", description = "Separate roles: so many brokers.")
    @Nullable
    Integer brokers;

    @Option(
            names = "--dir",
            paramLabel = "DIR",
            description = "The cluster's directory (.tidemark/cluster of the checkout).")
    @Nullable
    Path dir;

    @Option(
            names = "--port",
            paramLabel = "P",
            description = "Node i serves clients at P+i and the quorum at P+100+i (free ports for a new cluster).")
    int port;

    @Option(
            names = "--property",
            paramLabel = "KEY=VALUE",
            description = "A key for every node's server.properties, as Kafka's. Repeatable.")
    Map<String, String> properties = new LinkedHashMap<>();

    @Option(
            names = "--trace",
            paramLabel = "FILE",
            description = "Each node appends its every step to FILE in its own directory, for 'trace validate'.")
    @Nullable
    Path trace;

    @Override
    public ExitCode run(Session session) throws InterruptedException {
        session.checkOut("cluster", Set.of("json"));
        Path place = (dir == null ? session.installation().state().resolve("cluster") : dir)
                .toAbsolutePath()
                .normalize();
        NodeJvm plain = NodeJvm.of(session.installation(), System.getenv());
        NodeJvm jvm = trace == null ? plain : plain.tracing(name(trace));
        ClusterLayout.Shape shape = shape();
        ClusterLayout.refuseForeign(place);
        try (DirectoryLock lock = DirectoryLock.take(place);
                ClusterProcesses cluster = new ClusterProcesses(layout(lock.dir(), shape), jvm, session.err())) {
            warn(session, cluster.layout());
            return Interruption.cooperate(
                    () -> {
                        try (Progress progress = session.progress()) {
                            cluster.start(progress, READY_LIMIT);
                        }
                        publish(session, cluster);
                        cluster.watch();
                        return ExitCode.OK;
                    },
                    () -> {
                        session.note("tidemark: ending the cluster");
                        cluster.stop(STOP_LIMIT);
                    });
        }
    }

    /** A file of each node: they cannot share one. */
    private static Path name(Path trace) {
        if (trace.getNameCount() != 1 || trace.isAbsolute() || trace.toString().isEmpty()) {
            throw usage("--trace " + trace + " is no name of a file", "a name, as trace.ndjson: each node has its own");
        }
        return trace;
    }

    /** What the nodes' logs will say about the keys, once for all of them. */
    private static void warn(Session session, ClusterLayout layout) {
        Set<String> warnings = new LinkedHashSet<>();
        layout.nodes().forEach(node -> warnings.addAll(ConfigCheck.warnings(node, session.err())));
        warnings.forEach(session::warn);
    }

    /** The cluster that is there, or a new one as the options say. */
    private ClusterLayout layout(Path place, ClusterLayout.Shape shape) {
        if (!ClusterLayout.exists(place)) {
            return ClusterLayout.create(place, shape);
        }
        ClusterLayout there = ClusterLayout.open(place);
        boolean shapeGiven = nodes != null || controllers != null;
        if ((shapeGiven && !there.hasShape(shape)) || (port != 0 && !there.hasPort(port))) {
            throw usage(
                    "the cluster in " + place + " has another shape or other ports",
                    "leave the options out, or give another --dir");
        }
        if (!properties.isEmpty()) {
            there.setProperties(properties);
        }
        return there;
    }

    private ClusterLayout.Shape shape() {
        if ((controllers == null) != (brokers == null)) {
            throw usage("--controllers and --brokers belong together", "both, for separate roles");
        }
        if (nodes != null && controllers != null) {
            throw usage(
                    "--nodes contradicts --controllers and --brokers",
                    "--nodes for nodes in both roles, or the other two");
        }
        for (String key : properties.keySet()) {
            if (key.isBlank() || OWN_KEYS.contains(key)) {
                throw usage(
                        "--property " + key + " is set for each node by this command",
                        "another key, or " + Installation.called() + " server with a file of your own");
            }
        }
        ClusterLayout.Shape shape = controllers != null && brokers != null
                ? new ClusterLayout.Shape(controllers, brokers, false, port, properties)
                : ClusterLayout.Shape.combined(nodes == null ? 3 : nodes, port, properties);
        if (shape.controllers() < 1 || shape.brokers() < 1 || shape.nodes() > ClusterLayout.MAX_NODES) {
            throw usage("the cluster would have no node, or too many", "1 to " + ClusterLayout.MAX_NODES + " nodes");
        }
        if (port < 0 || port > 65_535 - 2 * ClusterLayout.MAX_NODES) {
            throw usage(
                    "--port " + port + " is out of range",
                    "0 (free ports) to " + (65_535 - 2 * ClusterLayout.MAX_NODES));
        }
        return shape;
    }

    private static CliException usage(String what, String expected) {
        return new CliException("cluster", what, expected, ExitCode.USAGE, "BAD_VALUE", null);
    }

    private static void publish(Session session, ClusterProcesses cluster) throws InterruptedException {
        ClusterLayout layout = cluster.layout();
        Report report =
                new Report("tidemark.cluster/1").artifact("dir", layout.dir().toString());
        report.body().put("bootstrap", layout.bootstrap()).put("clusterId", layout.clusterId());
        ArrayNode list = report.body().putArray("nodes");
        for (NodeProcess process : cluster.running()) {
            list.addObject()
                    .put("id", process.node().id())
                    .put("broker", process.node().hasRole("broker"))
                    .put("controller", process.node().hasRole("controller"))
                    .put("pid", process.pid())
                    .put(
                            "config",
                            layout.dir().relativize(process.node().config()).toString())
                    .put("log", layout.dir().relativize(process.node().log()).toString());
        }
        session.publish(report, out -> out.println(layout.bootstrap()));
        long brokers =
                layout.nodes().stream().filter(node -> node.hasRole("broker")).count();
        session.note("tidemark: " + list.size() + (list.size() == 1 ? " node serves in " : " nodes serve in ")
                + layout.dir() + "; Ctrl-C ends them. Try in another window:");
        session.note("  " + Installation.called() + " kafka topics --bootstrap-server " + layout.bootstrap()
                + " --create --topic first --partitions 3 --replication-factor " + Math.min(3, brokers));
    }

    @Override
    public Set<ExitCode> furtherExitCodes() {
        return EnumSet.of(ExitCode.INPUT);
    }

    @Override
    public String example() {
        return "./tidemark cluster --nodes 3 --dir demo --property num.partitions=12";
    }
}
