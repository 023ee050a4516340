package io.tidemark.cli.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.cli.contract.CliException;
import io.tidemark.cli.contract.ExitCode;
import io.tidemark.cli.contract.Installation;
import io.tidemark.cli.contract.Session;
import io.tidemark.cli.contract.Terminal;
import io.tidemark.cli.process.ClusterLayout.Shape;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClusterProcessesTest {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    @TempDir
    Path dir;

    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final PrintStream stream = new PrintStream(err, true, StandardCharsets.UTF_8);
    private final Session session = new Session(
            List.of(),
            stream,
            stream,
            new Installation(Path.of("."), Optional.empty(), Installation.NODE_MAIN),
            new Terminal(false, false, 80));
    private ClusterLayout layout;
    private ClusterProcesses cluster;

    @BeforeEach
    void create() throws IOException {
        layout = ClusterLayout.create(dir, Shape.combined(2, 0, Map.of()));
        FakeNode.format(layout);
        cluster = new ClusterProcesses(layout, FakeNode.jvm(), stream);
    }

    @AfterEach
    void close() {
        cluster.close();
    }

    @Test
    void startsAllAndEndsAll() throws InterruptedException {
        cluster.start(session.progress(), LIMIT);
        List<NodeProcess> nodes = cluster.running();
        assertThat(nodes).hasSize(2).allMatch(NodeProcess::isReady);
        nodes.get(0).stop();
        cluster.stop(LIMIT);
        assertThat(nodes).noneMatch(NodeProcess::isAlive);
        assertThat(nodes).allMatch(node -> node.exitStatus().orElseThrow() == 143);
        assertThat(layout.nodes())
                .as("no file names a process that is gone")
                .noneMatch(node -> Files.exists(node.pidFile()));
    }

    @Test
    void saysAtOnceThatItFormats() throws InterruptedException {
        ClusterLayout fresh = ClusterLayout.create(dir.resolve("fresh"), Shape.combined(2, 0, Map.of()));
        try (ClusterProcesses first = new ClusterProcesses(fresh, FakeNode.jvm(), stream)) {
            first.start(session.progress(), LIMIT);
            first.stop(LIMIT);
        }
        assertThat(said()).startsWith("tidemark: formatting 2 nodes in " + fresh.dir() + ", then starting\n");
        err.reset();
        cluster.start(session.progress(), LIMIT);
        cluster.stop(LIMIT);
        assertThat(said()).startsWith("tidemark: starting 2 nodes, ").doesNotContain("formatting");
    }

    @Test
    void theLineForClientsIsThereOnceAllServe() throws Exception {
        Path bootstrap = dir.resolve("bootstrap");
        Files.writeString(bootstrap, "stale");
        PropertiesWriter.set(layout.node(2).config(), Map.of("fake.status", "4"));
        assertThatThrownBy(() -> cluster.start(session.progress(), LIMIT)).isInstanceOf(CliException.class);
        assertThat(bootstrap)
                .as("an earlier run's is gone, this one never served")
                .doesNotExist();
        cluster.stop(LIMIT);
        PropertiesWriter.write(
                layout.node(2).config(),
                Map.of("node.id", "2", "process.roles", "broker,controller", "listeners", listeners(2)));
        cluster.start(session.progress(), LIMIT);
        assertThat(bootstrap).content().isEqualTo(layout.bootstrap() + "\n");
        cluster.stop(LIMIT);
        assertThat(bootstrap).as("the ports stay").exists();
    }

    private String listeners(int node) {
        return layout.node(node).properties().getProperty("listeners");
    }

    @Test
    void takesOverNodesThatRunAlready() throws InterruptedException {
        NodeProcess orphan = NodeProcess.start(FakeNode.jvm(), layout.node(2));
        assertThat(orphan.awaitReady(LIMIT)).isTrue();
        cluster.start(session.progress(), LIMIT);
        assertThat(cluster.process(2).pid()).isEqualTo(orphan.pid());
        cluster.stop(LIMIT);
        assertThat(orphan.awaitExit(LIMIT)).isTrue();
    }

    @Test
    void aNodeThatEndsAtItsStartIsTheReason() throws IOException {
        PropertiesWriter.set(layout.node(2).config(), Map.of("fake.status", "4"));
        assertThatThrownBy(() -> cluster.start(session.progress(), LIMIT))
                .isInstanceOfSatisfying(
                        CliException.class, e -> assertThat(e.exitCode()).isEqualTo(ExitCode.INPUT))
                .hasMessageStartingWith("node 2: process ")
                .hasMessageContaining("ended with status 4: refused");
    }

    @Test
    void reportsADeathOnceAndAdoptsTheReplacement() throws Exception {
        cluster = new ClusterProcesses(layout, FakeNode.jvm().tracing(Path.of("t.ndjson")), stream);
        cluster.start(session.progress(), LIMIT);
        Thread watch = new Thread(() -> {
            try {
                cluster.watch();
            } catch (InterruptedException e) {
                stream.println("interrupted");
            }
        });
        watch.start();
        NodeProcess victim = cluster.process(1);
        victim.kill();
        NodeProcessTest.await(() -> said().contains("node 1 (process " + victim.pid() + ") was killed (SIGKILL); "));
        NodeDirectory node = layout.node(1);
        assertThat(said())
                .as("the next process goes on with the trace of this one")
                .contains(
                        "; start it again with ",
                        " server --config " + node.config() + " --trace "
                                + node.dir().resolve("t.ndjson") + " &\n");
        NodeProcess replacement = NodeProcess.start(FakeNode.jvm(), layout.node(1));
        NodeProcessTest.await(() -> said().contains("node 1 serves again (process " + replacement.pid() + ")"));
        assertThat(said())
                .containsOnlyOnce("was killed")
                .containsOnlyOnce("was started again as process " + replacement.pid());
        watch.interrupt();
        watch.join();
        cluster.stop(LIMIT);
        assertThat(replacement.awaitExit(LIMIT)).isTrue();
    }

    @Test
    void killsWhatDoesNotEndInTime() throws Exception {
        PropertiesWriter.set(layout.node(1).config(), Map.of("fake.deaf", "true"));
        cluster.start(session.progress(), LIMIT);
        cluster.stop(Duration.ofSeconds(1));
        assertThat(cluster.running()).isEmpty();
        assertThat(said()).contains("node 1 did not end within 1 s and was killed");
    }

    @Test
    void startsAgainWhatItLost() throws InterruptedException {
        cluster.start(session.progress(), LIMIT);
        long before = cluster.process(2).pid();
        cluster.process(2).kill();
        assertThat(cluster.process(2).awaitExit(LIMIT)).isTrue();
        assertThat(cluster.restart(2).awaitReady(LIMIT)).isTrue();
        assertThat(cluster.process(2).pid()).isNotEqualTo(before);
    }

    private String said() {
        return err.toString(StandardCharsets.UTF_8);
    }
}
