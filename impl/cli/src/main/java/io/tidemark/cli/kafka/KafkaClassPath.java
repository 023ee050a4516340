package io.tidemark.cli.kafka;

import io.tidemark.cli.contract.CliException;
import io.tidemark.cli.contract.ExitCode;
import io.tidemark.cli.contract.Installation;
import io.tidemark.cli.contract.Progress;
import io.tidemark.cli.contract.Session;
import io.tidemark.cli.contract.ToolInfo;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The jars of Kafka's tools, fetched by Maven at the first use. They are never on our own class path. */
public final class KafkaClassPath {
    private static final String RESOURCES = "/io/tidemark/cli/kafka/";

    private final Session session;
    private final Path dir;

    public KafkaClassPath(Session session) {
        this.session = session;
        this.dir = session.installation().state().resolve("kafka-" + ToolInfo.kafkaVersion());
    }

    /** The words that start a JVM with the tool; fetches what is missing first. */
    public List<String> command(String mainClass, boolean longRunning) throws IOException, InterruptedException {
        String classPath = fetched();
        List<String> start = List.of(
                Installation.java().toString(),
                "-Xmx512m",
                longRunning ? "-XX:+UseG1GC" : "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=" + (longRunning ? 4 : 1),
                "-Xlog:disable",
                "-Xlog:all=error:stderr");
        List<String> main =
                List.of("-Dlog4j2.configurationFile=" + dir.resolve("log4j2.properties"), "-cp", classPath, mainClass);
        Path archive = dir.resolve("tools.jsa");
        return longRunning
                ? concat(start, main)
                : concat(concat(start, List.of("-XX:SharedArchiveFile=" + archive)), main);
    }

    private String fetched() throws IOException, InterruptedException {
        if (!complete()) {
            Files.createDirectories(dir);
            try (FileChannel channel =
                            FileChannel.open(dir.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                    FileLock lock = channel.lock()) {
                if (lock.isValid() && !complete()) {
                    fetch();
                }
            }
        }
        return read();
    }

    private boolean complete() throws IOException {
        return Files.exists(classPathFile())
                && Arrays.stream(read().split(":", -1)).allMatch(jar -> Files.exists(Path.of(jar)));
    }

    private String read() throws IOException {
        return Files.readString(classPathFile()).strip();
    }

    private Path classPathFile() {
        return dir.resolve("classpath");
    }

    private void fetch() throws IOException, InterruptedException {
        Path log = dir.resolve("fetch.log");
        copy("pom.xml");
        copy("log4j2.properties");
        Path next = dir.resolve("classpath.new");
        ProcessBuilder builder = new ProcessBuilder(
                "mvn",
                "-B",
                "-f",
                dir.resolve("pom.xml").toString(),
                "dependency:build-classpath",
                "-DincludeScope=runtime",
                "-Dmdep.outputFile=" + next);
        Process maven;
        try {
            maven = builder.directory(dir.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start();
        } catch (IOException e) {
            throw new CliException(
                    "kafka",
                    "Maven is needed to fetch Kafka's tools",
                    "mvn in PATH",
                    ExitCode.ENVIRONMENT,
                    "MISSING_TOOL",
                    null);
        }
        long start = System.nanoTime();
        try (Progress progress = session.progress()) {
            while (!maven.waitFor(200, TimeUnit.MILLISECONDS)) {
                progress.update("tidemark: fetching Kafka " + ToolInfo.kafkaVersion() + "'s tools with Maven, "
                        + TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start) + " s; log: " + log);
            }
        } finally {
            maven.destroy();
        }
        if (maven.exitValue() != 0 || !Files.exists(next)) {
            throw new CliException(
                    log.toString(),
                    "Kafka's tools cannot be fetched",
                    "a network for the first use; the log has the whole story",
                    ExitCode.ENVIRONMENT,
                    "FETCH_FAILED",
                    null);
        }
        archive(Files.readString(next).strip());
        Files.move(next, classPathFile(), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    /** A class data archive halves a tool's start-up; one that finds no server loads the classes worth having. */
    private void archive(String classPath) throws IOException, InterruptedException {
        Path config = dir.resolve("archive.properties");
        Files.writeString(config, "default.api.timeout.ms=1000\nrequest.timeout.ms=900\n", StandardCharsets.US_ASCII);
        Process run = new ProcessBuilder(
                        Installation.java().toString(),
                        "-XX:+UseSerialGC",
                        "-XX:ArchiveClassesAtExit=" + dir.resolve("tools.jsa"),
                        "-Dlog4j2.configurationFile=" + dir.resolve("log4j2.properties"),
                        "-cp",
                        classPath,
                        KafkaTools.classOf("topics").orElseThrow(),
                        "--bootstrap-server",
                        "127.0.0.1:1",
                        "--command-config",
                        config.toString(),
                        "--list")
                .redirectErrorStream(true)
                .redirectOutput(dir.resolve("archive.log").toFile())
                .start();
        if (!run.waitFor(60, TimeUnit.SECONDS)) {
            run.destroyForcibly();
        }
    }

    private void copy(String resource) throws IOException {
        try (InputStream in = KafkaClassPath.class.getResourceAsStream(RESOURCES + resource)) {
            if (in == null) {
                throw new IOException("resource " + resource + " is missing");
            }
            Files.copy(in, dir.resolve(resource), StandardCopyOption.REPLACE_EXISTING);
        }
    }

    private static List<String> concat(List<String> first, List<String> second) {
        return java.util.stream.Stream.concat(first.stream(), second.stream()).toList();
    }
}
