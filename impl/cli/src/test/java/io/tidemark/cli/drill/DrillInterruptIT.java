package io.tidemark.cli.drill;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.cli.Cli;
import io.tidemark.cli.Main;
import io.tidemark.cli.Schemas;
import io.tidemark.cli.contract.ExitCode;
import io.tidemark.cli.contract.Installation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** Ctrl-C in the middle of a fault: the children are gone, and what was measured is reported. */
class DrillInterruptIT {
    private static final Duration LIMIT = Duration.ofSeconds(120);

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    private Path dir;

    @Test
    void childrenAreGoneAndTheReportHasWhatWasMeasured() throws Exception {
        Path out = dir.resolve("out");
        Path history = dir.resolve("run/history.edn");
        Process drill = start(out, "--faults", "freeze@leader", "--for", "10m", "--out", "md=" + dir.resolve("md"));
        try {
            await(drill, history, "start-freeze");
            List<ProcessHandle> nodes = drill.descendants().toList();
            assertThat(nodes).hasSizeGreaterThanOrEqualTo(3);
            // As the launcher hands Ctrl-C on.
            assertThat(new ProcessBuilder("kill", "-HUP", Long.toString(drill.pid()))
                            .start()
                            .waitFor())
                    .isZero();
            assertThat(drill.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
            assertThat(drill.exitValue()).isEqualTo(ExitCode.INTERRUPTED.processStatus());
            assertThat(nodes).noneMatch(ProcessHandle::isAlive);
        } finally {
            drill.descendants().forEach(ProcessHandle::destroyForcibly);
            drill.destroyForcibly();
        }
        JsonNode document = Schemas.validated("drill", Files.readString(out));
        assertThat(document.at("/exitCode").asInt()).isEqualTo(130);
        assertThat(document.at("/verdict").asText()).isEqualTo("UNKNOWN");
        assertThat(document.at("/reasons/0/code").asText()).isEqualTo("INTERRUPTED");
        assertThat(document.at("/workload/acknowledged").asLong()).isPositive();
        assertThat(document.at("/workload/attempted").asLong())
                .as("what was under way is in doubt")
                .isEqualTo(document.at("/workload/acknowledged").asLong()
                        + document.at("/workload/failed").asLong()
                        + document.at("/workload/indeterminate").asLong());
        assertThat(document.at("/leaders").size()).isGreaterThanOrEqualTo(12);
        assertThat(document.at("/lost").isNull()).isTrue();
        assertThat(document.at("/artifacts/history").asText()).isEqualTo("history.edn");
        assertThat(dir.resolve("run/report.txt")).content().startsWith("UNKNOWN: ");
        assertThat(dir.resolve("md")).content().startsWith("# Drill: UNKNOWN");
    }

    /** Nobody is left to end the nodes: they notice. */
    @Test
    void nodesDoNotOutliveADrillThatIsKilled() throws Exception {
        Process drill = start(dir.resolve("out"), "--faults", "none", "--for", "10m");
        List<ProcessHandle> nodes = List.of();
        try {
            await(drill, dir.resolve("run/history.edn"), ":send");
            nodes = drill.descendants().toList();
            assertThat(nodes).hasSizeGreaterThanOrEqualTo(3);
            drill.destroyForcibly();
            long deadline = System.nanoTime() + LIMIT.toNanos();
            while (nodes.stream().anyMatch(ProcessHandle::isAlive)) {
                assertThat(System.nanoTime() - deadline).as("nanoseconds over").isNegative();
                Thread.sleep(50);
            }
        } finally {
            nodes.forEach(ProcessHandle::destroyForcibly);
            drill.destroyForcibly();
        }
    }

    private Process start(Path out, String... options) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(
                Installation.java().toString(),
                "-XX:TieredStopAtLevel=1",
                "-Dtidemark.root=" + Cli.ROOT,
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "drill",
                "--format=json",
                "--dir",
                dir.resolve("run").toString());
        builder.command().addAll(List.of(options));
        return builder.redirectOutput(out.toFile())
                .redirectError(dir.resolve("err").toFile())
                .start();
    }

    private static void await(Process drill, Path file, String text) throws Exception {
        long deadline = System.nanoTime() + LIMIT.toNanos();
        while (!Files.exists(file) || !Files.readString(file).contains(text)) {
            assertThat(drill.isAlive()).isTrue();
            assertThat(System.nanoTime() - deadline).as("nanoseconds over").isNegative();
            Thread.sleep(50);
        }
    }
}
