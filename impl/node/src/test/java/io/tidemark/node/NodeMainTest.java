package io.tidemark.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The main class as a process: what it says and how it ends. */
@Timeout(120)
class NodeMainTest {
    @TempDir
    Path directory;

    private record Ended(int code, String err) {}

    private Process spawn(String... args) throws Exception {
        return spawn(List.of(), args);
    }

    private Process spawn(List<String> options, String... args) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                "-Dlogback.configurationFile=io/tidemark/node/logback-node.xml",
                "io.tidemark.node.NodeMain"));
        command.addAll(1, options);
        command.addAll(List.of(args));
        return new ProcessBuilder(command)
                .redirectError(directory.resolve("err").toFile())
                .start();
    }

    private Ended run(String... args) throws Exception {
        Process process = spawn(args);
        process.getInputStream().readAllBytes();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return new Ended(process.exitValue(), Files.readString(directory.resolve("err")));
    }

    private Path config(int clientPort, int quorumPort) throws Exception {
        Path config = directory.resolve("server.properties");
        Files.writeString(config, """
                process.roles=broker,controller
                node.id=1
                log.dirs=%s
                listeners=PLAINTEXT://127.0.0.1:%d,CONTROLLER://127.0.0.1:%d
                controller.listener.names=CONTROLLER
                controller.quorum.bootstrap.servers=127.0.0.1:9093
                broker.heartbeat.interval.ms=200
                """.formatted(directory.resolve("data"), clientPort, quorumPort));
        return config;
    }

    private static int freePort() throws Exception {
        try (ServerSocket free = new ServerSocket(0)) {
            return free.getLocalPort();
        }
    }

    private static void format(Path config) {
        PrintStream ignored = new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8);
        assertThat(FormatTool.run(
                        new String[] {"-t", "c", "-c", config.toString(), "--standalone"}, ignored, System.err))
                .isZero();
    }

    @Test
    void aNodeThatRanForAProcessEndsWithIt() throws Exception {
        Path config = config(0, freePort());
        format(config);
        Process parent = new ProcessBuilder("sleep", "600").start();
        Process node = spawn(List.of("-Dtidemark.parent=" + parent.pid()), "--config", config.toString());
        try (BufferedReader log =
                new BufferedReader(new InputStreamReader(node.getInputStream(), StandardCharsets.UTF_8))) {
            assertThat(log.lines().anyMatch(line -> line.contains("Kafka Server started")))
                    .isTrue();
            parent.destroyForcibly();
            assertThat(node.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(node.exitValue()).isEqualTo(5);
            assertThat(directory.resolve("err")).content().contains("process " + parent.pid() + ", for which");
        } finally {
            parent.destroyForcibly();
            node.destroyForcibly();
        }
    }

    @Test
    void aWrongCommandLineIsUsage() throws Exception {
        assertThat(run("--conf", "x")).isEqualTo(new Ended(2, "tidemark: usage: --config FILE\n"));
    }

    @Test
    void aWrongFileIsInput() throws Exception {
        Path config = config(0, 1);
        Files.writeString(config, "num.partition=3\n", StandardOpenOption.APPEND);
        assertThat(run("--config", config.toString()))
                .isEqualTo(new Ended(
                        4, "tidemark: " + config + ":8: num.partition is not a key; did you mean num.partitions?\n"));
    }

    @Test
    void aDirectoryThatIsNotFormattedIsInput() throws Exception {
        Ended ended = run("--config", config(0, 1).toString());
        assertThat(ended.code()).isEqualTo(4);
        assertThat(ended.err())
                .startsWith("tidemark: " + directory.resolve("data")
                        + ": is not formatted; for a quorum of its own run: " + "./tidemark format");
    }

    @Test
    void aPortInUseAndALockedDirectoryAreOfTheEnvironment() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Path config = config(0, taken.getLocalPort());
            format(config);
            Ended ended = run("--config", config.toString());
            assertThat(ended.code()).isEqualTo(5);
            assertThat(ended.err())
                    .startsWith("tidemark: CONTROLLER://127.0.0.1:" + taken.getLocalPort() + ": cannot be bound: ")
                    .hasLineCount(1);
        }
        Path lock = directory.resolve("data").resolve(".lock");
        try (FileChannel channel = FileChannel.open(lock, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock held = channel.lock()) {
            assertThat(held.isValid()).isTrue();
            assertThat(run("--config", directory.resolve("server.properties").toString()))
                    .isEqualTo(new Ended(
                            5,
                            "tidemark: " + directory.resolve("data")
                                    + ": is in use by another process; end it first\n"));
        }
    }

    @Test
    void aNodeSaysWhenItHasStartedAndEndsInOrderWhenItIsTold() throws Exception {
        Path config = config(0, freePort());
        Files.writeString(config, "log.retention.hours=5\nmy.own.key=1\n", StandardOpenOption.APPEND);
        format(config);
        Process node = spawn("--config", config.toString());
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(node.getInputStream(), StandardCharsets.UTF_8))) {
            List<String> log = new ArrayList<>();
            String line = lines.readLine();
            while (line != null && !line.contains("Kafka Server started")) {
                log.add(line);
                line = lines.readLine();
            }
            assertThat(line).as(String.join("\n", log)).matches("\\[.{23}\\] INFO Kafka Server started .*");
            assertThat(String.join("\n", log))
                    .contains("WARN Keys of Kafka that have no effect here: log.retention.hours ")
                    .contains("WARN Unknown keys: my.own.key ");
            node.toHandle().destroy(); // Process.destroy would close the stream that is still to be read
            String rest = lines.lines().reduce("", (a, b) -> a + b + "\n");
            assertThat(rest).contains("INFO Shut down ");
        }
        assertThat(node.waitFor()).isEqualTo(143);
        assertThat(directory.resolve("data").resolve(".kafka_cleanshutdown")).exists();
        assertThat(directory.resolve("err")).isEmptyFile();
    }
}
