package io.tidemark.cli.drill;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.cli.CommandProcess;
import io.tidemark.cli.Schemas;
import io.tidemark.cli.contract.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** Ctrl-C in the middle of a fault: the children are gone, and what was measured is reported. */
class DrillInterruptIT {
    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    private Path dir;

    @Test
    void childrenAreGoneAndTheReportHasWhatWasMeasured() throws Exception {
        Path out = dir.resolve("out");
        Path history = dir.resolve("run/history.edn");
        Process drill = start(out, "--faults", "freeze@leader", "--for", "10m", "--out", "md=" + dir.resolve("md"));
        try {
            CommandProcess.await(drill, history, "start-freeze");
            List<ProcessHandle> nodes = drill.descendants().toList();
            assertThat(nodes).hasSizeGreaterThanOrEqualTo(3);
            // As the launcher hands Ctrl-C on.
            CommandProcess.signal("HUP", drill);
            assertThat(CommandProcess.end(drill)).isEqualTo(ExitCode.INTERRUPTED.processStatus());
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
            CommandProcess.await(drill, dir.resolve("run/history.edn"), ":send");
            nodes = drill.descendants().toList();
            assertThat(nodes).hasSizeGreaterThanOrEqualTo(3);
            drill.destroyForcibly();
            long deadline = System.nanoTime() + CommandProcess.LIMIT.toNanos();
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
        List<String> arguments = new ArrayList<>(
                List.of("drill", "--format=json", "--dir", dir.resolve("run").toString()));
        arguments.addAll(List.of(options));
        return CommandProcess.start(out, dir.resolve("err"), arguments.toArray(String[]::new));
    }
}
