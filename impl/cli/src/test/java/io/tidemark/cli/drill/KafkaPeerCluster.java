package io.tidemark.cli.drill;

import io.tidemark.cli.contract.Progress;
import io.tidemark.cli.process.NodeDirectory;
import io.tidemark.cli.process.NodeProcess;
import io.tidemark.workload.fault.Target;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/**
 * A real Apache Kafka cluster, started by {@code bench/kafka-cluster}, which keeps to the same layout of directories as
 * ours: the drill has to come to the right verdicts there as well.
 */
final class KafkaPeerCluster implements DrillCluster, Target {
    private static final int PORT = 21_090;

    private final Path script;
    private final Path dir;
    private final DrillConfig config;
    private final Map<Integer, NodeProcess> current = new ConcurrentHashMap<>();

    KafkaPeerCluster(Path script, Path dir, DrillConfig config) {
        this.script = script;
        this.dir = dir.toAbsolutePath();
        this.config = config;
    }

    @Override
    public void start(Progress progress) throws InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                "--nodes",
                Integer.toString(config.nodes()),
                "--port",
                Integer.toString(PORT),
                "--dir",
                dir.toString()));
        Map<String, String> properties = new TreeMap<>(config.nodeProperties());
        // Its brokers go on asking a controller that stands still, for 30 s: none would tell who the next one is.
        properties.put("controller.socket.timeout.ms", "2000");
        properties.forEach((key, value) -> command.addAll(List.of("--property", key + "=" + value)));
        script(command);
        nodes().forEach(node -> current.put(node, attach(node)));
    }

    private void script(List<String> arguments) {
        List<String> command = new ArrayList<>(List.of(script.toString()));
        command.addAll(arguments);
        try {
            int status = new ProcessBuilder(command).inheritIO().start().waitFor();
            if (status != 0) {
                throw new IllegalStateException(command + " ended with " + status);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private NodeDirectory directory(int node) {
        return new NodeDirectory(dir.resolve("node-" + node).resolve("server.properties"));
    }

    /** The script has ended, and the process that it leaves may not have become Java yet. */
    private NodeProcess attach(int node) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        Optional<NodeProcess> found = NodeProcess.attach(directory(node), 0);
        while (found.isEmpty() && System.nanoTime() - deadline < 0) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
            found = NodeProcess.attach(directory(node), 0);
        }
        return found.orElseThrow(() -> new IllegalStateException("node " + node + " of Apache Kafka does not live"));
    }

    @Override
    public Target target() {
        return this;
    }

    @Override
    public String bootstrap() {
        try {
            return Files.readString(dir.resolve("bootstrap")).strip();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void stop() throws InterruptedException {
        current.values().forEach(NodeProcess::resume);
        current.values().forEach(NodeProcess::terminate);
        for (NodeProcess process : current.values()) {
            process.awaitExit(Duration.ofSeconds(20));
        }
    }

    @Override
    public void close() {
        for (int node : nodes()) {
            NodeProcess.attach(directory(node), 0).ifPresent(NodeProcess::kill);
        }
    }

    @Override
    public List<Integer> nodes() {
        return IntStream.rangeClosed(1, config.nodes()).boxed().toList();
    }

    @Override
    public InetSocketAddress address(int node) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), PORT + node);
    }

    @Override
    public Optional<Path> logDirectory(int node) {
        return Optional.of(directory(node).data());
    }

    @Override
    public Duration sessionTimeout() {
        return Duration.ofMillis(DrillConfig.SESSION_TIMEOUT_MS);
    }

    @Override
    public boolean isAlive(int node) {
        return current.get(node).isAlive();
    }

    @Override
    public boolean isStopped(int node) {
        return current.get(node).isStopped();
    }

    @Override
    public String describe(int node) {
        return "process " + current.get(node).pid();
    }

    @Override
    public void kill(int node) {
        current.get(node).kill();
    }

    @Override
    public void freeze(int node) {
        current.get(node).stop();
    }

    @Override
    public void resume(int node) {
        current.get(node).resume();
    }

    @Override
    public void terminate(int node) {
        current.get(node).terminate();
    }

    @Override
    public boolean awaitExit(int node, Duration limit) throws InterruptedException {
        return current.get(node).awaitExit(limit);
    }

    @Override
    public void start(int node) {
        script(List.of("--dir", dir.toString(), "--only", Integer.toString(node)));
        current.put(node, attach(node));
    }
}
