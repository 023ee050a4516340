package io.tidemark.cli.process;

import io.tidemark.cli.contract.CliException;
import io.tidemark.cli.contract.ExitCode;
import io.tidemark.node.config.IoReason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.common.Uuid;

/**
 * A cluster's directory: {@code node-N/} for each node, {@code cluster.properties} with the cluster's and the first
 * voters' ids, so that a node can be formatted again, and {@code bootstrap} with the line for clients once all serve.
 *
 * @param dir absolute
 * @param nodes by id
 * @param features levels that are not the default ones, as {@code NAME=LEVEL}
 */
public record ClusterLayout(
        Path dir, String clusterId, String initialControllers, List<NodeDirectory> nodes, List<String> features) {
    /** More JVMs than a machine takes; also the distance of the two port ranges. */
    public static final int MAX_NODES = ClusterPorts.QUORUM_OFFSET - 1;

    static final String CLIENT_LISTENER = "PLAINTEXT";
    static final String QUORUM_LISTENER = "CONTROLLER";
    private static final String BOOTSTRAP = "bootstrap";
    private static final String NEW = ".new";
    static final String CLUSTER_FILE = "cluster.properties";
    private static final String NODE_NAME = "node-\\d{1,4}";
    private static final String CLUSTER_ID = "cluster.id";
    private static final String INITIAL_CONTROLLERS = "initial.controllers";

    /**
     * What a new cluster looks like.
     *
     * @param controllers how many voters; nodes 1 to {@code controllers} have the role
     * @param brokers how many brokers; where {@code combined}, equal to {@code controllers} and in the same processes
     * @param port base of the ports, 0 for free ones
     * @param properties Kafka's keys for every node; win over the generated ones
     */
    public record Shape(int controllers, int brokers, boolean combined, int port, Map<String, String> properties) {
        /** So many nodes in both roles. */
        public static Shape combined(int nodes, int port, Map<String, String> properties) {
            return new Shape(nodes, nodes, true, port, properties);
        }

        public int nodes() {
            return combined ? brokers : controllers + brokers;
        }

        boolean isController(int id) {
            return id <= controllers;
        }

        boolean isBroker(int id) {
            return combined || id > controllers;
        }
    }

    public static boolean exists(Path dir) {
        return Files.exists(dir.resolve(CLUSTER_FILE));
    }

    /**
     * Refuses a directory that holds anything but a cluster, or what a {@link #create} left that was cut short: a
     * cluster's files are not to be mixed with somebody's own.
     */
    public static void refuseForeign(Path dir) {
        if (exists(dir) || !Files.isDirectory(dir)) {
            return;
        }
        try (Stream<Path> entries = Files.list(dir)) {
            Optional<Path> foreign =
                    entries.sorted().filter(entry -> !isOfNewCluster(entry)).findFirst();
            if (foreign.isPresent()) {
                throw new CliException(
                        dir.toString(),
                        "is not a cluster's directory: it holds "
                                + foreign.get().getFileName() + " and no " + CLUSTER_FILE,
                        "a new or empty one for --dir",
                        ExitCode.INPUT,
                        "FOREIGN",
                        null);
            }
        } catch (IOException e) {
            throw new CliException(
                    dir.toString(), "cannot be listed: " + IoReason.of(e), "a readable --dir", ExitCode.ENVIRONMENT);
        }
    }

    private static boolean isOfNewCluster(Path entry) {
        String name = entry.getFileName().toString();
        // A new ext file system has lost+found.
        if (List.of(".lock", "lost+found", CLUSTER_FILE + NEW).contains(name)) {
            return true;
        }
        String[] inside = entry.toFile().list();
        return name.matches(NODE_NAME)
                && inside != null
                && List.of("server.properties").containsAll(List.of(inside));
    }

    /** Writes a new cluster's files; its nodes are not formatted yet. */
    public static ClusterLayout create(Path directory, Shape shape) {
        Path dir = realDirectory(directory);
        int base = shape.port() == 0 ? ClusterPorts.freeBase(shape.nodes()) : shape.port();
        String clusterId = Uuid.randomUuid().toString();
        String voters = IntStream.rangeClosed(1, shape.controllers())
                .mapToObj(id -> id + "@" + quorumAddress(base, id) + ":" + Uuid.randomUuid())
                .collect(Collectors.joining(","));
        List<NodeDirectory> nodes = IntStream.rangeClosed(1, shape.nodes())
                .mapToObj(id -> new NodeDirectory(dir.resolve("node-" + id).resolve("server.properties")))
                .toList();
        try {
            for (int id = 1; id <= nodes.size(); id++) {
                NodeDirectory node = nodes.get(id - 1);
                Files.createDirectories(node.dir());
                Map<String, String> properties = generated(node, id, base, shape);
                properties.putAll(shape.properties());
                PropertiesWriter.write(node.config(), properties);
            }
            Map<String, String> ids = new LinkedHashMap<>();
            ids.put(CLUSTER_ID, clusterId);
            ids.put(INITIAL_CONTROLLERS, voters);
            // Last and at once: a directory without it is not a cluster yet.
            Path next = dir.resolve(CLUSTER_FILE + NEW);
            PropertiesWriter.write(next, ids);
            Files.move(next, dir.resolve(CLUSTER_FILE), StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw notWritable(dir, e);
        }
        return new ClusterLayout(dir, clusterId, voters, nodes, List.of());
    }

    /** The same cluster, formatted with these levels of features. */
    public ClusterLayout withFeatures(List<String> levels) {
        return new ClusterLayout(dir, clusterId, initialControllers, nodes, List.copyOf(levels));
    }

    /** Reads what {@link #create} wrote. */
    public static ClusterLayout open(Path directory) {
        Path dir = realDirectory(directory);
        Properties ids = new NodeDirectory(dir.resolve(CLUSTER_FILE)).properties();
        try (Stream<Path> entries = Files.list(dir)) {
            List<NodeDirectory> nodes = entries.filter(
                            entry -> entry.getFileName().toString().matches(NODE_NAME))
                    .map(entry -> new NodeDirectory(entry.resolve("server.properties")))
                    .sorted(Comparator.comparingInt(NodeDirectory::id))
                    .toList();
            return new ClusterLayout(
                    dir, ids.getProperty(CLUSTER_ID, ""), ids.getProperty(INITIAL_CONTROLLERS, ""), nodes, List.of());
        } catch (IOException e) {
            throw new CliException(
                    dir.toString(), "cannot be listed: " + IoReason.of(e), "a cluster's directory", ExitCode.INPUT);
        }
    }

    /** Whether this cluster has as many nodes of each role as the shape says. */
    public boolean hasShape(Shape shape) {
        return nodes.size() == shape.nodes()
                && nodes.stream().filter(node -> node.hasRole("controller")).count() == shape.controllers()
                && nodes.stream().filter(node -> node.hasRole("broker")).count() == shape.brokers();
    }

    /** Whether its ports were laid out from this base. */
    public boolean hasPort(int base) {
        return nodes.stream().allMatch(node -> node.port(CLIENT_LISTENER).orElse(base + node.id()) == base + node.id());
    }

    /** Sets Kafka's keys in every node's file; all else in it stays. */
    public void setProperties(Map<String, String> properties) {
        try {
            for (NodeDirectory node : nodes) {
                PropertiesWriter.set(node.config(), properties);
            }
        } catch (IOException e) {
            throw notWritable(dir, e);
        }
    }

    /** The brokers' addresses, as clients take them. */
    public String bootstrap() {
        return nodes.stream()
                .flatMapToInt(node -> node.port(CLIENT_LISTENER).stream())
                .mapToObj(port -> "127.0.0.1:" + port)
                .collect(Collectors.joining(","));
    }

    /** Takes {@code bootstrap} away, which an earlier run has left: who waits for it waits for this one. */
    void withdrawBootstrap() {
        try {
            Files.deleteIfExists(dir.resolve(BOOTSTRAP));
        } catch (IOException e) {
            throw notWritable(dir, e);
        }
    }

    /** Writes {@code bootstrap}, at once: all nodes serve. It stays when they end, for the ports stay the same. */
    void publishBootstrap() {
        try {
            Path next = dir.resolve(BOOTSTRAP + NEW);
            Files.writeString(next, bootstrap() + "\n");
            Files.move(
                    next, dir.resolve(BOOTSTRAP), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw notWritable(dir, e);
        }
    }

    public NodeDirectory node(int id) {
        return nodes.stream().filter(node -> node.id() == id).findFirst().orElseThrow();
    }

    /** Nodes whose log directory is not formatted, as on the first start or after it was wiped. */
    public List<NodeDirectory> unformatted() {
        return nodes.stream()
                .filter(node -> !Files.exists(logDir(node).resolve("meta.properties")))
                .toList();
    }

    /** Ports of nodes that do not run but are taken by someone else. */
    public List<Integer> takenPorts() {
        List<Integer> taken = new ArrayList<>();
        for (NodeDirectory node : nodes) {
            if (NodeProcess.attach(node, 0).isEmpty()) {
                IntStream.concat(node.port(CLIENT_LISTENER).stream(), node.port(QUORUM_LISTENER).stream())
                        .filter(port -> !ClusterPorts.isFree(port))
                        .forEach(taken::add);
            }
        }
        return taken;
    }

    /** The words with which {@code format} prepares this node; voters are named to controllers alone. */
    public List<String> formatArguments(NodeDirectory node) {
        List<String> arguments =
                new ArrayList<>(List.of("--config", node.config().toString(), "--cluster-id", clusterId));
        if (node.hasRole("controller")) {
            arguments.addAll(List.of("--initial-controllers", initialControllers));
        }
        features.forEach(level -> arguments.addAll(List.of("--feature", level)));
        return arguments;
    }

    private static Path logDir(NodeDirectory node) {
        Properties properties = node.properties();
        String dirs = properties.getProperty("log.dirs", properties.getProperty("log.dir"));
        return dirs == null ? node.data() : Path.of(dirs.split(",", -1)[0].strip());
    }

    private static Map<String, String> generated(NodeDirectory node, int id, int base, Shape shape) {
        boolean broker = shape.isBroker(id);
        boolean controller = shape.isController(id);
        String client = CLIENT_LISTENER + "://127.0.0.1:" + (base + id);
        String quorum = QUORUM_LISTENER + "://" + quorumAddress(base, id);
        Map<String, String> properties = new LinkedHashMap<>();
        properties.put("process.roles", broker && controller ? "broker,controller" : broker ? "broker" : "controller");
        properties.put("node.id", Integer.toString(id));
        properties.put("listeners", broker && controller ? client + "," + quorum : broker ? client : quorum);
        if (broker) {
            properties.put("advertised.listeners", client);
            properties.put("inter.broker.listener.name", CLIENT_LISTENER);
        }
        properties.put("controller.listener.names", QUORUM_LISTENER);
        properties.put("listener.security.protocol.map", "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT");
        properties.put(
                "controller.quorum.bootstrap.servers",
                IntStream.rangeClosed(1, shape.controllers())
                        .mapToObj(voter -> quorumAddress(base, voter))
                        .collect(Collectors.joining(",")));
        properties.put("log.dirs", node.data().toString());
        properties.put("default.replication.factor", Integer.toString(Math.min(3, shape.brokers())));
        properties.put("min.insync.replicas", shape.brokers() < 3 ? "1" : "2");
        return properties;
    }

    private static String quorumAddress(int base, int id) {
        return "127.0.0.1:" + (base + ClusterPorts.QUORUM_OFFSET + id);
    }

    private static Path realDirectory(Path directory) {
        try {
            return Files.createDirectories(directory).toRealPath();
        } catch (IOException e) {
            throw notWritable(directory, e);
        }
    }

    private static CliException notWritable(Path dir, IOException cause) {
        return new CliException(
                dir.toString(),
                "cannot be written: " + IoReason.of(cause),
                "a writable --dir",
                ExitCode.ENVIRONMENT,
                "NOT_WRITABLE",
                null);
    }
}
