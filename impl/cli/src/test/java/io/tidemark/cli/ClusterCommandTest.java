package io.tidemark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.cli.contract.ExitCode;
import io.tidemark.cli.process.ClusterLayout;
import io.tidemark.cli.process.FakeNode;
import io.tidemark.cli.process.NodeDirectory;
import io.tidemark.cli.process.NodeProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code cluster} and {@code server} as processes, over nodes that only look like nodes. */
class ClusterCommandTest {
    @TempDir
    Path dir;

    private final List<Process> started = new ArrayList<>();
    private ClusterLayout layout;

    @BeforeEach
    void create() throws IOException {
        layout = ClusterLayout.create(dir.resolve("c"), ClusterLayout.Shape.combined(2, 0, Map.of()));
        FakeNode.format(layout);
    }

    @AfterEach
    void endAll() throws InterruptedException {
        for (NodeDirectory node : layout.nodes()) {
            NodeProcess.attach(node, 0).ifPresent(NodeProcess::kill);
        }
        for (Process process : started) {
            process.destroyForcibly().waitFor();
        }
    }

    @Test
    void runsUntilItIsTerminatedAndLeavesNothingBehind() throws Exception {
        Process cluster = start("a", "cluster", "--dir", layout.dir().toString());
        LauncherSandbox.await(() -> read("a.out").endsWith("\n"));
        assertThat(read("a.out")).isEqualTo(layout.bootstrap() + "\n");
        List<NodeProcess> nodes = running();
        assertThat(nodes).hasSize(2);
        cluster.destroy();
        assertThat(status(cluster)).isEqualTo(ExitCode.TERMINATED.processStatus());
        assertThat(nodes).noneMatch(NodeProcess::isAlive);
    }

    @Test
    void aHangupIsAnInterrupt() throws Exception {
        Process cluster =
                start("a", "cluster", "--format", "json", "--dir", layout.dir().toString());
        LauncherSandbox.await(() -> read("a.out").endsWith("}\n"));
        JsonNode document = Schemas.validated("cluster", read("a.out"));
        assertThat(document.path("nodes").findValuesAsText("pid"))
                .isEqualTo(running().stream().map(node -> "" + node.pid()).toList());
        // What the launcher sends for Ctrl-C.
        LauncherSandbox.kill("HUP", cluster);
        assertThat(status(cluster)).isEqualTo(ExitCode.INTERRUPTED.processStatus());
        assertThat(running()).isEmpty();
    }

    @Test
    void aKilledNodeComesBackWithServer() throws Exception {
        Process cluster = start("a", "cluster", "--dir", layout.dir().toString());
        LauncherSandbox.await(() -> read("a.out").endsWith("\n"));
        NodeProcess victim = running().get(1);
        victim.kill();
        LauncherSandbox.await(
                () -> read("a.err").contains("node 2 (process " + victim.pid() + ") was killed (SIGKILL)"));
        Path config = layout.node(2).config();
        Process server = start("b", "server", "--config", config.toString());
        LauncherSandbox.await(() -> read("a.err").contains("node 2 serves again"));
        long pid = layout.node(2).pid().orElseThrow();
        assertThat(pid).isNotIn(victim.pid(), server.pid());
        assertThat(read("a.err")).contains("node 2 was started again as process " + pid);
        assertThat(status(start("c", "server", "--config", config.toString())))
                .isEqualTo(ExitCode.ENVIRONMENT.processStatus());
        assertThat(read("c.err")).contains("this node runs already, as process " + pid);
        cluster.destroy();
        assertThat(status(cluster)).isEqualTo(ExitCode.TERMINATED.processStatus());
        // The cluster ended the node, not its own server command: that one says how the node ended.
        assertThat(status(server)).isEqualTo(ExitCode.TERMINATED.processStatus());
        assertThat(read("b.err")).contains("ended by signal 15");
        assertThat(running()).isEmpty();
    }

    @Test
    void serverHandsTheNodesEndOn() throws Exception {
        Path alone = Files.createDirectories(dir.resolve("alone"));
        Path config = alone.resolve("server.properties");
        String properties = """
                node.id=7
                process.roles=broker,controller
                listeners=PLAINTEXT://127.0.0.1:9092,CONTROLLER://127.0.0.1:9093
                controller.listener.names=CONTROLLER
                controller.quorum.bootstrap.servers=127.0.0.1:9093
                log.dirs=data
                """;
        Files.writeString(config, properties);
        Process server = start("a", "server", "--config", config.toString());
        // Outside of a cluster's directory the log is on standard error.
        LauncherSandbox.await(() -> read("a.err").contains(NodeProcess.READY));
        assertThat(alone.resolve("log")).doesNotExist();
        NodeProcess node = NodeProcess.attach(new NodeDirectory(config), 0).orElseThrow();
        server.destroy();
        assertThat(status(server)).isEqualTo(ExitCode.TERMINATED.processStatus());
        assertThat(node.isAlive()).isFalse();
        Files.writeString(config, properties + "fake.status=4\n");
        assertThat(status(start("b", "server", "--config", config.toString())))
                .isEqualTo(ExitCode.INPUT.processStatus());
        assertThat(read("b.err")).contains("refused: " + config).doesNotContain("ended with");
        assertThat(alone.resolve("pid")).doesNotExist();
    }

    @Test
    void aNewPropertyReachesEachFileAndAnotherShapeIsRefused() throws Exception {
        Process refused =
                start("a", "cluster", "--nodes", "3", "--dir", layout.dir().toString());
        assertThat(status(refused)).isEqualTo(ExitCode.USAGE.processStatus());
        Process cluster = start(
                "b",
                "cluster",
                "--property",
                "broker.rack=r",
                "--property",
                "log.retention.ms=1000",
                "--property",
                "foo=bar",
                "--dir",
                layout.dir().toString());
        LauncherSandbox.await(() -> read("b.out").endsWith("\n"));
        assertThat(layout.nodes())
                .allMatch(node -> node.properties().get("broker.rack").equals("r"));
        assertThat(read("b.err").lines().filter(line -> line.contains("warning")))
                .containsExactly(
                        "tidemark: warning: Keys of Kafka that have no effect here: log.retention.ms",
                        "tidemark: warning: Unknown keys: foo");
        cluster.destroy();
        status(cluster);
    }

    private Process start(String name, String... arguments) throws IOException {
        List<String> command = new ArrayList<>();
        if (LauncherSandbox.hangupIgnored()) {
            // Under nohup; a JVM cannot catch a signal that it inherits as ignored.
            command.addAll(List.of("env", "--default-signal=HUP"));
        }
        command.addAll(List.of(
                System.getProperty("java.home") + "/bin/java",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Dtidemark.root=" + Cli.ROOT,
                "-cp",
                System.getProperty("java.class.path"),
                FakeNodesMain.class.getName()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectOutput(dir.resolve(name + ".out").toFile())
                .redirectError(dir.resolve(name + ".err").toFile());
        builder.environment().put("KAFKA_HEAP_OPTS", "-Xmx32m");
        Process process = builder.start();
        started.add(process);
        return process;
    }

    private static int status(Process process) throws InterruptedException {
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).as("ends in time").isTrue();
        return process.exitValue();
    }

    private List<NodeProcess> running() {
        return layout.nodes().stream()
                .flatMap(node -> Stream.ofNullable(NodeProcess.attach(node, 0).orElse(null)))
                .toList();
    }

    private String read(String file) {
        try {
            return Files.readString(dir.resolve(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
