package io.tidemark.cli.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.cli.Cli;
import io.tidemark.cli.Main;
import io.tidemark.cli.Schemas;
import io.tidemark.cli.contract.ExitCode;
import io.tidemark.cli.contract.Installation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** SIGTERM in the middle of a seed, twice: to the process group and by the launcher, as {@code timeout} sends it. */
class SimulateInterruptIT {
    private static final Duration LIMIT = Duration.ofSeconds(120);

    @TempDir
    private Path dir;

    @Test
    void theResultIsOneDocumentAndNothingElse() throws Exception {
        Path out = dir.resolve("out");
        Path progress = dir.resolve("err");
        Process simulate = new ProcessBuilder(
                        Installation.java().toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-Dtidemark.root=" + Cli.ROOT,
                        "-cp",
                        System.getProperty("java.class.path"),
                        Main.class.getName(),
                        "simulate",
                        "--format=json",
                        "--seeds=910001..930000",
                        "--jobs=2")
                .redirectOutput(out.toFile())
                .redirectError(progress.toFile())
                .start();
        try {
            long deadline = System.nanoTime() + LIMIT.toNanos();
            while (!Files.readString(progress).contains("simulate: ")) {
                assertThat(simulate.isAlive()).isTrue();
                assertThat(System.nanoTime() - deadline).as("nanoseconds over").isNegative();
                Thread.sleep(50);
            }
            String pid = Long.toString(simulate.pid());
            for (int i = 0; i < 2; i++) {
                assertThat(new ProcessBuilder("kill", "-TERM", pid).start().waitFor())
                        .isZero();
            }
            assertThat(simulate.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
            assertThat(simulate.exitValue()).isEqualTo(ExitCode.TERMINATED.processStatus());
        } finally {
            simulate.destroyForcibly();
        }
        JsonNode document = Schemas.validated("simulate", Files.readString(out));
        assertThat(document.at("/verdict").asText()).isEqualTo("UNKNOWN");
        assertThat(document.at("/reasons/0/code").asText()).isEqualTo("INTERRUPTED");
    }
}
