package io.tidemark.cli.process;

import io.tidemark.cli.contract.CliException;
import io.tidemark.cli.contract.ExitCode;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A node's running JVM: one that this process started, or one that was found by its pid file. Signals go to the process
 * id that was seen to run this node's configuration, never to one that is merely written somewhere.
 */
public final class NodeProcess {
    /** What a node prints when it serves: the broker is unfenced, or the controller has a leader. */
    public static final String READY = "Kafka Server started";

    private static final KillCommand KILL = new KillCommand(List.of("kill"));
    private static final long POLL_MILLIS = 20;
    private static final long FOREGROUND = Long.MAX_VALUE;

    private final NodeDirectory node;
    private final ProcessHandle handle;
    private final @Nullable Process child;
    private final long logStart;
    private boolean ready;

    private NodeProcess(NodeDirectory node, ProcessHandle handle, @Nullable Process child, long logStart) {
        this.node = node;
        this.handle = handle;
        this.child = child;
        this.logStart = logStart;
    }

    /** Starts the node, its output appended to its log, and writes its pid file. */
    public static NodeProcess start(NodeJvm jvm, NodeDirectory node) {
        Path log = node.log();
        try {
            long from = Files.exists(log) ? Files.size(log) : 0;
            ProcessBuilder.Redirect append = ProcessBuilder.Redirect.appendTo(log.toFile());
            return launch(node, new ProcessBuilder(jvm.command(node)).redirectOutput(append), from);
        } catch (IOException e) {
            throw notStarted(node, e);
        }
    }

    /** Starts the node with its output on this process's standard error, and writes its pid file. */
    public static NodeProcess startInForeground(NodeJvm jvm, NodeDirectory node) {
        List<String> command = new ArrayList<>(List.of("/bin/sh", "-c", "exec \"$@\" >&2", "sh"));
        command.addAll(jvm.command(node));
        try {
            return launch(node, new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT), FOREGROUND);
        } catch (IOException e) {
            throw notStarted(node, e);
        }
    }

    private static NodeProcess launch(NodeDirectory node, ProcessBuilder builder, long logStart) throws IOException {
        if (builder.redirectError().equals(ProcessBuilder.Redirect.PIPE)) {
            builder.redirectErrorStream(true);
        }
        Process child = builder.redirectInput(
                        ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                .start();
        Children.endWithThisJvm(child);
        node.writePid(child.pid());
        return new NodeProcess(node, child.toHandle(), child, logStart);
    }

    private static CliException notStarted(NodeDirectory node, IOException cause) {
        return new CliException(
                node.dir().toString(),
                "the node cannot be started: " + cause.getMessage(),
                "a writable directory and a java that runs",
                ExitCode.ENVIRONMENT);
    }

    /**
     * The node's process that someone else started, if the pid file names a living one that runs this configuration.
     *
     * @param logStart where in the log its own lines begin; 0 if it may have become ready long ago
     */
    public static Optional<NodeProcess> attach(NodeDirectory node, long logStart) {
        OptionalLong pid = node.pid();
        return pid.isEmpty()
                ? Optional.empty()
                : ProcessHandle.of(pid.getAsLong())
                        .filter(ProcessHandle::isAlive)
                        .filter(handle -> runs(handle, node))
                        .map(handle -> new NodeProcess(node, handle, null, logStart));
    }

    public NodeDirectory node() {
        return node;
    }

    public long pid() {
        return handle.pid();
    }

    /** False as soon as the process is gone, a zombie included. */
    public boolean isAlive() {
        return child != null ? child.isAlive() : handle.isAlive() && state() != 'Z';
    }

    /** Whether SIGSTOP has taken effect. */
    public boolean isStopped() {
        return state() == 'T';
    }

    /** How it ended: 128 + signal for a signal; empty while it lives and where it is not our child. */
    public OptionalInt exitStatus() {
        return child == null || child.isAlive() ? OptionalInt.empty() : OptionalInt.of(child.exitValue());
    }

    /** Whether it has said since its start that it serves. */
    public boolean isReady() {
        if (!ready) {
            ready = logSinceStart().contains(READY);
        }
        return ready;
    }

    /** What stands between it and serving, by what it has printed last about it. */
    public String waitsFor() {
        String said = logSinceStart();
        if (said.isBlank()) {
            return "the JVM starts";
        }
        int broker = said.lastIndexOf("Broker is ");
        if (broker >= 0) {
            return said.startsWith("RECOVERY", broker + "Broker is ".length())
                    ? "broker registered, still fenced: catching up with the metadata"
                    : "broker " + said.substring(broker + "Broker is ".length()).split("\\s", 2)[0];
        }
        int quorum = said.lastIndexOf("Quorum: ");
        if (quorum < 0) {
            return "loading the logs";
        }
        String state = said.substring(quorum).lines().findFirst().orElse("");
        return state.contains("leader -1")
                ? "no quorum leader yet"
                : "quorum leader elected, broker not registered yet";
    }

    /** What it has printed since its start, at most the last 256 KiB. */
    public String logSinceStart() {
        try (RandomAccessFile log = new RandomAccessFile(node.log().toFile(), "r")) {
            long length = log.length();
            long from = Math.max(logStart, length - 262_144);
            if (from >= length) {
                return "";
            }
            byte[] bytes = new byte[(int) (length - from)];
            log.seek(from);
            log.readFully(bytes);
            return new String(bytes, StandardCharsets.UTF_8);
        } catch (IOException e) {
            return "";
        }
    }

    /** Whether its output goes to its log file. */
    public boolean logged() {
        return logStart != FOREGROUND;
    }

    /** The log's size in bytes; what its successor prints begins there. */
    long logLength() {
        return node.log().toFile().length();
    }

    /** The last lines that it printed since its start. */
    public List<String> logTail(int lines) {
        List<String> all = Arrays.stream(logSinceStart().split("\n", -1))
                .filter(line -> !line.isBlank())
                .toList();
        return all.subList(Math.max(0, all.size() - lines), all.size());
    }

    /** Waits until it serves; false if it died or the time was up first. */
    public boolean awaitReady(Duration limit) throws InterruptedException {
        await(limit, () -> isReady() || !isAlive());
        return isReady() && isAlive();
    }

    /** Waits until it is gone; false if it still lives when the time is up. */
    public boolean awaitExit(Duration limit) throws InterruptedException {
        if (child != null) {
            return child.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS);
        }
        return await(limit, () -> !isAlive());
    }

    /** SIGKILL: the process is gone, what it wrote to the page cache stays. */
    public void kill() {
        signal("KILL");
    }

    /** SIGSTOP: it stands still, its sockets stay open. Takes effect a moment later, see {@link #isStopped()}. */
    public void stop() {
        signal("STOP");
    }

    /** SIGCONT: a stopped process goes on. */
    public void resume() {
        signal("CONT");
    }

    /** SIGTERM: it hands its leadership over and ends. */
    public void terminate() {
        signal("TERM");
    }

    private void signal(String name) {
        KILL.send(name, pid(), this::isAlive);
    }

    /** The kernel's letter for the process's state; {@code ?} where it cannot be known. */
    private char state() {
        Path stat = Path.of("/proc", Long.toString(pid()), "stat");
        try {
            if (Files.exists(stat)) {
                String line = Files.readString(stat, StandardCharsets.ISO_8859_1);
                return line.charAt(line.lastIndexOf(')') + 2);
            }
            Process ps = new ProcessBuilder("ps", "-o", "state=", "-p", Long.toString(pid())).start();
            String line = new String(ps.getInputStream().readNBytes(64), StandardCharsets.US_ASCII).strip();
            return line.isEmpty() ? 'X' : line.charAt(0);
        } catch (IOException | StringIndexOutOfBoundsException e) {
            return '?';
        }
    }

    private static boolean runs(ProcessHandle handle, NodeDirectory node) {
        String config = node.config().toString();
        try {
            Path cmdline = Path.of("/proc", Long.toString(handle.pid()), "cmdline");
            if (Files.exists(cmdline)) {
                List<String> words = List.of(
                        Files.readString(cmdline, StandardCharsets.UTF_8).split("\0", -1));
                return words.contains(config) && words.contains("-cp");
            }
        } catch (IOException e) {
            return false;
        }
        return handle.info().commandLine().filter(line -> line.contains(config)).isPresent();
    }

    private static boolean await(Duration limit, BooleanSupplier condition) throws InterruptedException {
        long end = System.nanoTime() + limit.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - end > 0) {
                return false;
            }
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
        }
        return true;
    }
}
