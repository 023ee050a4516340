package io.tidemark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.cli.contract.Installation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** {@code ./tidemark ...} in a JVM of its own, without the launcher: it ends with the status that it tells the launcher. */
public final class CommandProcess {
    /** How long something may take before a test fails for it. */
    public static final Duration LIMIT = Duration.ofSeconds(120);

    private CommandProcess() {}

    /** The program and its arguments. */
    public static List<String> line(String... arguments) {
        List<String> line = new ArrayList<>(List.of(
                Installation.java().toString(),
                "-XX:TieredStopAtLevel=1",
                "-Dtidemark.root=" + Cli.ROOT,
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName()));
        line.addAll(Arrays.asList(arguments));
        return line;
    }

    public static Process start(Path out, Path err, String... arguments) throws IOException {
        return new ProcessBuilder(line(arguments))
                .redirectOutput(out.toFile())
                .redirectError(err.toFile())
                .start();
    }

    /** Waits until the file has the text, while the process lives. */
    public static void await(Process process, Path file, String text) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + LIMIT.toNanos();
        while (!Files.exists(file) || !Files.readString(file).contains(text)) {
            assertThat(process.isAlive()).isTrue();
            assertThat(System.nanoTime() - deadline).as("nanoseconds over").isNegative();
            Thread.sleep(50);
        }
    }

    public static void signal(String signal, Process process) throws IOException, InterruptedException {
        LauncherSandbox.kill(signal, process);
    }

    /** The status that it ends with. */
    public static int end(Process process) throws InterruptedException {
        assertThat(process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS))
                .as("ends in time")
                .isTrue();
        return process.exitValue();
    }
}
