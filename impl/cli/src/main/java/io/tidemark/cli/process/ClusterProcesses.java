package io.tidemark.cli.process;

import io.tidemark.cli.contract.CliException;
import io.tidemark.cli.contract.ExitCode;
import io.tidemark.cli.contract.Installation;
import io.tidemark.cli.contract.Progress;
import io.tidemark.node.config.Launcher;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * The running nodes of a cluster's directory: started, watched, ended together. A node that dies is reported and left
 * alone; one that someone else starts in its place is adopted. Belongs to one thread.
 */
public final class ClusterProcesses implements AutoCloseable {
    private static final long POLL_MILLIS = 100;

    private final ClusterLayout layout;
    private final NodeJvm jvm;
    private final PrintStream err;
    private final Map<Integer, NodeProcess> processes = new TreeMap<>();
    private final Map<Integer, Long> logEnds = new TreeMap<>();
    private final Set<Long> reported = new HashSet<>();

    /**
     * Nothing runs until {@link #start}.
     *
     * @param err where warnings and notes go
     */
    public ClusterProcesses(ClusterLayout layout, NodeJvm jvm, PrintStream err) {
        this.layout = layout;
        this.jvm = jvm;
        this.err = err;
    }

    public ClusterLayout layout() {
        return layout;
    }

    /** The last known process of the node; it may be gone. */
    public NodeProcess process(int id) {
        NodeProcess process = processes.get(id);
        if (process == null) {
            throw new IllegalArgumentException("node " + id + " was never started");
        }
        return process;
    }

    /** The nodes that live, by id. */
    public List<NodeProcess> running() {
        return processes.values().stream().filter(NodeProcess::isAlive).toList();
    }

    /**
     * Formats what is not formatted, starts what does not run, waits until all serve.
     *
     * @throws CliException if a node ends, or is not ready in time
     */
    public void start(Progress progress, Duration limit) throws InterruptedException {
        List<Integer> taken = layout.takenPorts();
        if (!taken.isEmpty()) {
            throw new CliException(
                    "port " + taken.get(0),
                    "taken by another program",
                    "end that program, or give --port with another --dir",
                    ExitCode.ENVIRONMENT,
                    "PORT_TAKEN",
                    null);
        }
        layout.withdrawBootstrap();
        List<NodeDirectory> unformatted = layout.unformatted();
        if (!unformatted.isEmpty()) {
            progress.update(
                    "tidemark: formatting " + nodes(unformatted.size()) + " in " + layout.dir() + ", then starting");
        }
        for (NodeDirectory node : unformatted) {
            NodeFormat.run(node, layout.formatArguments(node), err);
        }
        for (NodeDirectory node : layout.nodes()) {
            processes.put(node.id(), NodeProcess.attach(node, 0).orElseGet(() -> NodeProcess.start(jvm, node)));
        }
        long start = System.nanoTime();
        while (true) {
            long ready =
                    processes.values().stream().filter(NodeProcess::isReady).count();
            for (NodeProcess process : processes.values()) {
                if (!process.isAlive()) {
                    throw NodeEnd.unasked(process);
                }
            }
            long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start);
            if (ready == processes.size()) {
                layout.publishBootstrap();
                return;
            }
            progress.update("tidemark: starting " + nodes(processes.size()) + ", " + ready + " ready, " + seconds
                    + " of at most " + limit.toSeconds() + " s" + waiting());
            if (seconds >= limit.toSeconds()) {
                throw notReady(limit);
            }
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
        }
    }

    private static String nodes(int count) {
        return count + (count == 1 ? " node" : " nodes");
    }

    /** Starts one node whose process is gone; it is not waited for. */
    public NodeProcess restart(int id) {
        if (process(id).isAlive()) {
            throw new IllegalStateException("node " + id + " still runs");
        }
        NodeProcess process = NodeProcess.start(jvm, layout.node(id));
        processes.put(id, process);
        return process;
    }

    /** Looks after the nodes until this thread is interrupted: reports deaths, adopts replacements. */
    public void watch() throws InterruptedException {
        while (true) {
            processes.replaceAll((id, process) -> process.isAlive() ? alive(id, process) : adopt(id, process));
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
        }
    }

    private NodeProcess alive(int id, NodeProcess process) {
        // A value in logEnds means: gone once, and its replacement's readiness not told yet.
        if (logEnds.containsKey(id) && !reported.contains(process.pid()) && process.isReady()) {
            logEnds.remove(id);
            err.println("tidemark: node " + id + " serves again (process " + process.pid() + ")");
        }
        return process;
    }

    private NodeProcess adopt(int id, NodeProcess gone) {
        NodeDirectory node = gone.node();
        if (!reported.contains(gone.pid())) {
            reported.add(gone.pid());
            logEnds.put(id, gone.logLength());
            err.println("tidemark: node " + id + " (process " + gone.pid() + ") " + NodeEnd.inWords(gone.exitStatus())
                    + "; start it again with " + Installation.called() + " server --config "
                    + Launcher.word(node.config())
                    + jvm.traced(node)
                            .map(file -> " --trace " + Launcher.word(file))
                            .orElse("")
                    + " &");
        }
        return NodeProcess.attach(node, logEnds.getOrDefault(id, 0L))
                .filter(replacement -> replacement.pid() != gone.pid())
                .map(replacement -> {
                    err.println("tidemark: node " + id + " was started again as process " + replacement.pid());
                    return replacement;
                })
                .orElse(gone);
    }

    /** Ends all nodes in order, adopted ones too; kills what has not ended in time. */
    public void stop(Duration limit) throws InterruptedException {
        List<NodeProcess> ending = new ArrayList<>(running());
        for (NodeDirectory node : layout.nodes()) {
            // One that was started a moment ago and is not adopted yet.
            NodeProcess.attach(node, 0)
                    .filter(process -> ending.stream().noneMatch(known -> known.pid() == process.pid()))
                    .ifPresent(ending::add);
        }
        // Brokers hand their leadership over while controllers that are no brokers still decide.
        Map<Boolean, List<NodeProcess>> byRole = ending.stream()
                .collect(Collectors.partitioningBy(process -> process.node().hasRole("broker")));
        long end = System.nanoTime() + limit.toNanos();
        end(byRole.getOrDefault(true, List.of()), end, limit);
        end(byRole.getOrDefault(false, List.of()), end, limit);
    }

    private void end(List<NodeProcess> ending, long end, Duration limit) throws InterruptedException {
        ending.forEach(NodeProcess::resume);
        ending.forEach(NodeProcess::terminate);
        for (NodeProcess process : ending) {
            if (!process.awaitExit(Duration.ofNanos(Math.max(1, end - System.nanoTime())))) {
                err.println("tidemark: node " + process.node().id() + " did not end within " + limit.toSeconds()
                        + " s and was killed");
                process.kill();
                process.awaitExit(Duration.ofSeconds(10));
            }
            // Another process may have the number by the time someone kills what the file names.
            process.node().forgetPid(process.pid());
        }
    }

    /** Kills what still lives. */
    @Override
    public void close() {
        running().forEach(NodeProcess::kill);
    }

    /** What the nodes that do not serve yet wait for, as their logs tell. */
    private String waiting() {
        Map<String, List<String>> nodes = new TreeMap<>();
        for (NodeProcess process : processes.values()) {
            if (!process.isReady()) {
                nodes.computeIfAbsent(process.waitsFor(), what -> new ArrayList<>())
                        .add(Integer.toString(process.node().id()));
            }
        }
        return nodes.entrySet().stream()
                .map(entry -> (entry.getValue().size() == 1 ? "; node " : "; nodes ")
                        + String.join(", ", entry.getValue()) + ": " + entry.getKey())
                .collect(Collectors.joining());
    }

    private CliException notReady(Duration limit) {
        NodeProcess late = processes.values().stream()
                .filter(process -> !process.isReady())
                .findFirst()
                .orElseThrow();
        List<String> tail = late.logTail(1);
        return new CliException(
                "node " + late.node().id(),
                "not ready within " + limit.toSeconds() + " s: " + late.waitsFor()
                        + (tail.isEmpty() ? "" : "; its log ends with: " + tail.get(0)),
                "see " + late.node().log(),
                ExitCode.ENVIRONMENT,
                "NOT_READY",
                null);
    }
}
