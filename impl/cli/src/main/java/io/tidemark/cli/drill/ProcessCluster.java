package io.tidemark.cli.drill;

import io.tidemark.cli.contract.CliException;
import io.tidemark.cli.contract.ExitCode;
import io.tidemark.cli.contract.Progress;
import io.tidemark.cli.process.ClusterLayout;
import io.tidemark.cli.process.ClusterProcesses;
import io.tidemark.cli.process.NodeDirectory;
import io.tidemark.cli.process.NodeJvm;
import io.tidemark.cli.process.NodeProcess;
import io.tidemark.cli.process.Waker;
import io.tidemark.workload.fault.SmallFileSystem;
import io.tidemark.workload.fault.Target;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Nodes of ours as separate processes on this machine. */
final class ProcessCluster implements DrillCluster, Target {
    private static final Duration STOP_LIMIT = Duration.ofSeconds(30);
    private static final String REGISTRATION_TIMEOUT = "initial.broker.registration.timeout.ms";

    private final ClusterLayout layout;
    private final ClusterProcesses processes;
    private final @Nullable SmallFileSystem disk;
    private final Map<Integer, NodeProcess> current = new ConcurrentHashMap<>();
    private final Waker waker = new Waker();
    private final Duration startLimit;

    /**
     * Nothing runs until {@link #start(Progress)}.
     *
     * @param startLimit how long the nodes may take until all of them serve
     */
    ProcessCluster(Path dir, DrillConfig config, NodeJvm jvm, PrintStream err, Duration startLimit) {
        this.startLimit = startLimit;
        this.layout = ClusterLayout.create(
                        dir, ClusterLayout.Shape.combined(config.nodes(), 0, config.nodeProperties()))
                .withFeatures(config.features());
        this.disk = config.fillsDisk()
                ? new SmallFileSystem(layout.dir().resolve("..").normalize())
                : null;
        this.processes = new ClusterProcesses(layout, jvm, err);
    }

    @Override
    public void start(Progress progress) throws InterruptedException {
        try {
            processes.start(progress, startLimit);
        } catch (CliException e) {
            throw notStarted(e) ? new NotStartedException(String.valueOf(e.getMessage())) : e;
        }
        nodes().forEach(node -> current.put(node, processes.process(node)));
    }

    /** Whether the error is the cluster's that did not come up; what is wrong with the environment keeps its own code. */
    private boolean notStarted(CliException error) {
        return switch (error.code()) {
            case "NOT_READY" -> true;
            case "NODE_ENDED" ->
                error.exitCode() == ExitCode.DEFECT
                        && nodes().stream().map(processes::process).noneMatch(ProcessCluster::ofDefect);
            default -> false;
        };
    }

    /** Whether the node says itself that it ended because of a defect; one that gave up waiting says the same code. */
    private static boolean ofDefect(NodeProcess process) {
        OptionalInt status = process.exitStatus();
        return status.isPresent()
                && status.getAsInt() == ExitCode.DEFECT.code()
                && !process.logSinceStart().contains(REGISTRATION_TIMEOUT);
    }

    @Override
    public Target target() {
        return this;
    }

    @Override
    public String bootstrap() {
        return layout.bootstrap();
    }

    @Override
    public void stop() throws InterruptedException {
        processes.stop(STOP_LIMIT);
    }

    @Override
    public void close() {
        processes.close();
        waker.close();
    }

    @Override
    public List<Integer> nodes() {
        return layout.nodes().stream().map(NodeDirectory::id).toList();
    }

    @Override
    public InetSocketAddress address(int node) {
        return new InetSocketAddress(
                InetAddress.getLoopbackAddress(),
                layout.node(node).port("PLAINTEXT").orElseThrow());
    }

    @Override
    public Optional<Path> logDirectory(int node) {
        return Optional.of(layout.node(node).data());
    }

    @Override
    public Optional<SmallFileSystem> smallFileSystem() {
        return Optional.ofNullable(disk);
    }

    @Override
    public Duration sessionTimeout() {
        return Duration.ofMillis(DrillConfig.SESSION_TIMEOUT_MS);
    }

    @Override
    public boolean isAlive(int node) {
        return process(node).isAlive();
    }

    @Override
    public boolean isStopped(int node) {
        return process(node).isStopped();
    }

    @Override
    public String describe(int node) {
        return "process " + process(node).pid();
    }

    @Override
    public void kill(int node) {
        process(node).kill();
    }

    @Override
    public void freeze(int node) {
        waker.lookAfter(process(node).pid());
        process(node).stop();
    }

    @Override
    public void resume(int node) {
        process(node).resume();
    }

    @Override
    public void terminate(int node) {
        process(node).terminate();
    }

    @Override
    public boolean awaitExit(int node, Duration limit) throws InterruptedException {
        return process(node).awaitExit(limit);
    }

    @Override
    public void start(int node) {
        current.put(node, processes.restart(node));
    }

    private NodeProcess process(int node) {
        NodeProcess process = current.get(node);
        if (process == null) {
            throw new IllegalStateException("node " + node + " was never started");
        }
        return process;
    }
}
