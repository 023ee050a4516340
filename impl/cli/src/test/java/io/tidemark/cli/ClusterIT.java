package io.tidemark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.cli.contract.ExitCode;
import io.tidemark.cli.process.ClusterLayout;
import io.tidemark.cli.process.NodeProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code cluster} as a process, over real nodes. */
class ClusterIT {
    @TempDir
    Path dir;

    private final List<Process> started = new ArrayList<>();

    @AfterEach
    void endAll() throws InterruptedException {
        if (ClusterLayout.exists(cluster())) {
            running().forEach(NodeProcess::kill);
        }
        for (Process process : started) {
            process.destroyForcibly().waitFor();
        }
    }

    @Test
    void separateRolesServeAndEnd() throws Exception {
        Process cluster = start("--controllers", "3", "--brokers", "3");
        try (Admin admin = admin()) {
            assertThat(admin.describeCluster().nodes().get(60, TimeUnit.SECONDS))
                    .extracting(node -> node.id())
                    .containsExactlyInAnyOrder(4, 5, 6);
            admin.createTopics(List.of(new NewTopic("apart", 1, (short) 3)))
                    .all()
                    .get(60, TimeUnit.SECONDS);
        }
        try (AckedLoad load = new AckedLoad(bootstrap(), "apart")) {
            load.awaitAcks(20, Duration.ofSeconds(60));
            load.verify();
        }
        assertThat(running()).hasSize(6);
        assertThat(end(cluster)).isEqualTo(ExitCode.TERMINATED.processStatus());
        assertThat(running()).isEmpty();
    }

    @Test
    void aTopicIsThereInTheNextRun() throws Exception {
        Process first = start("--nodes", "1");
        try (Admin admin = admin()) {
            admin.createTopics(List.of(new NewTopic("kept", 2, (short) 1)))
                    .all()
                    .get(60, TimeUnit.SECONDS);
        }
        String bootstrap = Files.readString(cluster().resolve("bootstrap"));
        assertThat(end(first)).isEqualTo(ExitCode.TERMINATED.processStatus());
        Process second = start();
        assertThat(Files.readString(cluster().resolve("bootstrap"))).isEqualTo(bootstrap);
        try (Admin admin = admin()) {
            assertThat(admin.listTopics().names().get(60, TimeUnit.SECONDS)).contains("kept");
        }
        assertThat(end(second)).isEqualTo(ExitCode.TERMINATED.processStatus());
    }

    /** Beside what the processes print: a cluster's directory holds nothing else. */
    private Path cluster() {
        return dir.resolve("cluster");
    }

    private Process start(String... options) throws IOException, InterruptedException {
        List<String> command = CommandProcess.line("cluster", "--dir", cluster().toString());
        command.addAll(List.of(options));
        Path out = dir.resolve("out-" + started.size());
        Process process = new ProcessBuilder(command)
                .redirectOutput(out.toFile())
                .redirectError(dir.resolve("err").toFile())
                .start();
        started.add(process);
        LauncherSandbox.await(() -> read(out).endsWith("\n") || !process.isAlive());
        assertThat(read(out)).as(read(dir.resolve("err"))).startsWith("127.0.0.1:");
        return process;
    }

    private Admin admin() throws IOException {
        return Admin.create(Map.of("bootstrap.servers", bootstrap()));
    }

    private String bootstrap() throws IOException {
        return Files.readString(cluster().resolve("bootstrap")).strip();
    }

    private static int end(Process process) throws InterruptedException {
        process.destroy();
        assertThat(process.waitFor(90, TimeUnit.SECONDS)).as("ends in time").isTrue();
        return process.exitValue();
    }

    private List<NodeProcess> running() {
        return ClusterLayout.open(cluster()).nodes().stream()
                .flatMap(node -> Stream.ofNullable(NodeProcess.attach(node, 0).orElse(null)))
                .toList();
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
